"""Look up exact scores of Connect Four in the public cases of question 6."""

from __future__ import annotations

from contextlib import suppress

from autograder.errors import GraderFault
from autograder.serving.case_files import Cases
from autograder.serving.cases import SolvedCase, count_stones_to_the_end
from starter.games import Move, State


def read_solved_positions() -> dict[str, tuple[str, list[int | None]]]:
    """Return the key and the scores of the columns of each position, by its name.

    The score of a full column is None. Without cases of question 6, there are no positions.
    """
    with suppress(GraderFault):
        cases = Cases()
        loaded = [case for test in cases.content("player")["kinds"] for case in cases.load(test)]
        levels = [case.positions for case in loaded if isinstance(case, SolvedCase)]
        return {
            f"Connect Four, solved, level {level}, no. {i}": position
            for level, positions in enumerate(levels, 1)
            for i, position in enumerate(positions, 1)
        }
    return {}


SOLVED = read_solved_positions()
SCORES = dict(SOLVED.values())


def find_move_scores(state: State) -> dict[Move, int]:
    """Return the exact score of each move for the player to move, if it is known."""
    scores = SCORES.get(state.key, [])
    return {column: score for column, score in enumerate(scores) if score is not None}


def name_result(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def describe_perfect_play(state: State, score: int) -> str:
    """Say how a game ends by perfect play, and in how many stones of the winner."""
    plies = sum(map(state.key.count, "XO"))
    return (
        f"{name_result(score)} in {count_stones_to_the_end(plies, score)}"
        if score
        else name_result(score)
    )
