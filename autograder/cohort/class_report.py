"""What the results of a class show, as data: points, figures of tests, mistakes, changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from statistics import mean, median
from typing import Any, NamedTuple

from autograder.cohort.class_folder import (
    GRADER,
    QUEUED,
    STUDENT,
    ClassFolder,
    Person,
    identity,
    moment,
)
from autograder.cohort.grading import consistent_results
from autograder.errors import UsageError
from autograder.feedback.messages import section_of, table
from autograder.feedback.results import Outcome, sort_key
from autograder.printable import printable
from autograder.questions import is_bonus

JUDGED = (Outcome.PASSED, Outcome.FAILED)  # the submission decided, not the grader
PLACEHOLDER = re.compile(r"\{[^{}]*\}")

Results = Mapping[str, dict[str, Any]]  # the results.json of each submission


class TestFigures(NamedTuple):
    """One test: on how many submissions it was judged, how many and which share of them passed."""

    number: str
    label: str
    most: float
    judged: int
    passed: int
    share: float


class QuestionFigures(NamedTuple):
    """One question: the points, the mean of what was earned, and how many earned all."""

    number: str
    most: float
    mean: float
    full: int


class Mistake(NamedTuple):
    """What several submissions do wrong in the same way.

    says:        the diagnosis, or the message without what differs between submissions
    code:        of the finding, e.g. "missed-cut/min"
    tests:       that show it
    submissions: that make it
    """

    says: str
    code: str
    tests: list[str]
    submissions: list[str]


class Change(NamedTuple):
    """What another grading changed for one submission: points in all, and old and new by test."""

    submission: str
    old: float
    new: float
    tests: dict[str, tuple[float, float]]


class ClassReport:
    """The data of a class report.

    rows, statuses, results: of each submission, by its id; `results` of those that are graded
    scores: their points, a bonus included; base: without it; bonus: what it adds
    total:  the points there are, without a bonus
    mistakes: known ones, by diagnosis, and all findings, by code
    """

    def __init__(
        self, folder: ClassFolder, names: bool = False, before: ClassFolder | None = None
    ) -> None:
        """Collect the data. Uses pseudonyms unless `names` is true.

        before: an older grading of the same class, to be compared with

        Raises UsageError where there is nothing to report, or nothing to compare.
        """
        self.folder, self.names, self.before = folder, names, before
        self.key = folder.key() if names else {}
        self.rows = {row.id: row for row in folder.rows}
        self.results = consistent_results(folder)
        self.statuses = folder.statuses()
        graded = self.results.items()
        self.total = max(points_of(one, "max_score", False) for _, one in graded)
        self.scores = {id: float(one["score"]) for id, one in graded}
        self.base = [points_of(one, "score", False) for _, one in graded]
        self.bonus = {id: points_of(one, "score", True) for id, one in graded}
        self.mean, self.median = mean(self.base), median(self.base)
        self.mean_bonus = mean(self.bonus.values())
        self.tests = list(figures_of_tests(self.results))
        self.questions = list(figures_of_questions(self.results))
        self.mistakes = mistakes(self.results, "diagnosis"), mistakes(self.results, "code")
        self.changes = self.compare(before) if before else []

    @property
    def days(self) -> dict[str, int]:
        """The number of attempts on each day, by the clock of the first attempt."""
        attempts = [attempt for row in self.rows.values() for attempt in row.history]
        made = sorted(filter(None, map(moment, attempts)))
        return Counter(when.astimezone(made[0].tzinfo).date().isoformat() for when in made)

    @property
    def not_graded(self) -> list[str]:
        """The ids of those without a result, the grader's failures first."""
        states = (GRADER, STUDENT, QUEUED)
        found = {id: one for id, one in self.statuses.items() if id not in self.results}
        return sorted(found, key=lambda id: (states.index(found[id].state), found[id].problem))

    def compare(self, before: ClassFolder) -> list[Change]:
        """Return what differs from an older grading, largest change first."""
        old, changes = consistent_results(before), []
        pairs = counterparts(self.folder, before)
        if not pairs:
            here = self.folder.path
            raise UsageError(f"{before.path} holds another class: nobody of {here} is in it")
        for one, other in pairs.items():
            if one in self.results and other in old:
                now, then = points_by_test(self.results[one]), points_by_test(old[other])
                tests = {
                    number: (then.get(number, 0.0), now.get(number, 0.0))
                    for number in sorted({*now, *then}, key=sort_key)
                    if then.get(number, 0.0) != now.get(number, 0.0)
                }
                if tests:
                    changes.append(Change(one, float(old[other]["score"]), self.scores[one], tests))
        return sorted(changes, key=lambda change: -abs(change.new - change.old))

    def label(self, pseudonym: str) -> str:
        """Return what a person is called in this report."""
        person = self.key.get(pseudonym, Person())
        return printable(person.name or person.email or person.sid or pseudonym)

    def names_of(self, id: str) -> str:
        """Return what the people of a submission are called in this report."""
        return " + ".join(map(self.label, self.rows[id].people))

    def sorted_by_name(self, submissions: Iterable[str]) -> list[str]:
        return sorted(submissions, key=self.names_of)

    def by_question(self, id: str) -> list[float]:
        """Return the points of a submission in each question."""
        sums = {question.number: 0.0 for question in self.questions}
        for test, points in points_by_test(self.results[id]).items():
            sums[test.split(".")[0]] += points
        return list(sums.values())


