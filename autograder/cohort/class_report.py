"""What the results of a class show, as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
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
from autograder.cohort.item_analysis import (
    Item,
    Mistake,
    QuestionFigures,
    Results,
    items,
    mistakes,
    questions,
)
from autograder.feedback.results import sort_key
from autograder.questions import is_bonus
from autograder.submission import printable


class Change(NamedTuple):
    """What another grading changed for one submission: points in all, and old and new by test."""

    submission: str
    old: float
    new: float
    tests: dict[str, tuple[float, float]]


class Day(NamedTuple):
    """One day: attempts that were submitted, and the mean of everybody's last score so far."""

    date: str
    attempts: int
    score: float


@dataclass
class ClassReport:
    """The data of a class report. Uses pseudonyms unless `names` is true."""

    folder: ClassFolder
    names: bool = False
    before: ClassFolder | None = None

    @cached_property
    def key(self) -> dict[str, Person]:
        return self.folder.key() if self.names else {}

    @cached_property
    def rows(self) -> dict[str, Row]:
        """The submissions, by id."""
        return {row.id: row for row in self.folder.rows}

    @cached_property
    def states(self) -> dict[str, str]:
        return {row.id: self.folder.state(row) for row in self.folder.rows}

    @cached_property
    def results(self) -> Results:
        """The results.json of each submission that was graded."""
        return results_in(self.folder)

    @cached_property
    def total(self) -> float:
        """The points there are, without a bonus."""
        results = self.results.values()
        return max((points_of(result, "max_score", bonus=False) for result in results), default=0)

    @cached_property
    def scores(self) -> dict[str, float]:
        """The points of each submission, a bonus included."""
        return {one: float(result["score"]) for one, result in self.results.items()}

    @cached_property
    def base(self) -> dict[str, float]:
        """The points of each submission without a bonus."""
        return {one: points_of(result, "score", False) for one, result in self.results.items()}

    @cached_property
    def bonus(self) -> dict[str, float]:
        """The part of the points that is a bonus."""
        return {one: points_of(result, "score", True) for one, result in self.results.items()}

    @property
    def has_bonus(self) -> bool:
        return any(self.bonus.values())

    @cached_property
    def items(self) -> list[Item]:
        return items(self.results)

    @cached_property
    def questions(self) -> list[QuestionFigures]:
        return questions(self.results)

    @cached_property
    def mistakes(self) -> tuple[list[Mistake], list[Mistake]]:
        return mistakes(self.results)

    @cached_property
    def has_history(self) -> bool:
        return any(len(row.history) > 1 for row in self.rows.values())

    @cached_property
    def days(self) -> list[Day]:
        """The class from day to day, by the clock of the first attempt."""
        made = sorted(
            (when, row.id, attempt.score)
            for row in self.rows.values()
            for attempt in row.history
            if (when := moment(attempt.created))
        )
        by_day: dict[str, list[tuple[str, float | None]]] = {}
        for when, submission, score in made:
            date = when.astimezone(made[0][0].tzinfo).date().isoformat()
            by_day.setdefault(date, []).append((submission, score))
        last: dict[str, float] = {}
        days = []
        for date, attempts in by_day.items():
            last |= {submission: score for submission, score in attempts if score is not None}
            days.append(Day(date, len(attempts), mean(last.values()) if last else 0.0))
        return days if self.has_history else []

    @cached_property
    def not_graded(self) -> list[Row]:
        """Those without a result, the grader's failures first."""
        order = {GRADER: 0, STUDENT: 1}
        rows = [row for row in self.rows.values() if row.id not in self.results]
        return sorted(rows, key=lambda row: (order.get(self.states[row.id], 2), self.problem(row)))

    @cached_property
    def changes(self) -> list[Change]:
        """What differs from the older grading, largest change first."""
        if self.before is None:
            return []
        old = results_in(self.before)
        changes = []
        for one, other in counterparts(self.folder, self.before).items():
            if one in self.results and other in old:
                now, then = points_by_test(self.results[one]), points_by_test(old[other])
                both = {
                    number: (then.get(number, 0.0), now.get(number, 0.0))
                    for number in sorted({*now, *then}, key=sort_key)
                }
                tests = {number: pair for number, pair in both.items() if pair[0] != pair[1]}
                if tests:
                    scores = float(old[other]["score"]), self.scores[one]
                    changes.append(Change(one, *scores, tests))
        return sorted(changes, key=lambda change: -abs(change.new - change.old))

    def seconds(self, id: str) -> float:
        result = self.results.get(id)
        return grading_of(result).seconds if result else 0.0

    def problem(self, row: Row) -> str:
        """Return why there is no result, or only a part of one; "" if there is all of it."""
        if row.id in self.results:
            return grading_of(self.results[row.id]).partial
        return row.problem or self.folder.failure(row.content)[1]

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


def results_in(folder: ClassFolder) -> Results:
    """Return what there is, of those that are graded."""
    found = {
        row.id: folder.result(row.content) for row in folder.rows if folder.state(row) == "done"
    }
    return {one: result for one, result in found.items() if result is not None}


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
