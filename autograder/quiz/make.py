"""Make items about a submission: one of a kind, or several of different kinds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from autograder.questions import QUESTIONS
from autograder.quiz import (
    alphabeta_items,
    code_items,
    concept_items,
    cutoff_items,
    mcts_items,
    minimax_items,
)
from autograder.quiz.item import Item, NotAsked
from autograder.quiz.kinds import KINDS, Kind
from autograder.quiz.subject import Subject

MAX_TRIES = 40  # trees that are drawn for one item
MODULES = (
    minimax_items,
    alphabeta_items,
    cutoff_items,
    mcts_items,
    code_items,
    concept_items,
)  # they have registered their kinds


def make_item(subject: Subject, name: str, seed: str) -> Item | None:
    """Make an item of a kind, which depends on the submission and the seed only.

    Return None if no tree makes a good one.
    """
    for attempt in range(MAX_TRIES):
        rng = Random(f"{seed}/{name}/{attempt}")
        try:
            return KINDS[name].make(subject, rng)
        except NotAsked:
            continue
    return None


def make_items(subject: Subject, seed: str, count: int, file: str = "") -> list[Item]:
    """Make items of different kinds, first of different topics of the submission.

    file: only about this question file

    Kinds about no file fill up what the submission leaves open.
    """
    rng = Random(seed)
    kinds = [one for one in KINDS.values() if one.is_open(subject) and file in ("", one.file)]
    own = mix([one for one in kinds if one.file], rng)
    general = [one for one in kinds if not one.file]
    found: list[Item] = []
    for one in own:
        if len(found) < count and (item := make_item(subject, one.name, seed)):
            found.append(item)
    for number in range(MAX_TRIES if general else 0):
        if len(found) == count:
            break
        item = make_item(subject, rng.choice(general).name, f"{seed}/{number}")
        if item and item.text not in [other.text for other in found]:
            found.append(item)
    order = [*(question.name for question in QUESTIONS), ""]
    return sorted(found, key=lambda item: order.index(KINDS[item.kind].file))


def mix(kinds: Sequence[Kind], rng: Random) -> list[Kind]:
    """Return kinds in random order, one about each file before the second about one."""
    left: dict[str, list[Kind]] = {}
    for one in rng.sample(kinds, len(kinds)):
        left.setdefault(one.file, []).append(one)
    mixed: list[Kind] = []
    while any(left.values()):
        for group in left.values():
            mixed += group[:1]
            del group[:1]
    return mixed