def counterparts(new: ClassFolder, old: ClassFolder) -> dict[str, str]:
    """Return, for each submission, that of the older grading: by its id, else by its people."""
    known = {row.id for row in old.rows}
    key = old.key()
    by_owner = {identity(key[who]): row.id for row in old.rows for who in row.people if who in key}
    key = new.key()
    found = {}
    for row in new.rows:
        others = [by_owner.get(identity(key[who])) for who in row.people if who in key]
        other = row.id if row.id in known else next(filter(None, others), None)
        if other is not None:
            found[row.id] = other
    return found


def points_by_test(result: Mapping[str, Any]) -> dict[str, float]:
    return {test["number"]: float(test["score"]) for test in result["tests"]}


def points_of(result: Mapping[str, Any], what: str, bonus: bool) -> float:
    """Add up a result's points ("score") or most points ("max_score"), of bonus tests or others."""
    return sum(float(t[what]) for t in result["tests"] if is_bonus(t["number"]) == bonus)


# --- figures of tests and questions ---------------------------------------------------------------


def by_test(results: Results) -> dict[str, list[dict[str, Any]]]:
    """Return what the results say of each test, by number."""
    found: dict[str, list[dict[str, Any]]] = {}
    for result in results.values():
        for test in result["tests"]:
            found.setdefault(test["number"], []).append(test)
    return {number: found[number] for number in sorted(found, key=sort_key)}


def figures_of_tests(results: Results) -> Iterator[TestFigures]:
    """Yield the figures of all tests, by number; gradings that failed do not count."""
    for number, tests in by_test(results).items():
        outcomes = [t.get("extra_data", {}).get("outcome", t["status"]) for t in tests]
        passed, failed = (outcomes.count(one.value) for one in JUDGED)
        share = passed / (passed + failed) if passed + failed else 0.0
        last = tests[-1]
        yield TestFigures(number, last["name"], last["max_score"], passed + failed, passed, share)


def figures_of_questions(results: Results) -> Iterator[QuestionFigures]:
    """Yield the figures of all questions, by number."""
    tests = {number: tests[-1]["max_score"] for number, tests in by_test(results).items()}
    points = [points_by_test(result) for result in results.values()]
    for question in dict.fromkeys(number.split(".")[0] for number in tests):
        numbers = [number for number in tests if number.split(".")[0] == question]
        most = sum(tests[number] for number in numbers)
        earned = [sum(one.get(number, 0.0) for number in numbers) for one in points]
        yield QuestionFigures(question, most, mean(earned), sum(e >= most for e in earned))


# --- mistakes -------------------------------------------------------------------------------------


def mistakes(results: Results, kind: str) -> list[Mistake]:
    """Return the mistakes with the same "diagnosis" or "code"; frequent ones first."""
    found: dict[str, tuple[str, set[str], set[str]]] = {}
    for submission, result in results.items():
        for test in result["tests"]:
            data = test.get("extra_data", {})
            if data.get("outcome") == Outcome.FAILED.value and data.get(kind):
                one = found.setdefault(data[kind], (data.get("code", ""), set(), set()))
                one[1].add(test["number"])
                one[2].add(submission)
    made = [
        Mistake(
            message_of(text) if kind == "code" else text,
            code,
            sorted(tests, key=sort_key),
            sorted(submissions),
        )
        for text, (code, tests, submissions) in found.items()
    ]
    return sorted(made, key=lambda one: (-len(one.submissions), one.says))


def message_of(code: str) -> str:
    """Return the message of a finding, with … for the facts, which differ between submissions."""
    try:
        message = table()[section_of(code)]["message"]
    except KeyError:  # a code of another version
        return code
    return PLACEHOLDER.sub("…", message.replace("\n", " "))
