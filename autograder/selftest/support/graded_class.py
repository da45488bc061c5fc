"""Make the folder of a class as `class grade` leaves it, from what is expected of the banks.

Nothing is graded: a wrong submission fails what banks/expected.json says, with the words that
banks/wordings.txt has for it; a stub fails everything.
"""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path

from autograder.author.bank import Entry
from autograder.author.graded_tests import graded_tests
from autograder.checks.finding import Finding
from autograder.cohort.class_folder import ClassFolder, Grading, Person, Row
from autograder.cohort.grade_one import reply_of
from autograder.feedback.results import Outcome, Report, Result
from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.support.banks import read_wrong
from autograder.selftest.support.class_factory import people
from autograder.selftest.support.findings import stub_finding
from autograder.selftest.support.golden import Expected, read_expected
from autograder.submission import Submission

BEGAN = datetime(2026, 11, 2, 9, tzinfo=timezone.utc)
ERRORS = {  # by place in the class: who could not be graded, and why
    3: "there is nothing to grade: minimax.py is not in the submission",
    7: "its process ended with status -9",
}


@cache
def expected() -> dict[str, Expected]:
    return read_expected()


@cache
def wrong_of(file: str) -> list[Entry]:
    return [entry for entry in read_wrong() if file in entry.files]


def report_of(chance: random.Random, skill: float) -> tuple[Report, dict[str, bytes]]:
    """A student's report and files: each file right, wrong in some way, or not begun."""
    report, files = Report(seconds=6 + 6 * chance.random()), {}
    for row in QUESTIONS:
        drawn, entry = chance.random() * skill, None
        folder = "starter" if drawn < 0.06 else "solution"
        files[row.file] = (ROOT / folder / row.file).read_bytes()
        if 0.06 <= drawn < 0.3:
            entry = chance.choice(wrong_of(row.file))
            files[row.file] = entry.files[row.file]
        for test in graded_tests(row.number):
            result = Result(test.number, test.label, test.points, outcome=Outcome.PASSED)
            result.seconds = chance.random() / 5
            if folder == "starter":
                result.outcome = Outcome.FAILED
                result.finding = stub_finding(f"write {row.functions[-1]}")
            elif entry and test.number in expected()[entry.name].fails:
                code = next(iter(expected()[entry.name].codes.values()))
                result.outcome = Outcome.FAILED
                result.finding = Finding(code, AnyFacts())
                result.diagnosis = entry.says
            report.results.append(result)
    return report, files


class AnyFacts(dict[str, int]):
    """Facts for any finding: each is 1."""

    def __missing__(self, name: str) -> int:
        return 1


def history(chance: random.Random) -> list[str]:
    """Return the times of up to five attempts."""
    when, count = BEGAN + timedelta(hours=chance.randrange(120)), chance.randrange(1, 6)
    attempts = []
    for _ in range(count):
        attempts.append(when.isoformat())
        when += timedelta(hours=chance.randrange(1, 30))
    return attempts


def write_graded_class(path: Path, students: int, seed: int = 1) -> None:
    """Make the folder; the two last students of a class of ten or more are a group."""
    chance = random.Random(seed)
    folder = ClassFolder.make(path)
    who = [
        Person(one[":name"], one.get(":sid", ""), one[":email"])
        for one in people(students, random.Random(0))
    ]
    pseudonyms = folder.pseudonyms(who)
    groups = [[one] for one in who]
    if students >= 10:
        groups[-2:] = [groups[-2] + groups[-1]]
    rows = []
    for place, group in enumerate(groups):
        id, content = f"{330_000_000 + place}", f"{330_000_000 + place}-{seed}"
        report, files = report_of(chance, 0.3 + 1.7 * chance.random())
        error = ERRORS.get(place, "") if students >= 10 else ""
        attempts = history(chance)
        row = Row(
            id,
            content,
            people=[pseudonyms[person] for person in group],
            problem=error if place == 3 else "",
            created=attempts[-1],
            late="26:00:00" if place == 5 else "",
            history=attempts,
        )
        rows.append(row)
        if not row.problem:
            folder.store_submission(content, Submission(files))
        if error:
            folder.store_failure(content, error)
        else:
            grading = Grading("grader", "points")
            folder.store_result(content, reply_of(report).files, grading)
    folder.update(rows, assignment="assignment_4711_export", when=BEGAN.isoformat())
