"""The registry of case makers. Every test has a separate random generator.

A question's makers are in the module of its name. To add a test, write its maker there:

    @cases_of("2.3")
    def make_min_node_cases(rng: Random) -> list[SearchCase]:
        ...

A maker checks that its cases have the properties that the test needs.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from random import Random
from typing import TypeVar

from autograder.author.cases.selection import QUICK
from autograder.author.cases.trees import list_leaves
from autograder.checks.ask.values import TOLERANCE
from autograder.feedback.results import sort_key
from autograder.questions import QUESTIONS
from autograder.serving.case import Case
from autograder.serving.cases import CutoffCase, SearchCase

Maker = Callable[[Random], Sequence[Case]]
SomeMaker = TypeVar("SomeMaker", bound=Maker)
MAKERS: dict[str, Maker] = {}
SECRET_MAKERS: dict[str, Maker] = {}  # of tests with another maker for secret cases


class UnfitCase(ValueError):
    """A case without a property that its test needs."""


def cases_of(number: str, secret: bool = False) -> Callable[[SomeMaker], SomeMaker]:
    """Decorate the maker of a test's cases, from small to large, all of one kind.

    secret: only for the secret cases of a release
    """
    makers = SECRET_MAKERS if secret else MAKERS

    def register(maker: SomeMaker) -> SomeMaker:
        makers[number] = maker
        return maker

    return register


def load_makers() -> dict[str, Maker]:
    for question in QUESTIONS:
        importlib.import_module(f"autograder.author.cases.{question.name}")
    on = {question.number for question in QUESTIONS}
    numbers = [number for number in MAKERS if number.split(".")[0] in on]
    return {number: MAKERS[number] for number in sorted(numbers, key=sort_key)}


def make_cases(number: str, seed: int, secret: bool = False) -> list[Case]:
    """Make the cases of one test. Raises UnfitCase, with the test and the case."""
    makers = load_makers() | (SECRET_MAKERS if secret else {})
    quick = QUICK.set(secret)  # public cases, which students read, are selected from all candidates
    try:
        cases = makers[number](Random(f"{seed}/{number}"))
        require(len({type(case) for case in cases}) == 1, "the cases are not of one kind")
        for case in cases:
            if case.game[0] == "GameTree":
                require_apart(case)
    except UnfitCase as unfit:
        raise UnfitCase(f"test {number}: {unfit}") from None
    finally:
        QUICK.reset(quick)
    return [replace(case, number=number, index=i) for i, case in enumerate(cases, 1)]


def require(fact: bool, what: str, case: Case | None = None) -> None:
    """Raise UnfitCase, with the missing property and the case, unless it is a fact."""
    if not fact:
        raise UnfitCase(f"{what}: {case.plain()}" if case else what)


def require_apart(case: Case) -> None:
    """Require that no two numbers of a case are equal within the tolerance."""
    numbers = list_leaves(case.game[1])
    if isinstance(case, CutoffCase):
        numbers += case.h.values()
    if isinstance(case, SearchCase):
        numbers += filter(isfinite, (case.alpha, case.beta))
    for low, high in pairwise(sorted(set(numbers))):
        apart = high - low >= 4 * TOLERANCE * max(1, abs(low), abs(high))
        require(apart, f"{low} and {high} lie too close together", case)
