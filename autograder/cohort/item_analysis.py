"""Item analysis of the results of a class, and the mistakes that were made.

Difficulty and discrimination are those of classical test theory: the share that passed, and the
correlation of a test with the rest of the score (corrected item-rest correlation). Cronbach's alpha
measures how far the tests of a question have one thing in common (Cronbach, 1951).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from autograder.feedback.messages import section_of, table
from autograder.feedback.results import Outcome, sort_key

FEWEST = 30  # submissions that a correlation needs
ALL_BUT_FEW = 0.97  # a test that so many pass, or fail, can't tell them apart
LEAST = 0.2  # a discrimination below that is to be looked at

PLACEHOLDER = re.compile(r"\{[^{}]*\}")

Results = Mapping[str, dict[str, Any]]  # the results.json of each submission
Scores = npt.NDArray[np.float64]


class Item(NamedTuple):
    """One graded test.

    judged:         submissions on which it was judged
    passed:         so many of them passed it
    discrimination: its correlation with the rest of the score, from -1 to 1; None if undefined
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

    text:        the diagnosis, or the message without what differs between submissions
    code:        of the finding, e.g. "missed-cut/min"
    tests:       that show it
    submissions: that make it
    """

    text: str
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
    """Return whether the submission decided the outcome, not the grader."""
    outcome = test.get("extra_data", {}).get("outcome", test["status"])
    return outcome in (Outcome.PASSED.value, Outcome.FAILED.value)


def tests_of(results: Results) -> dict[str, dict[str, Any]]:
    """Return each test as it is in one of the results, by number."""
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
    """Return the correlation of a test with the rest of the score; None if undefined.

    A student who left out another question, a bonus, has no points there.
    """
    whole = scores[~np.isnan(scores[:, column])]
    item = whole[:, column]
    rest = np.nansum(whole, axis=1) - item
    passed = float((item > 0).mean()) if len(item) else 1.0
    if len(item) < FEWEST or not 1 - ALL_BUT_FEW <= passed <= ALL_BUT_FEW or np.ptp(rest) == 0:
        return None
    return float(np.corrcoef(item, rest)[0, 1])


def alpha(scores: Scores) -> float | None:
    """Return Cronbach's alpha of some tests (columns); None if undefined."""
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
    """Return known mistakes, by diagnosis, and all findings, by code; frequent ones first."""
    known: dict[str, Mistake] = {}
    found: dict[str, Mistake] = {}
    for submission, result in results.items():
        for test in result["tests"]:
            data = test.get("extra_data", {})
            if data.get("outcome") != Outcome.FAILED.value:
                continue
            code, diagnosis = data.get("code", ""), data.get("diagnosis", "")
            for mistakes, key, text in (
                (known, diagnosis, diagnosis),
                (found, code, message_of(code)),
            ):
                if key:
                    mistake = mistakes.setdefault(key, Mistake(text, code))
                    mistake.tests.add(test["number"])
                    mistake.submissions.add(submission)
    return by_frequency(known.values()), by_frequency(found.values())


def by_frequency(found: Iterable[Mistake]) -> list[Mistake]:
    return sorted(found, key=lambda one: (-len(one.submissions), one.text))


def message_of(code: str) -> str:
    """Return the message of a finding, with … for the facts, which differ between submissions."""
    try:
        message = table()[section_of(code)]["message"]
    except KeyError:  # a code of another version
        return code
    return PLACEHOLDER.sub("…", message.replace("\n", " "))
