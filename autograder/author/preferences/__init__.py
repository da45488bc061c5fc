"""Read pairs of Connect Four positions with a preferred one; see README.md."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from starter.games import other

HERE = Path(__file__).resolve().parent
HEIGHT, WIDTH, K = 6, 7, 4
STEPS = ((0, 1), (1, 0), (1, 1), (1, -1))  # down, and to the right
LINES = [  # of squares, (row, column), row 0 on top
    [(row + i * down, column + i * right) for i in range(K)]
    for row in range(HEIGHT)
    for column in range(WIDTH)
    for down, right in STEPS
    if row + (K - 1) * down < HEIGHT and 0 <= column + (K - 1) * right < WIDTH
]


class PreferredPair(NamedTuple):
    """Two positions, as keys; the first is better for `side`."""

    side: str
    better: str
    worse: str

    @property
    def mirrored(self) -> PreferredPair:
        better, worse = (
            "/".join(row[::-1] for row in key.split("/")) for key in (self.better, self.worse)
        )
        return PreferredPair(self.side, better, worse)

    @property
    def instead(self) -> int:
        """Return the index of the differing stone in the worse position's key."""
        places = zip(self.better, self.worse)
        return next(i for i, (good, bad) in enumerate(places) if good != bad == self.side)

    @property
    def by_single_stones(self) -> bool:
        """Do open lines with two and three stones give the better board no advantage?"""
        mine, theirs = (
            [[count_open_lines(key, player, stones) for stones in (2, 3)] for key in self[1:]]
            for player in (self.side, other(self.side))
        )
        fewer = all(better <= worse for better, worse in zip(*mine))
        return fewer and all(better >= worse for better, worse in zip(*theirs))


def count_open_lines(key: str, player: str, stones: int) -> int:
    """Count the lines with this number of the player's stones and no others."""
    rows = key.split("/")
    lines = ([rows[row][column] for row, column in line] for line in LINES)
    return sum(line.count(player) == stones == 4 - line.count(".") for line in lines)


@cache
def read_preferred_pairs() -> dict[str, tuple[PreferredPair, ...]]:
    """Return the pairs by their difference, named as in README.md."""
    found: dict[str, tuple[PreferredPair, ...]] = {}
    for line in (HERE / "pairs.txt").read_text(encoding="ascii").splitlines():
        what, *pair = line.split()
        found[what] = (*found.get(what, ()), PreferredPair(*pair))
    return found
