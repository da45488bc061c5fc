"""A move of a student's player in a solved position, and how much it loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class JudgedMove(NamedTuple):
    """A player's move in a solved position.

    phase:  the phase of the game
    keeps:  does it preserve the value of the position?
    regret: the best score minus its score
    saving: is it the only such move?
    """

    phase: str
    keeps: bool
    regret: int
    saving: bool


def mean_regret(moves: Sequence[JudgedMove]) -> float:
    """Return the mean regret of one move or more."""
    return sum(move.regret for move in moves) / len(moves)
