"""What the results of a class show, as data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean
from typing import Any, NamedTuple

from autograder.cohort.item_analysis import (
    Item,
    Mistake,
    QuestionFigures,
    Results,
    items,
    mistakes,
    questions,
)
from autograder.cohort.ledger import (
    DONE,
    GRADER,
    STUDENT,
    Attempt,
    Ledger,
    Person,
    Submitted,
    identity,
)
from autograder.feedback.results import sort_key
from autograder.submission import printable


class Change(NamedTuple):
    """What another grading changed for one submission: points in all, and old and new by test."""

    submission: str
    old: float
    new: float
    tests: dict[str, tuple[float, float]]


class Day(NamedTuple):
    """One day: attempts that were handed in, and the mean of everybody's last score so far."""

    date: str
    attempts: int
    score: float


@dataclass
class ClassReport:
    """All that is told of a class. Everybody stands under a pseudonym, unless `names` are given."""

    ledger: Ledger
    names: bool = False
    before: Ledger | None = None
    key: dict[str, Person] = field(init=False)

    def __post_init__(self) -> None:
        self.key = self.ledger.key() if self.names else {}

    @cached_property
    def submissions(self) -> list[Submitted]:
        return self.ledger.submissions()

    @cached_property
    def owners(self) -> dict[str, list[str]]:
        """Everybody's pseudonyms, by submission."""
        return self.ledger.owners()

    @cached_property
    def results(self) -> Results:
        """What results.json says of each submission that was graded."""
        return results_in(self.ledger, self.submissions)

    @cached_property
    def total(self) -> float:
        """The points there are, without a bonus."""
        return float(self.ledger.about().get("total", 0))

    @cached_property
    def scores(self) -> dict[str, float]:
        return {one: float(result["score"]) for one, result in self.results.items()}

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
    def attempts(self) -> dict[str, list[Attempt]]:
        """The history of each submission, where the export has it."""
        found: dict[str, list[Attempt]] = {}
        for attempt in self.ledger.attempts():
            found.setdefault(attempt.submission, []).append(attempt)
        return found if any(len(history) > 1 for history in found.values()) else {}

    @cached_property
    def days(self) -> list[Day]:
        """The class from day to day."""
        by_day: dict[str, list[Attempt]] = {}
        for history in self.attempts.values():
            for attempt in history:
                by_day.setdefault(attempt.created[:10], []).append(attempt)
        last: dict[str, float] = {}
        days = []
        for date in sorted(filter(None, by_day)):
            made = sorted(by_day[date], key=lambda attempt: attempt.created)
            last |= {one.submission: one.score for one in made if one.score is not None}
            days.append(Day(date, len(made), mean(last.values()) if last else 0.0))
        return days

    @cached_property
    def not_graded(self) -> list[Submitted]:
        """Those without a result, the grader's trouble first."""
        order = {GRADER: 0, STUDENT: 1}
        rows = [one for one in self.submissions if one.id not in self.results]
        return sorted(rows, key=lambda one: (order.get(one.state, 2), one.trouble))

    @cached_property
    def changes(self) -> list[Change]:
        """What is not as in the older grading, largest change first."""
        if self.before is None:
            return []
        old = results_in(self.before, self.before.submissions())
        changes = []
        for one, other in counterparts(self.ledger, self.before).items():
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

    def label(self, pseudonym: str) -> str:
        """What somebody is called in this report."""
        person = self.key.get(pseudonym, Person())
        return printable(person.name or person.email or person.sid or pseudonym)


def results_in(ledger: Ledger, submissions: Sequence[Submitted]) -> Results:
    """Return what there is, of those that are graded."""
    found = {one.id: ledger.result(one.id) for one in submissions if one.state == DONE}
    return {one: result for one, result in found.items() if result is not None}


def counterparts(new: Ledger, old: Ledger) -> dict[str, str]:
    """Return, for each submission, that of the older grading: by its id, else by its owners."""
    known = {one.id for one in old.submissions()}
    key = old.key()
    by_owner = {
        identity(key[pseudonym]): one
        for one, pseudonyms in old.owners().items()
        for pseudonym in pseudonyms
        if pseudonym in key
    }
    key = new.key()
    found = {}
    for one, pseudonyms in new.owners().items():
        others = [by_owner.get(identity(key[who])) for who in pseudonyms if who in key]
        other = one if one in known else next(filter(None, others), None)
        if other is not None:
            found[one] = other
    return found


def points_by_test(result: Mapping[str, Any]) -> dict[str, float]:
    return {test["number"]: float(test["score"]) for test in result["tests"]}
