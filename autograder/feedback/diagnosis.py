"""Identify known mistakes by fingerprints: hashes of all observations of a test.

A mistake is named if the submission fails a test exactly as that mistake does, and also passes the
tests that the mistake passes, in the same way. If other failed tests differ, the message says that
the diagnosis is for this test.
"""

import hashlib
import json
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from autograder.feedback.results import Outcome, Result

OR = ", or if "
Marks = dict[str, dict[str, list[int]]]  # by test, then mark: the indices of the mistakes with it


def make_fingerprint(observed: list[Any]) -> str:
    """Return a short hash of the observations of one case, "" for none.

    Numbers with the same first six digits are equal: 1 and 1.0, float32 and float, and sums of
    floats, which Python's versions round differently.
    """
    if not observed:
        return ""
    return hashlib.sha256(write_rounded(observed).encode()).hexdigest()[:10]


def write_rounded(plain: Any) -> str:
    if isinstance(plain, tuple):  # of texts and numbers
        return f"[{', '.join(map(write_scalar, plain))}]"
    if isinstance(plain, dict):
        items = (f"{write_scalar(key)}: {write_rounded(value)}" for key, value in plain.items())
        return f"{{{', '.join(items)}}}"
    if isinstance(plain, list):
        return f"[{', '.join(map(write_rounded, plain))}]"
    return write_scalar(plain)


@lru_cache(maxsize=10_000)
def write_scalar(plain: Any) -> str:
    if isinstance(plain, int | float):
        plain = float(f"{plain:.6g}") + 0.0  # not -0.0
    return json.dumps(plain)


def make_mark(traces: list[str]) -> str:
    """Return one mark for a test, "" if one of its cases has no fingerprint."""
    return make_fingerprint(traces) if all(traces) else ""


def name_mistakes(results: Sequence[Result], marks: Marks, words: Sequence[str]) -> None:
    """Name the mistake in each failed test whose mark belongs to one or two mistakes.

    words: for each mistake, the end of "This is what you would get if ..."

    A mistake that would fail a passed test, or pass it differently, is not named. If mistakes that
    agree with every test explain all failed tests, only these are named; otherwise each diagnosis
    holds for one test. A test that proves little after another failure has no say.
    """
    seen = {
        result.number: make_mark(result.traces)
        for result in results
        if result.judged and not result.stub and result.number in marks
    }
    after = {result.number for result in results if result.after}
    failed = [r for r in results if r.outcome is Outcome.FAILED and r.number in seen]
    passed = seen.keys() - {result.number for result in failed}
    observed = {number for number, mark in seen.items() if mark} - after

    def agrees(mistake: int, numbers: Collection[str]) -> bool:
        """Does the submission have this mistake's mark in each test where it has one?"""
        return all(
            seen[number] == mark
            for number in numbers
            for mark, mistakes in marks[number].items()
            if mistake in mistakes
        )

    found = {r.number: marks[r.number].get(seen[r.number], []) for r in failed}
    whole = all(found[number] for number in found if number in observed)
    for result in failed:
        suspects = [it for it in found[result.number] if agrees(it, passed)]
        certain = [it for it in suspects if agrees(it, observed)]
        # One mistake is named, or two that can't be distinguished; of more, none.
        different = list(dict.fromkeys(words[it] for it in certain or suspects))
        result.diagnosis = OR.join(different) if len(different) <= 2 else ""
        result.in_this_test = not (whole and certain)
