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

# Of the position after these columns, for the player to move: 1 a win, 0 a draw, -1 a loss.
Value = Callable[[tuple[int, ...]], int]


@cache
def solver() -> Value | None:
    """Return the exact solver of positions on 6x7; None where BitBully is not installed."""
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
    """Return what each losing move of a game in games.jsonl has lost, by the move's number.

    Moves are counted from 1, the opening's included.
    """
    moves, opening = tuple(game["moves"]), len(game["opening"])
    ended = {ROW: -1, FULL: 0}.get(game["end"])  # for the player who would be next
    after = value(moves) if ended is None else ended
    found = {}
    for number in range(len(moves), opening, -1):  # from the end, for the solver's cache
        before, now = value(moves[: number - 1]), -after
        if now < before:
            found[number] = f"turns {WORTH[before]} into {WORTH[now]}"
        after = before
    return found
