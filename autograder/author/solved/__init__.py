"""Read solved Connect Four positions, with the exact score of every move."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PUBLIC, POOL = "positions.txt", "pool.txt"


class SolvedPosition(NamedTuple):
    """A position on 6x7: the columns played so far, and each column's score.

    A score is 22 minus the winner's stones under perfect play, so that an early win scores more. It
    is negative if the player to move loses, 0 for a draw, None for a full column. README.md
    describes the files, and the kinds: what a search needs to preserve the value.
    """

    moves: tuple[int, ...]
    scores: tuple[int | None, ...]
    kinds: tuple[str, ...] = ()

    @property
    def mirrored(self) -> SolvedPosition:
        moves = tuple(6 - column for column in self.moves)
        return SolvedPosition(moves, self.scores[::-1], self.kinds)


@cache
def read_positions(name: str) -> list[SolvedPosition]:
    """Return the positions of a file: PUBLIC for public cases, POOL for secret ones."""
    found = []
    for line in (HERE / name).read_text(encoding="ascii").splitlines():
        *kinds, moves = line.split()[:-7]
        scores = (None if score == "." else int(score) for score in line.split()[-7:])
        found.append(SolvedPosition(tuple(map(int, moves)), tuple(scores), tuple(kinds)))
    return found


@cache
def read_openings() -> tuple[tuple[int, ...], ...]:
    """Return drawn openings of 4 to 8 plies, as columns; no two are mirror images."""
    lines = (HERE / "openings.txt").read_text(encoding="ascii").splitlines()
    return tuple(tuple(map(int, line)) for line in lines)
