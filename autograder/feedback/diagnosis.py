"""Tells a known mistake by its fingerprints: marks of all that was observed of a test's cases.

A mistake is named in a test that the submission fails exactly as that mistake does, if the
submission also passes the tests that the mistake passes, in the same way. If other failed tests
look different, the message says that the name holds for this test.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from typing import Any

from autograder.feedback.results import Outcome, Result

OR = ", or if "
Marks = dict[str, dict[str, list[int]]]  # by test, then mark: the mistakes that leave it


def fingerprint(observed: list[Any]) -> str:
    """Return a short mark of everything that was observed of one case, "" for nothing.

    Numbers count as equal when their first six digits are: 1 and 1.0, float32 and float, and sums
    of floats, which Python's versions round differently.
    """
    if not observed:
        return ""
    return hashlib.sha256(json.dumps(rounded(observed)).encode()).hexdigest()[:10]


def rounded(plain: Any) -> Any:
    if isinstance(plain, int | float):
        return float(f"{plain:.6g}") + 0.0  # not -0.0
    if isinstance(plain, dict):
        return {key: rounded(value) for key, value in plain.items()}
    return [rounded(part) for part in plain] if isinstance(plain, list | tuple) else plain


def mark_of(traces: list[str]) -> str:
    """Return one mark for a test, "" if nothing could be observed of one of its cases."""
    return fingerprint(traces) if all(traces) else ""


def name_mistakes(results: Sequence[Result], marks: Marks, words: Sequence[str]) -> None:
    """Name the mistake in each failed test of one question whose mark is that of one or two.

    words: says of each mistake what "This is what you would get if ..." goes on with

    A mistake that would fail a test that passed, or would pass it otherwise, is not named. If all
    failed tests are explained by mistakes that agree with every test, only these are named; else
    each name holds for its own test.
    """
    judged = (Outcome.PASSED, Outcome.FAILED)
    seen = {
        result.number: mark_of(result.traces)
        for result in results
        if result.outcome in judged and not result.stub and result.number in marks
    }
    failed = [r for r in results if r.outcome is Outcome.FAILED and r.number in seen]
    passed = seen.keys() - {result.number for result in failed}
    observed = {number for number, mark in seen.items() if mark}

    def agrees(mistake: int, numbers: Collection[str]) -> bool:
        """Does the submission have this mistake's mark in each test in which it leaves one?"""
        return all(
            seen[number] == mark
            for number in numbers
            for mark, mistakes in marks[number].items()
            if mistake in mistakes
        )

    found = {r.number: marks[r.number].get(seen[r.number], []) for r in failed}
    certain = {
        number: [it for it in mistakes if agrees(it, passed | observed)]
        for number, mistakes in found.items()
    }
    whole = all(found[number] for number in found if number in observed)
    for result in failed:
        number = result.number
        agreeing = [it for it in found[number] if agrees(it, passed)]
        named = certain[number] or agreeing
        result.diagnosis = either([words[it] for it in named])
        result.in_this_test = not (whole and certain[number])


def either(said: Sequence[str]) -> str:
    """Name two mistakes that can't be told apart; of more, none."""
    different = list(dict.fromkeys(said))
    return OR.join(different) if len(different) <= 2 else ""
