"""`class report`: writes what the results of a class show, as one page, a table and plain data."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from statistics import mean, median
from typing import Any

from autograder.cohort.class_report import ClassReport, counterparts, points_by_test
from autograder.cohort.item_analysis import (
    Mistake,
)
from autograder.cohort.ledger import (
    Ledger,
    Person,
    only_for_owner,
)
from autograder.cohort.report_page import page
from autograder.errors import UsageError
from autograder.feedback.report import write_whole
from autograder.feedback.results import sort_key
from autograder.submission import printable


def report(directory: Path, names: bool = False, before: Path | None = None) -> int:
    """Write report.html, report.csv and report.json; return the exit status.

    names:  people under their names, in files that only their owner can read
    before: an older grading of the same class, to be compared with

    Raises UsageError for a folder that holds no class, and for one of which nothing is graded.
    """
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
