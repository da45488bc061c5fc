"""`class report`: what the results of a class show, as one page, a table and plain data."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from statistics import mean, median
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
    only_for_owner,
)
from autograder.errors import UsageError
from autograder.feedback.report import write_whole
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


# --- the command, and what it writes --------------------------------------------------------------


def report(directory: Path, names: bool = False, before: Path | None = None) -> int:
    """Write report.html, report.csv and report.json; return the exit status.

    names:  people under their names, in files that only their owner can read
    before: an older grading of the same class, to be compared with

    Raises UsageError for a folder that holds no class, and for one of which nothing is graded.
    """
    from autograder.cohort.report_page import page

    with Ledger(directory) as ledger, Ledger(before) if before else nullcontext() as older:
        told = ClassReport(ledger, names, older)
        if not told.results:
            raise UsageError(f"nothing is graded in {directory} yet: `class grade` first")
        if older and not counterparts(ledger, older):
            raise UsageError(f"{before} holds another class: nobody of {directory} is in it")
        with only_for_owner() if names else nullcontext():
            write_whole(directory / "report.html", page(told))
            write_whole(directory / "report.csv", as_csv(told))
            write_whole(directory / "report.json", json.dumps(as_plain(told), indent=1))
        for line in summary(told):
            print(printable(line))
    return 0


def summary(told: ClassReport) -> Iterator[str]:
    """What is printed of a report."""
    scores = list(told.scores.values())
    yield (
        f"{len(scores)} of {len(told.submissions)} submissions have a score: "
        f"{mean(scores):.1f} of {told.total:g} on average, median {median(scores):g}"
    )
    if told.before is not None:
        yield f"{len(told.changes)} are not as in {told.before.folder}"
    yield f"the report: {told.ledger.folder / 'report.html'}; .csv and .json beside it"


def as_csv(told: ClassReport) -> str:
    """One row for each person: pseudonym or name, submission, state, score, questions, tests."""
    tests = [item.number for item in told.items]
    asked = [question.number for question in told.questions]
    who = ["pseudonym", *(Person._fields if told.names else ())]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    heads = [f"question {number}" for number in asked]
    table.writerow([*who, "submission", "state", "score", *heads, *tests])
    for one in told.submissions:
        result = told.results.get(one.id)
        by_test = points_by_test(result) if result else {}
        sums = [
            sum(points for test, points in by_test.items() if test.split(".")[0] == number)
            for number in asked
        ]
        cells = [told.scores.get(one.id, ""), *sums, *(by_test.get(test, "") for test in tests)]
        for pseudonym in told.owners[one.id]:
            person = [harmless(part) for part in told.key.get(pseudonym, Person())]
            row = [pseudonym, *(person if told.names else ()), one.id, one.state]
            table.writerow(row + (cells if result else [""] * len(cells)))
    return text.getvalue()


def harmless(text: str) -> str:
    """A name as a cell of one line that no spreadsheet takes for a formula.

    Nor a part of it, where a spreadsheet takes a mark in it for the end of the cell.
    """
    parts = re.split("([;,|])", printable(" ".join(text.split())))
    return "".join(f"'{part}" if is_formula(part) else part for part in parts)


def is_formula(text: str) -> bool:
    return unicodedata.normalize("NFKC", text.lstrip(" \"'")[:1]) in ("=", "+", "-", "@")


def as_plain(told: ClassReport) -> dict[str, Any]:
    """Everything that the page tells, as JSON takes it; submissions by id."""
    known, found = told.mistakes
    return {
        "about": told.ledger.about(),
        "total": told.total,
        "submissions": {
            one.id: {
                "people": [told.label(who) for who in told.owners[one.id]],
                "state": one.state,
                "trouble": one.trouble,
                "seconds": one.seconds,
                "score": told.scores.get(one.id),
            }
            for one in told.submissions
        },
        "questions": [question._asdict() for question in told.questions],
        "tests": [{**item._asdict(), "share": item.share} for item in told.items],
        "known_mistakes": [plain_mistake(mistake) for mistake in known],
        "messages": [plain_mistake(mistake) for mistake in found],
        "days": [day._asdict() for day in told.days],
        "changes": [change._asdict() for change in told.changes],
    }


def plain_mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "says": mistake.says,
        "code": mistake.code,
        "tests": sorted(mistake.tests, key=sort_key),
        "submissions": sorted(mistake.submissions),
    }
