"""What the results of a class show, as data: points, figures of tests, mistakes, changes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean
from typing import Any, NamedTuple

from autograder.cohort.class_folder import (
    GRADER,
    STUDENT,
    ClassFolder,
    Person,
    Row,
    grading_of,
    identity,
    moment,
)
from autograder.feedback.messages import section_of, table
from autograder.feedback.results import Outcome, sort_key
from autograder.printable import printable
from autograder.questions import is_bonus

JUDGED = (Outcome.PASSED, Outcome.FAILED)  # the submission decided, not the grader
PLACEHOLDER = re.compile(r"\{[^{}]*\}")

Results = Mapping[str, dict[str, Any]]  # the results.json of each submission


class Item(NamedTuple):
    """One graded test: on how many submissions it was judged, and how many of them passed it."""

    number: str
    label: str
    most: float
    judged: int
    passed: int

    @property
    def share(self) -> float:
        """The share that passed."""
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


class Change(NamedTuple):
    """What another grading changed for one submission: points in all, and old and new by test."""

    submission: str
    old: float
    new: float
    tests: dict[str, tuple[float, float]]


class ClassReport:
    """The data of a class report.

    rows, states, results: of each submission, by its id; `results` of those that were graded
    scores: their points, a bonus included; base: without it; bonus: what it adds
    total:  the points there are, without a bonus
    """

    def __init__(
        self, folder: ClassFolder, names: bool = False, before: ClassFolder | None = None
    ) -> None:
        """Collect the data. Uses pseudonyms unless `names` is true."""
        self.folder, self.names, self.before = folder, names, before
        self.key = folder.key() if names else {}
        self.rows = {row.id: row for row in folder.rows}
        self.results = folder.results()
        self.states = folder.states(self.results)
        graded = self.results.items()
        self.total = max((points_of(one, "max_score", False) for _, one in graded), default=0.0)
        self.scores = {id: float(one["score"]) for id, one in graded}
        self.base = {id: points_of(one, "score", False) for id, one in graded}
        self.bonus = {id: points_of(one, "score", True) for id, one in graded}
        self.has_bonus = any(self.bonus.values())
        self.items = items(self.results)
        self.questions = questions(self.results)
        self.mistakes = mistakes(self.results)
        self.changes = self.compare(before) if before else []

    @property
    def days(self) -> dict[str, int]:
        """The number of attempts on each day, by the clock of the first attempt."""
        attempts = [attempt for row in self.rows.values() for attempt in row.history]
        made = sorted(filter(None, map(moment, attempts)))
        return Counter(when.astimezone(made[0].tzinfo).date().isoformat() for when in made)

    @property
    def not_graded(self) -> list[Row]:
        """Those without a result, the grader's failures first."""
        order = {GRADER: 0, STUDENT: 1}
        rows = [row for row in self.rows.values() if row.id not in self.results]
        return sorted(rows, key=lambda row: (order.get(self.states[row.id], 2), self.problem(row)))

    def compare(self, before: ClassFolder) -> list[Change]:
        """Return what differs from an older grading, largest change first."""
        old, changes = before.results(), []
        for one, other in counterparts(self.folder, before).items():
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

    def problem(self, row: Row) -> str:
        """Return why there is no result, or only a part of one; "" if there is all of it."""
        if row.id in self.results:
            return grading_of(self.results[row.id]).partial
        return row.problem or self.folder.failure(row.content)

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


def tests_of(results: Results) -> dict[str, dict[str, Any]]:
    """Return each test as it is in one of the results, by number."""
    found = {test["number"]: test for result in results.values() for test in result["tests"]}
    return {number: found[number] for number in sorted(found, key=sort_key)}


def items(results: Results) -> list[Item]:
    """Return the figures of all tests, by number, without those on which the grader failed."""
    outcomes: dict[str, list[str]] = {}
    for result in results.values():
        for test in result["tests"]:
            outcome = test.get("extra_data", {}).get("outcome", test["status"])
            outcomes.setdefault(test["number"], []).append(outcome)
    found = []
    for number, test in tests_of(results).items():
        passed, failed = (outcomes[number].count(one.value) for one in JUDGED)
        found.append(Item(number, test["name"], test["max_score"], passed + failed, passed))
    return found


def questions(results: Results) -> list[QuestionFigures]:
    """Return the figures of all questions, by number."""
    points = [points_by_test(result) for result in results.values()]
    of_question: dict[str, dict[str, float]] = {}
    for number, test in tests_of(results).items():
        of_question.setdefault(number.split(".")[0], {})[number] = test["max_score"]
    found = []
    for question, tests in of_question.items():
        most = sum(tests.values())
        earned = [sum(one.get(number, 0.0) for number in tests) for one in points]
        found.append(QuestionFigures(question, most, mean(earned), sum(e >= most for e in earned)))
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
