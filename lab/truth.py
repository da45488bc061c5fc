"""Positions of Connect Four whose exact scores are known: the public cases of question 6."""

from __future__ import annotations

from contextlib import suppress

from autograder.errors import GraderFault
from autograder.serving.case_files import Cases
from autograder.serving.cases import SolvedCase, stones_to_the_end
from starter.games import Move, State


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


def scores_of_moves(state: State) -> dict[Move, int]:
    """Return the exact score of each move for the player to move, as the cases have it; nothing
    where it is not known."""
    scores = SCORES.get(state.key, [])
    return {column: score for column, score in enumerate(scores) if score is not None}


def worth(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def ending(state: State, score: int) -> str:
    """Say how a game ends by perfect play: after so many stones more of the winner's."""
    plies = sum(map(state.key.count, "XO"))
    return f"{worth(score)} in {stones_to_the_end(plies, score)}" if score else worth(score)
