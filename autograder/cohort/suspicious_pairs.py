"""Finds pairs of submissions that share code which few others of the class have.

Common code is not evidence, nor are the provided files. So each fingerprint weighs by its rarity:
log(1 + n / m) if m of n submissions have it, in units of one that just two have; and nothing if too
many have it. A pair is worth a look when much of what is unusual in one submission, or in one file
of it, is in the other, too. See `docs/class-results.md` for how the thresholds were set and what
they miss.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from autograder.cohort.fingerprints import Prints, fingerprints, grams, tokens
from autograder.questions import ROOT

# What more than this share of all have, and more than these few, is common.
COMMON, FEW = 0.1, 5
FEW_OF_FEW = 0.25  # in a small class: what more than this share have
LINE, LINE_OF_FILE = 0.4, 0.6  # the least share of what is unusual, in all and in one file
LEAST = 3.5  # that has to be shared, as a weight

Read = dict[str, Prints]  # one submission's fingerprints, by file


class Pair(NamedTuple):
    """Two submissions, by place, that are worth a look.

    weight: of what they share, in all
    share:  of what is unusual in the one with less of that, from 0 to 1
    files:  the same share for each file in which enough is shared
    """

    first: int
    second: int
    weight: float
    share: float
    files: dict[str, float]


class Comparison:
    """The fingerprints of all submissions, and what each of them weighs."""

    def __init__(self, submissions: Sequence[Read]) -> None:
        self.submissions = submissions
        own = [np.unique(all_hashes(read)) for read in submissions]
        self.hashes, counts = np.unique(joined(own), return_counts=True)
        count = len(submissions)
        self.most = max(2, COMMON * count, min(FEW, FEW_OF_FEW * count))  # that may have it
        rare = (counts <= self.most) & ~np.isin(self.hashes, provided())
        self.weights = np.where(rare, np.log(1 + count / counts) / np.log(1 + count / 2), 0.0)

    def pairs(self, newest: int) -> list[Pair]:
        """Return what is worth a look, most shared first; one of a pair is among the `newest`.

        The others, behind them, are of former years: they are not compared with each other.
        """
        names = sorted({name for read in self.submissions for name in read})
        parts = {name: self.shared([read.get(name) for read in self.submissions]) for name in names}
        whole = self.shared(self.submissions)
        found = over(whole, LINE, newest).union(
            *(over(part, LINE_OF_FILE, newest) for part in parts.values())
        )
        pairs = []
        for first, second in found:
            files = {
                name: part.share(first, second)
                for name, part in parts.items()
                if part.weights[first, second] >= LEAST
            }
            share, weight = whole.share(first, second), float(whole.weights[first, second])
            pairs.append(Pair(first, second, weight, share, files))
        return sorted(pairs, key=lambda pair: (-pair.weight, pair))

    def shared(self, parts: Sequence[Read | Prints | None]) -> Shared:
        """Compare a part of each submission with that of all others, by an inverted index."""
        own = [np.unique(all_hashes(part)) for part in parts]
        columns = np.searchsorted(self.hashes, joined(own))
        rows = np.repeat(np.arange(len(parts)), [len(hashes) for hashes in own])
        roots = np.sqrt(self.weights[columns])
        index = csr_matrix((roots, (rows, columns)), shape=(len(parts), len(self.hashes)))
        index.eliminate_zeros()
        return Shared((index @ index.T).tocsr())

    def counts(self, part: Prints) -> npt.NDArray[np.bool_]:
        """Tell which fingerprints of a part of this class count."""
        return self.weights[np.searchsorted(self.hashes, part.hashes)] > 0


class Shared:
    """The weight of what any two submissions share, and of what each has, on the diagonal."""

    def __init__(self, weights: Any) -> None:
        self.weights = weights
        self.own = weights.diagonal()

    def share(self, first: int, second: int) -> float:
        return float(self.weights[first, second] / min(self.own[first], self.own[second]))


def over(shared: Shared, line: float, newest: int) -> set[tuple[int, int]]:
    """Return the pairs that share enough, and more than the line."""
    cells = shared.weights.tocoo()
    smaller = np.minimum(shared.own[cells.row], shared.own[cells.col])
    seen = (cells.row < cells.col) & (cells.row < newest)
    seen &= (cells.data >= LEAST) & (cells.data >= line * smaller)
    return set(zip(cells.row[seen].tolist(), cells.col[seen].tolist()))


def joined(arrays: Sequence[npt.NDArray[np.uint64]]) -> npt.NDArray[np.uint64]:
    return np.concatenate([np.empty(0, np.uint64), *arrays])


def all_hashes(part: Read | Prints | None) -> npt.NDArray[np.uint64]:
    if part is None:
        return joined([])
    return part.hashes if isinstance(part, Prints) else joined([p.hashes for p in part.values()])


@cache
def provided() -> npt.NDArray[np.uint64]:
    """Return all fingerprints of the provided files; what students receive is nobody's own."""
    files = (ROOT / "starter").rglob("*.py")
    return joined([grams(tokens(path.read_bytes())) for path in files])


def read(files: dict[str, bytes]) -> Read:
    return {name: fingerprints(source) for name, source in files.items()}
