"""The kinds of items: what each needs, and the function that makes one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from autograder.questions import QUESTIONS
from autograder.quiz.item import Item
from autograder.quiz.subject import Subject

Make = Callable[[Subject, Random], Item]


class Kind(NamedTuple):
    """A kind of item.

    name:  in reports, such as "alphabeta-window"
    file:  the question file that it is about, "" for none
    topic: in a few words
    needs: the tests without which it is not asked
    """

    name: str
    file: str
    topic: str
    needs: frozenset[str]
    make: Make

    def is_open(self, subject: Subject) -> bool:
        """Does the submission pass what the kind needs, as far as it was tested?"""
        if not self.file:
            return True
        tested = self.needs & (subject.passed | subject.failed)
        on = any(question.name == self.file for question in QUESTIONS)
        return on and bool(tested) and tested <= subject.passed


KINDS: dict[str, Kind] = {}


def kind(name: str, topic: str, needs: str = "") -> Callable[[Make], Make]:
    """Register the function that makes items of a kind."""

    def register(make: Make) -> Make:
        file = name.partition("-")[0] if needs else ""
        KINDS[name] = Kind(name, file, topic, frozenset(needs.split()), make)
        return make

    return register


def list_needed_tests() -> set[str]:
    """Return the tests that some kind needs."""
    return {test for one in KINDS.values() for test in one.needs}
