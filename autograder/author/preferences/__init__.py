"""Read pairs of Connect Four positions with a preferred one; see README.md."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

PAIRS = Path(__file__).with_name("pairs.txt")


class PreferredPair(NamedTuple):
    """Two positions, as keys; the first is better for `side`.

    alone: open lines with two and three stones give the better position no advantage
    """

    side: str
    better: str
    worse: str
    alone: bool

    @property
    def mirrored(self) -> PreferredPair:
        better, worse = (
            "/".join(row[::-1] for row in key.split("/")) for key in (self.better, self.worse)
        )
        return self._replace(better=better, worse=worse)

    @property
    def instead(self) -> int:
        """Return the index of the differing stone in the worse position's key."""
        places = zip(self.better, self.worse)
        return next(i for i, (good, bad) in enumerate(places) if good != bad == self.side)


@cache
def read_preferred_pairs() -> dict[str, tuple[PreferredPair, ...]]:
    """Return the pairs by their difference, named as in README.md."""
    found: dict[str, tuple[PreferredPair, ...]] = {}
    for line in PAIRS.read_text(encoding="ascii").splitlines():
        what, side, better, worse, *alone = line.split()
        pair = PreferredPair(side, better, worse, bool(alone))
        found[what] = (*found.get(what, ()), pair)
    return found
