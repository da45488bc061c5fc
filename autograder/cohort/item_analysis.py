"""Item analysis of the results of a class, and the mistakes that were made.

Difficulty and discrimination are those of classical test theory: the share that passed, and the
correlation of a test with the rest of the score (corrected item-rest correlation).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import StatisticsError, correlation, mean
from typing import Any, NamedTuple

from autograder.feedback.messages import section_of, table
from autograder.feedback.results import Outcome, sort_key

FEWEST = 30  # submissions that a correlation needs
ALL_BUT_FEW = 0.97  # a test that so many pass, or fail, can't tell them apart
LEAST = 0.2  # a discrimination below that is to be looked at

PLACEHOLDER = re.compile(r"\{[^{}]*\}")

Results = Mapping[str, dict[str, Any]]  # the results.json of each submission


class Item(NamedTuple):
    """One graded test.

    judged:         submissions on which it was judged
    passed:         so many of them passed it
    discrimination: its correlation with the rest of the score, from -1 to 1; None if undefined
    """

    number: str
    label: str
    most: float
    judged: int
    passed: int
    discrimination: float | None

    @property
    def share(self) -> float:
        """The share that passed: its difficulty, as the field calls it; the easiest has 1."""
        return self.passed / self.judged if self.judged else 0.0


class QuestionFigures(NamedTuple):
    """One question: the points, the mean of what was earned, and how many earned all."""

    number: str
    most: float
    mean: float
    full: int


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


def judged(result: Mapping[str, Any]) -> dict[str, float]:
    """Return the points of each test whose outcome the submission decided, not the grader."""
    outcomes = (Outcome.PASSED.value, Outcome.FAILED.value)
    return {
        test["number"]: float(test["score"])
        for test in result["tests"]
        if test.get("extra_data", {}).get("outcome", test["status"]) in outcomes
    }


def tests_of(results: Results) -> dict[str, dict[str, Any]]:
    """Return each test as it is in one of the results, by number."""
    found = {test["number"]: test for result in results.values() for test in result["tests"]}
    return {number: found[number] for number in sorted(found, key=sort_key)}


def items(results: Results) -> list[Item]:
    """Return the figures of all tests, by number."""
    points = [judged(result) for result in results.values()]
    found = []
    for number, test in tests_of(results).items():
        known = [one for one in points if number in one]
        scores = [one[number] for one in known]
        rests = [sum(one.values()) - one[number] for one in known]
        passed = sum(score > 0 for score in scores)
        item = Item(number, test["name"], test["max_score"], len(known), passed, None)
        found.append(item._replace(discrimination=discrimination(scores, rests)))
    return found


def discrimination(scores: list[float], rests: list[float]) -> float | None:
    """Return the correlation of a test with the rest of each score; None if undefined."""
    passed = sum(score > 0 for score in scores) / max(1, len(scores))
    if len(scores) < FEWEST or not 1 - ALL_BUT_FEW <= passed <= ALL_BUT_FEW:
        return None
    try:
        return correlation(scores, rests)
    except StatisticsError:  # all have the same rest
        return None


def questions(results: Results) -> list[QuestionFigures]:
    """Return the figures of all questions, by number."""
    tests = tests_of(results)
    found = []
    for question in dict.fromkeys(number.split(".")[0] for number in tests):
        of_question = [number for number in tests if number.split(".")[0] == question]
        most = sum(tests[number]["max_score"] for number in of_question)
        points = [judged(result) for result in results.values()]
        earned = [sum(one.get(number, 0.0) for number in of_question) for one in points]
        full = sum(one >= most for one in earned)
        found.append(QuestionFigures(question, most, mean(earned), full))
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
