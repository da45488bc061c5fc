"""Read pairs of Connect Four positions with a preferred one; see README.md."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

PAIRS = Path(__file__).with_name("pairs.txt")


class PreferredPair(NamedTuple):
    """Two positions, as keys; the first is better for `side`.

    what:  their difference, named as in README.md
    alone: open lines with two and three stones give the better position no advantage
    """

    what: str
    side: str
    better: str
    worse: str
    alone: str = ""

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


def read_preferred_pairs() -> dict[str, list[PreferredPair]]:
    """Return the pairs by their difference."""
    found: dict[str, list[PreferredPair]] = {}
    for line in PAIRS.read_text(encoding="ascii").splitlines():
        pair = PreferredPair(*line.split())
        found.setdefault(pair.what, []).append(pair)
    return found
