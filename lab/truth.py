"""Positions of Connect Four whose truth is known: those of the public cases of question 6."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, NamedTuple

from autograder.errors import GraderFault
from autograder.serving.case_files import Cases
from autograder.serving.cases import SolvedCase, stones_to_the_end
from starter.games import Move, State


class Truth(NamedTuple):
    """What a move is worth to the player to move, if both go on perfectly.

    score:  as the cases have it; larger is better
    worth:  "win", "draw" or "loss"
    stones: after so many stones more of the winner's; 0 in a draw
    keeps:  is the position worth the same after it?
    """

    score: int
    worth: str
    stones: int
    keeps: bool


def positions() -> dict[str, tuple[str, list[int | None]]]:
    """Return the key and the scores of all columns (None: full) of each position, by its name;
    nothing where there are no such cases."""
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
    """Return the truth of each move; nothing where it is not known."""
    scores: Any = SCORES.get(state.key, ())
    known = {column: score for column, score in enumerate(scores) if score is not None}
    plies = sum(map(state.key.count, "XO"))
    best = max(known.values(), default=0)

    def of(score: int) -> Truth:
        stones = stones_to_the_end(plies, score) if score else 0
        return Truth(score, worth(score), stones, worth(score) == worth(best))

    return {column: of(score) for column, score in known.items()}


def worth(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"
