"""Pairs of Connect Four positions of which a heuristic should prefer the first; see README.md."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent


class Preferred(NamedTuple):
    """Two positions, as keys of states; for `side` the first is better."""

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
        """Where the stone that tells them apart lies in the key of the worse position."""
        places = zip(self.better, self.worse)
        return next(i for i, (good, bad) in enumerate(places) if good != bad == self.side)


@cache
def preferred() -> dict[str, tuple[Preferred, ...]]:
    """The pairs by what tells them apart; README.md says how that is named."""
    found: dict[str, tuple[Preferred, ...]] = {}
    for line in (HERE / "pairs.txt").read_text(encoding="ascii").splitlines():
        what, *pair = line.split()
        found[what] = (*found.get(what, ()), Preferred(*pair))
    return found
