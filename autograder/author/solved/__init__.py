"""Read solved Connect Four positions, with the exact score of every move."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class SolvedPosition(NamedTuple):
    """A position on 6x7: the columns played so far, and each column's score.

    A score is 22 minus the winner's stones under perfect play, so that an early win scores more. It
    is negative if the player to move loses, 0 for a draw, None for a full column. README.md
    describes the files.
    """

    moves: tuple[int, ...]
    scores: tuple[int | None, ...]

    @property
    def mirrored(self) -> SolvedPosition:
        return SolvedPosition(tuple(6 - column for column in self.moves), self.scores[::-1])


def read_public_positions() -> list[SolvedPosition]:
    """Return positions with different moves, by plies, for public cases."""
    return read_positions("positions.txt")[""]


def read_pool() -> dict[str, list[SolvedPosition]]:
    """Return the positions for secret cases, by level and plies."""
    return read_positions("pool.txt")


@cache
def read_positions(name: str) -> dict[str, list[SolvedPosition]]:
    """Return the positions of a file by their level, "" if they have none."""
    found: dict[str, list[SolvedPosition]] = {}
    for line in (HERE / name).read_text(encoding="ascii").splitlines():
        words = line.split()
        scores = (None if score == "." else int(score) for score in words[-7:])
        solved = SolvedPosition(tuple(map(int, words[-8])), tuple(scores))
        found.setdefault("".join(words[:-8]), []).append(solved)
    return found


@cache
def read_openings() -> tuple[tuple[int, ...], ...]:
    """Return drawn openings of 4 to 8 plies, as columns; no two are mirror images."""
    lines = (HERE / "openings.txt").read_text(encoding="ascii").splitlines()
    return tuple(tuple(map(int, line)) for line in lines)
