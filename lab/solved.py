"""Positions of Connect Four whose truth is known: those of the public cases of question 6."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from autograder.cases import Cases, SolvedCase
from autograder.judge.player import sign
from autograder.sandbox import GraderFault
from starter.games import Move, State

STONES = 22  # a score is the winner's stones on 6 x 7 less than these
WORTH = {1: "win", 0: "draw", -1: "loss"}


class Truth(NamedTuple):
    """What a move is worth to the player to move, if both go on perfectly.

    score: as the cases have it; larger is better
    words: how the game ends, and after how many stones more of the winner's
    keeps: is the position worth the same after it?
    """

    score: int
    words: str
    keeps: bool


def positions() -> dict[str, tuple[str, list[int | None]]]:
    """The key and the scores of all columns (None: full) of each position, by its name; nothing
    where there are no such cases."""
    found: dict[str, tuple[str, list[int | None]]] = {}
    with suppress(GraderFault):
        cases, level = Cases(), 0
        for number in cases.content("player")["kinds"]:
            for case in cases.load(number):
                if isinstance(case, SolvedCase):
                    level += 1
                    found |= {
                        f"Connect Four, solved, level {level}, no. {i}": (key, scores)
                        for i, (key, scores) in enumerate(case.positions, 1)
                    }
    return found


SOLVED = positions()
SCORES = dict(SOLVED.values())


def truth(state: State) -> dict[Move, Truth]:
    """The truth of each move; nothing where it is not known."""
    scores: Any = SCORES.get(state.key, ())
    known = {column: score for column, score in enumerate(scores) if score is not None}
    plies = sum(map(state.key.count, "XO"))
    mine, theirs = plies // 2, (plies + 1) // 2
    best = max(known.values(), default=0)

    def words(score: int) -> str:
        stones = STONES - abs(score) - (mine if score > 0 else theirs)
        return WORTH[sign(score)] + (f" in {stones}" if score else "")

    return {
        column: Truth(score, words(score), sign(score) == sign(best))
        for column, score in known.items()
    }
