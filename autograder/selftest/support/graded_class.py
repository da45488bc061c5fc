"""Make the folder of a class as `class grade` leaves it, though nothing is graded.

A small class has the results that a test gives it. A large one is made of the banks: a wrong
submission fails what banks/expected.json says, with the words that banks/wordings.txt has for it;
a stub fails everything.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import Any

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


def results_json(points: dict[str, float], most: float = 1.0, **extra: Any) -> dict[str, Any]:
    """A results.json with tests of these points, out of `most` each."""
    return {
        "score": sum(points.values()),
        "tests": [
            {
                "name": f"test {number}",
                "number": number,
                "score": score,
                "max_score": most,
                "status": "passed" if score else "failed",
                "output": "wrong",
                "extra_data": {
                    "outcome": "passed" if score else "failed",
                    "code": "",
                    "diagnosis": "",
                    **extra,
                },
            }
            for number, score in points.items()
        ],
    }


def write_small_class(
    path: Path,
    groups: Sequence[Sequence[Person]],
    files: Sequence[dict[str, bytes]] = (),
    results: Sequence[dict[str, Any] | None] = (),
    first_id: int = 0,
    **fields: Any,
) -> Path:
    """Make the folder of a class whose submissions have the ids `first_id`, ...

    groups:  the people of each submission
    results: a results.json each; None for one that can't be graded
    fields:  of all rows
    """
    folder = ClassFolder.make(path)
    pseudonyms = folder.pseudonyms(person for group in groups for person in group)
    rows = [
        Row(f"{id}", f"{id}", [pseudonyms[person] for person in group], **fields)
        for id, group in enumerate(groups, first_id)
    ]
    for row, of_row in zip(rows, files):
        folder.store_submission(row.content, Submission(of_row))
    for i, result in enumerate(results):
        if result is None:
            rows[i] = replace(rows[i], problem="it is empty")
        else:
            made = {".json": json.dumps(result), ".html": "<p>"}
            folder.store_result(rows[i].content, made, Grading("grader", "points"))
    folder.update(rows, assignment="<b>an & assignment</b>", when="2026-11-02T09:00")
    return path


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
            late="yes" if place == 5 else "",
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
