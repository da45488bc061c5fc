"""Finds pairs of submissions that share code which few others of the class have.

Common code is not evidence, nor are the provided files. So each fingerprint weighs by its rarity:
log(1 + n / m) if m of n submissions have it, in units of one that just two have; and nothing if too
many have it. A pair is worth a look when much of what is unusual in one submission, or in one file
of it, is in the other, too. See `docs/class-results.md` for what the thresholds miss.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import log
from typing import NamedTuple

from autograder.cohort.fingerprints import Print, fingerprints, grams, tokens
from autograder.questions import ROOT

# What more than this share of all have, and more than these few, is common.
COMMON, FEW = 0.1, 5
FEW_OF_FEW = 0.25  # in a small class: what more than this share have
LINE, LINE_OF_FILE = 0.4, 0.6  # the least share of what is unusual, in all and in one file
LEAST = 3.5  # that has to be shared, as a weight

Read = dict[str, list[Print]]  # one submission's fingerprints, by file


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


class Shared:
    """The weight of what any two submissions share; with itself, of what each has."""

    def __init__(self, parts: Sequence[set[bytes]], weights: dict[bytes, float]) -> None:
        """parts: the fingerprints of each submission, of all files or one"""
        holders: dict[bytes, list[int]] = defaultdict(list)
        for place, hashes in enumerate(parts):
            for hash in hashes & weights.keys():
                holders[hash].append(place)
        self.weights: dict[tuple[int, int], float] = defaultdict(float)
        for hash, places in sorted(holders.items()):
            for pair in combinations_with_replacement(places, 2):
                self.weights[pair] += weights[hash]

    def share(self, first: int, second: int) -> float:
        smaller = min(self.weights[first, first], self.weights[second, second])
        return self.weights[first, second] / smaller

    def over(self, line: float, newest: int) -> set[tuple[int, int]]:
        """Return the pairs that share enough, and more than the line."""
        enough = [pair for pair, weight in self.weights.items() if weight >= LEAST]
        return {
            (first, second)
            for first, second in enough
            if first != second and first < newest and self.share(first, second) >= line
        }


class Comparison:
    """The fingerprints of all submissions, and the weight of those that count."""

    def __init__(self, submissions: Sequence[Read]) -> None:
        self.submissions = submissions
        counts = Counter(hash for read in submissions for hash in hashes_of(*read.values()))
        count = len(submissions)
        self.most = max(2, COMMON * count, min(FEW, FEW_OF_FEW * count))  # that may have it
        self.weights = {
            hash: log(1 + count / many) / log(1 + count / 2)
            for hash, many in counts.items()
            if many <= self.most and hash not in provided()
        }

    def pairs(self, newest: int) -> list[Pair]:
        """Return what is worth a look, most shared first; one of a pair is among the `newest`.

        The others, behind them, are of former years: they are not compared with each other.
        """
        names = sorted({name for read in self.submissions for name in read})
        parts = {
            name: Shared([hashes_of(read.get(name, [])) for read in self.submissions], self.weights)
            for name in names
        }
        whole = Shared([hashes_of(*read.values()) for read in self.submissions], self.weights)
        found = whole.over(LINE, newest).union(
            *(part.over(LINE_OF_FILE, newest) for part in parts.values())
        )
        pairs = []
        for first, second in found:
            files = {
                name: part.share(first, second)
                for name, part in parts.items()
                if part.weights[first, second] >= LEAST
            }
            share, weight = whole.share(first, second), whole.weights[first, second]
            pairs.append(Pair(first, second, weight, share, files))
        return sorted(pairs, key=lambda pair: (-pair.weight, pair))


def hashes_of(*files: list[Print]) -> set[bytes]:
    return {one.hash for prints in files for one in prints}


@cache
def provided() -> frozenset[bytes]:
    """Return all fingerprints of the provided files; what students receive is nobody's own."""
    files = (ROOT / "starter").rglob("*.py")
    return frozenset(hash for path in files for hash in grams(tokens(path.read_bytes())))


def read(files: dict[str, bytes]) -> Read:
    return {name: fingerprints(source) for name, source in files.items()}
