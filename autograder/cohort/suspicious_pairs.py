"""Find pairs of submissions that share code which few others of the class have.

Common code is not evidence, nor are the provided files. So each fingerprint is weighted by its
rarity: the weight is log(1 + n / m) if m of n submissions have it, relative to m = 2, and 0 if too
many have it. A pair is worth a look if much of the unusual code of one submission, or of one of its
files, is in the other, too. See `docs/class-results.md` for what the thresholds miss.
"""

from collections import Counter, defaultdict
from collections.abc import Collection
from functools import cache
from itertools import combinations_with_replacement
from math import log
from typing import NamedTuple

from autograder.cohort.fingerprints import Fingerprint, hash_grams, make_fingerprints, read_tokens
from autograder.questions import ROOT

# Code is common if more than this share, and more than this number, of all submissions have it.
COMMON_SHARE, COMMON_COUNT = 0.1, 5
SMALL_CLASS_SHARE = 0.25  # in a small class: this share in place of COMMON_COUNT
MIN_SHARE, MIN_SHARE_OF_FILE = 0.4, 0.6  # of the unusual code, in all files and in one
MIN_WEIGHT = 3.5  # of the shared code

Files = dict[str, bytes]  # of one submission, by name


class SuspiciousPair(NamedTuple):
    """Two submissions, by their labels, that are worth a look.

    weight: of all that they share
    share:  this weight as a part (0 to 1) of the unusual code of the one with less of it
    files:  the same share for each file in which enough is shared
    """

    first: str
    second: str
    weight: float
    share: float
    files: dict[str, float]


class SharedWeights:
    """The weight of the code that two submissions share; paired with itself, of one."""

    def __init__(self, parts: dict[str, set[bytes]], weights: dict[bytes, float]) -> None:
        """Add up weights; `parts` has the fingerprints of each submission or of a file."""
        holders: dict[bytes, list[str]] = defaultdict(list)
        for label, hashes in parts.items():
            for hash in hashes & weights.keys():
                holders[hash].append(label)
        self.weights: dict[tuple[str, str], float] = defaultdict(float)
        for hash, labels in sorted(holders.items()):
            for pair in combinations_with_replacement(labels, 2):
                self.weights[pair] += weights[hash]

    def compute_share(self, first: str, second: str) -> float:
        smaller = min(self.weights[first, first], self.weights[second, second])
        return self.weights[first, second] / smaller

    def find_pairs_over(self, line: float, newest: Collection[str]) -> set[tuple[str, str]]:
        """Return the pairs that share enough weight, and a share of at least `line`."""
        enough = [pair for pair, weight in self.weights.items() if weight >= MIN_WEIGHT]
        return {
            (first, second)
            for first, second in enough
            if first != second and first in newest and self.compute_share(first, second) >= line
        }


class Comparison:
    """The fingerprints of all submissions by file, and the weights of rare ones."""

    def __init__(self, submissions: dict[str, Files]) -> None:
        """Fingerprint the submissions, which are given by their labels."""
        self.files = submissions
        self.prints = {
            label: {name: make_fingerprints(source) for name, source in files.items()}
            for label, files in submissions.items()
        }
        by_label = self.prints.items()
        self.parts = {label: collect_hashes(*by_file.values()) for label, by_file in by_label}
        counts = Counter(hash for hashes in self.parts.values() for hash in hashes)
        count = len(submissions)
        # How many submissions may have a fingerprint that counts.
        common = min(COMMON_COUNT, SMALL_CLASS_SHARE * count)
        self.max_holders = max(2, COMMON_SHARE * count, common)
        self.weights = {
            hash: log(1 + count / many) / log(1 + count / 2)
            for hash, many in counts.items()
            if many <= self.max_holders and hash not in hash_provided_files()
        }

    def find_pairs(self, newest: Collection[str]) -> list[SuspiciousPair]:
        """Return the pairs worth a look, by weight, with at least one of the `newest`.

        The others come after these; they are of former years and not compared with each other.
        """
        whole = SharedWeights(self.parts, self.weights)
        found = whole.find_pairs_over(MIN_SHARE, newest)
        of_file = {}
        for name in sorted({name for by_file in self.prints.values() for name in by_file}):
            by_label = self.prints.items()
            parts = {label: collect_hashes(by_file.get(name, [])) for label, by_file in by_label}
            of_file[name] = SharedWeights(parts, self.weights)
            found |= of_file[name].find_pairs_over(MIN_SHARE_OF_FILE, newest)
        pairs = []
        for both in sorted(found):
            files = {
                name: part.compute_share(*both)
                for name, part in of_file.items()
                if part.weights[both] >= MIN_WEIGHT
            }
            weight, share = whole.weights[both], whole.compute_share(*both)
            pairs.append(SuspiciousPair(*both, weight, share, files))
        return sorted(pairs, key=lambda pair: -pair.weight)


def collect_hashes(*files: list[Fingerprint]) -> set[bytes]:
    return {one.hash for prints in files for one in prints}


@cache
def hash_provided_files() -> frozenset[bytes]:
    """Return all hashes of the provided files, which are no student's own work."""
    files = (ROOT / "starter").rglob("*.py")
    return frozenset(hash for path in files for hash in hash_grams(read_tokens(path.read_bytes())))
