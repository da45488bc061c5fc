"""What the results of a class show: item analysis, and which mistakes were made.

Difficulty and discrimination are those of classical test theory: the share that passed, and the
correlation of a test with the rest of the score (corrected item-rest correlation). Cronbach's alpha
says how far the tests of a question measure one thing (Cronbach, 1951).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from autograder.feedback.results import Outcome, sort_key

FEWEST = 30  # submissions that a correlation needs
ALL_BUT_FEW = 0.97  # a test that so many pass, or fail, can't tell them apart
LEAST = 0.2  # a discrimination below that is to be looked at

Results = Mapping[str, dict[str, Any]]  # what results.json says, by submission
Scores = npt.NDArray[np.float64]


class Item(NamedTuple):
    """One graded test.

    judged:         submissions on which it was judged
    passed:         so many of them passed it
    discrimination: how it goes with the rest of the score, -1 to 1; None where that can't be told
    seconds:        on average, and the longest
    """

    number: str
    label: str
    most: float
    judged: int
    passed: int
    discrimination: float | None
    seconds: tuple[float, float]

    @property
    def share(self) -> float:
        """The share that passed: its difficulty, as the field calls it; the easiest has 1."""
        return self.passed / self.judged if self.judged else 0.0


class QuestionFigures(NamedTuple):
    """One question: the points, the mean of what was earned, how many earned all, and alpha."""

    number: str
    most: float
    mean: float
    full: int
    alpha: float | None


@dataclass
class Mistake:
    """What several submissions do wrong in the same way.

    says:        the diagnosis, or the message without what differs from one to another
    code:        of the finding, e.g. "missed-cut/min"
    tests:       that show it
    submissions: that make it
    """

    says: str
    code: str
    tests: set[str] = field(default_factory=set)
    submissions: set[str] = field(default_factory=set)

    @property
    def is_single(self) -> bool:
        return len(self.submissions) == 1

    @property
    def sorted_tests(self) -> list[str]:
        return sorted(self.tests, key=sort_key)


def matrix(results: Results, numbers: Sequence[str]) -> Scores:
    """Return the points, a row for each submission, a column for each test; NaN: not judged."""
    table = np.full((len(results), len(numbers)), np.nan)
    column = {number: i for i, number in enumerate(numbers)}
    for row, result in enumerate(results.values()):
        for test in result["tests"]:
            if judged(test):
                table[row, column[test["number"]]] = test["score"]
    return table


def judged(test: dict[str, Any]) -> bool:
    """Was it the submission that decided?"""
    outcome = test.get("extra_data", {}).get("outcome", test["status"])
    return outcome in (Outcome.PASSED.value, Outcome.FAILED.value)


def tests_of(results: Results) -> dict[str, dict[str, Any]]:
    """Return each test as one of the results tells it, by number."""
    found = {test["number"]: test for result in results.values() for test in result["tests"]}
    return {number: found[number] for number in sorted(found, key=sort_key)}


def items(results: Results) -> list[Item]:
    """Return the figures of all tests, by number."""
    tests = tests_of(results)
    scores = matrix(results, list(tests))
    found = []
    for column, (number, test) in enumerate(tests.items()):
        seconds = [
            one["extra_data"]["seconds"]
            for result in results.values()
            for one in result["tests"]
            if one["number"] == number and "seconds" in one.get("extra_data", {})
        ] or [0.0]
        known = scores[:, column][~np.isnan(scores[:, column])]
        found.append(
            Item(
                number,
                test["name"],
                test["max_score"],
                len(known),
                int((known > 0).sum()),
                discrimination(scores, column),
                (float(np.mean(seconds)), max(seconds)),
            )
        )
    return found


def discrimination(scores: Scores, column: int) -> float | None:
    """Return the correlation of a test with the rest of the score; None where it says nothing.

    Who did without another question, a bonus, has no points there.
    """
    whole = scores[~np.isnan(scores[:, column])]
    item = whole[:, column]
    rest = np.nansum(whole, axis=1) - item
    passed = float((item > 0).mean()) if len(item) else 1.0
    if len(item) < FEWEST or not 1 - ALL_BUT_FEW <= passed <= ALL_BUT_FEW or np.ptp(rest) == 0:
        return None
    return float(np.corrcoef(item, rest)[0, 1])


def alpha(scores: Scores) -> float | None:
    """Return Cronbach's alpha of some tests (columns); None where it says nothing."""
    whole = scores[~np.isnan(scores).any(axis=1)]
    count = whole.shape[1]
    if len(whole) < FEWEST or count < 2 or np.ptp(whole.sum(axis=1)) == 0:
        return None
    single, total = whole.var(axis=0, ddof=1).sum(), whole.sum(axis=1).var(ddof=1)
    return float(count / (count - 1) * (1 - single / total))


def questions(results: Results) -> list[QuestionFigures]:
    """Return the figures of all questions, by number."""
    tests = tests_of(results)
    scores = matrix(results, list(tests))
    found = []
    for question in dict.fromkeys(number.split(".")[0] for number in tests):
        columns = [i for i, number in enumerate(tests) if number.split(".")[0] == question]
        most = sum(test["max_score"] for i, test in enumerate(tests.values()) if i in columns)
        part = scores[:, columns]
        earned = np.nansum(part, axis=1)
        full = int((earned >= most).sum())
        mean = float(earned.mean()) if len(earned) else 0.0
        found.append(QuestionFigures(question, most, mean, full, alpha(part)))
    return found


# --- mistakes -------------------------------------------------------------------------------------


def mistakes(results: Results) -> tuple[list[Mistake], list[Mistake]]:
    """Return known mistakes, by diagnosis, and all findings, by message; frequent ones first."""
    known: dict[tuple[str, str], Mistake] = {}
    found: dict[tuple[str, str], Mistake] = {}
    for submission, result in results.items():
        for test in result["tests"]:
            data = test.get("extra_data", {})
            if data.get("outcome") != Outcome.FAILED.value:
                continue
            code = data.get("code", "")
            for table, says in ((known, data.get("diagnosis", "")), (found, message(test))):
                if says:
                    # One diagnosis may be made by several findings.
                    key = (says, "" if table is known else code)
                    mistake = table.setdefault(key, Mistake(says, code))
                    mistake.tests.add(test["number"])
                    mistake.submissions.add(submission)
    return by_frequency(known), by_frequency(found)


def by_frequency(found: Mapping[Any, Mistake]) -> list[Mistake]:
    return sorted(found.values(), key=lambda one: (-len(one.submissions), one.says))


# What differs from one submission to another: the order of a search, what is quoted, places in a
# tree, numbers; and what stands in its place.
DIFFERING = (
    (r" \(#\d+\)", ""),
    (r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"", "…"),
    (r"(?<![\w/])[a-z]\d?(?:/[a-z]\d?)+(?![\w/])", "…"),
    (r"\b(at|below|node|position|under) [a-z]\d?\b", r"\1 …"),
    (r"[-+]?\b\d[\d,.]*(?:e[-+]?\d+)?\b", "…"),
    (r"\(…(?:, …)*\)|…(?:, …)+", "…"),
)


def message(test: dict[str, Any]) -> str:
    """Return what a failed test says, without what differs from one submission to another."""
    data = test.get("extra_data", {})
    text: str = data.get("what") or (test.get("output", "").splitlines() or [""])[0]
    for pattern, instead in DIFFERING:
        text = re.sub(pattern, instead, text)
    return text
