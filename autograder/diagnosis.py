"""Tells a known mistake by its fingerprints: marks of all that was observed of a test's cases.

A mistake is named where a test was failed just as it fails it, and only if it agrees with the whole
table: what it fails was failed in the same way, and what it passes otherwise than the solution was
passed in that way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from autograder.results import Outcome, Result

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
    """Name the mistake in each failed test of one question, if the table leaves no doubt.

    words: says of each mistake what "This is what you would get if ..." goes on with
    """
    judged = (Outcome.PASSED, Outcome.FAILED)
    seen = {
        result.number: mark_of(result.traces)
        for result in results
        if result.outcome in judged and not result.stub and result.number in marks
    }
    failed = [r for r in results if r.outcome is Outcome.FAILED and r.number in seen]
    unseen = {result.number for result in failed if not seen[result.number]}
    if any(seen[r.number] not in marks[r.number] for r in failed if r.number not in unseen):
        return  # another mistake, or several

    def agrees(mistake: int) -> bool:
        leaves = {
            number: mark for number in seen for mark, who in marks[number].items() if mistake in who
        }
        return all(number in unseen or seen[number] == mark for number, mark in leaves.items())

    for result in failed:
        mistakes = marks[result.number].get(seen[result.number], [])
        result.diagnosis = either([words[it] for it in mistakes if agrees(it)])


def either(said: Sequence[str]) -> str:
    """Name two mistakes that can't be told apart; of more, none."""
    different = list(dict.fromkeys(said))
    return OR.join(different) if len(different) <= 2 else ""
