"""Connect Four positions that are solved: the exact score of every move. README.md has the form."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Solved(NamedTuple):
    """A position on 6x7: the columns played so far, and the score of a move to each column.

    A score is 22 minus the winner's stones when both play perfectly, so that an early win scores
    more; negative where the player to move loses, 0 for a draw, None for a full column.
    """

    moves: tuple[int, ...]
    scores: tuple[int | None, ...]

    @property
    def mirrored(self) -> Solved:
        return Solved(tuple(6 - column for column in self.moves), self.scores[::-1])


@cache
def positions() -> tuple[Solved, ...]:
    """Those in which the moves differ, by their number of plies."""
    found = []
    for line in (HERE / "positions.txt").read_text(encoding="ascii").splitlines():
        moves, *scores = line.split()
        kept = (None if score == "." else int(score) for score in scores)
        found.append(Solved(tuple(map(int, moves)), tuple(kept)))
    return tuple(found)


@cache
def openings() -> tuple[tuple[int, ...], ...]:
    """Openings of 4 to 8 plies after which perfect play is a draw, as columns; no two mirrored."""
    lines = (HERE / "openings.txt").read_text(encoding="ascii").splitlines()
    return tuple(tuple(map(int, line)) for line in lines)
