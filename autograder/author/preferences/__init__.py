"""Read pairs of Connect Four positions with a preferred one; see README.md."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Preferred(NamedTuple):
    """Two positions, as keys; the first is better for `side`."""

    side: str
    better: str
    worse: str

    @property
    def mirrored(self) -> Preferred:
        better, worse = (
            "/".join(row[::-1] for row in key.split("/")) for key in (self.better, self.worse)
        )
        return Preferred(self.side, better, worse)

    @property
    def instead(self) -> int:
        """Return the index of the differing stone in the worse position's key."""
        places = zip(self.better, self.worse)
        return next(i for i, (good, bad) in enumerate(places) if good != bad == self.side)


@cache
def preferred() -> dict[str, tuple[Preferred, ...]]:
    """Return the pairs by their difference, named as in README.md."""
    found: dict[str, tuple[Preferred, ...]] = {}
    for line in (HERE / "pairs.txt").read_text(encoding="ascii").splitlines():
        what, *pair = line.split()
        found[what] = (*found.get(what, ()), Preferred(*pair))
    return found
