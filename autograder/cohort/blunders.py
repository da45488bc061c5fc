"""Which moves of a game lost what its position was worth, when both go on perfectly.

The exact solver, BitBully (the extra `solver`), need not be installed. It has a book of the first
twelve plies, so that a game takes it a twentieth of a second on average.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from autograder.checks.player import WORTH, sign
from autograder.cohort.match import FULL, ROW

# Of the position after these columns, for who is to move: 1 for a win, 0 for a draw, -1 for a loss.
Value = Callable[[tuple[int, ...]], int]


@cache
def solver() -> Value | None:
    """What tells the exact value of a position on 6x7; None where BitBully is not installed."""
    try:
        from bitbully import BitBully, Board
    except ModuleNotFoundError:
        return None
    bitbully = BitBully()

    @cache
    def value(columns: tuple[int, ...]) -> int:
        # The sign is all that is wanted: a window around 0 takes half the time.
        return sign(bitbully.negamax(Board(list(columns)), -1, 1))

    return value


def lost_value(game: Mapping[str, Any], value: Value) -> dict[int, str]:
    """What was lost by which move of a game (as it stands in games.jsonl), by the move's number.

    Moves are counted from 1, the opening's included.
    """
    moves, opening = tuple(game["moves"]), len(game["opening"])
    ended = {ROW: -1, FULL: 0}.get(game["end"])  # for who would be to move
    after = value(moves) if ended is None else ended
    found = {}
    for number in range(len(moves), opening, -1):  # from the end: the solver keeps what it has seen
        before, now = value(moves[: number - 1]), -after
        if now < before:
            found[number] = f"turns {WORTH[before]} into {WORTH[now]}"
        after = before
    return found
