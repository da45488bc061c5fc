"""A move of a student's player in a solved position, and what it loses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class JudgedMove(NamedTuple):
    """A player's move in a solved position.

    phase:  of the game
    keeps:  is the position worth the same after it?
    regret: by how much its score is below the best one
    saving: was there no other such move?
    """

    phase: str
    keeps: bool
    regret: int
    saving: bool


def mean_regret(moves: Sequence[JudgedMove]) -> float:
    """Return the mean regret of one move or more."""
    return sum(move.regret for move in moves) / len(moves)
