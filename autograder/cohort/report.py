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

from autograder.cohort.class_folder import ClassFolder, Person, private_files
from autograder.cohort.class_report import ClassReport, counterparts, points_by_test
from autograder.cohort.grading import expect_one_grading
from autograder.cohort.item_analysis import Mistake
from autograder.cohort.report_page import page
from autograder.errors import UsageError
from autograder.feedback.report import write_whole
from autograder.submission import printable


def report(directory: Path, names: bool = False, before: Path | None = None) -> int:
    """Write report.html, report.csv and report.json; return the exit status.

    names:  people under their names, in files that only their owner can read
    before: an older grading of the same class, to be compared with

    Raises UsageError for a folder that holds no class, and for one of which nothing is graded.
    """
    folder, older = ClassFolder(directory), ClassFolder(before) if before else None
    data = ClassReport(folder, names, older)
    if not data.results:
        raise UsageError(f"nothing is graded in {directory} yet: `class grade` first")
    for one in filter(None, (folder, older)):
        expect_one_grading(one)
    if older and not counterparts(folder, older):
        raise UsageError(f"{before} holds another class: nobody of {directory} is in it")
    with private_files() if names else nullcontext():
        write_whole(directory / "report.html", page(data))
        write_whole(directory / "report.csv", as_csv(data))
        write_whole(directory / "report.json", json.dumps(as_plain(data), indent=1))
    for line in summary(data):
        print(printable(line))
    return 0


def summary(report: ClassReport) -> Iterator[str]:
    """Return what is printed of a report."""
    bases, bonus = list(report.base.values()), mean(report.bonus.values())
    yield (
        f"{len(bases)} of {len(report.rows)} submissions have a score: {mean(bases):.1f} of "
        f"{report.total:g} on average, median {median(bases):g}"
        + (f"; a bonus of {bonus:.1f} on average comes on top" if bonus else "")
    )
    late = sum(bool(row.late) for row in report.rows.values())
    if late:
        verb = "was" if late == 1 else "were"
        yield f"{late} {verb} submitted late, which the report marks; no points are taken"
    if report.before is not None:
        yield f"{len(report.changes)} differ from {report.before.path}"
    yield f"the report: {report.folder.path / 'report.html'}; .csv and .json beside it"


def as_csv(report: ClassReport) -> str:
    """Return a row for each person: who it is, submission, state, score, questions, tests, late."""
    tests = [item.number for item in report.items]
    who = ["pseudonym", *(Person._fields if report.names else ())]
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    heads = [f"question {question.number}" for question in report.questions]
    table.writerow([*who, "submission", "state", "score", *heads, *tests, "late"])
    for row in report.rows.values():
        cells: list[Any] = [""] * (1 + len(heads) + len(tests))
        if row.id in report.results:
            by_test = points_by_test(report.results[row.id])
            cells = [report.scores[row.id], *report.by_question(row.id)]
            cells += [by_test.get(test, "") for test in tests]
        for pseudonym in row.people:
            person = [harmless(part) for part in report.key.get(pseudonym, Person())]
            names = person if report.names else []
            state = report.states[row.id]
            table.writerow([pseudonym, *names, row.id, state, *cells, row.late])
    return text.getvalue()


def harmless(text: str) -> str:
    """A name as a cell of one line that no spreadsheet takes for a formula.

    Nor a part of it, where a spreadsheet takes a mark in it for the end of the cell.
    """
    parts = re.split("([;,|])", printable(" ".join(text.split())))
    return "".join(f"'{part}" if is_formula(part) else part for part in parts)


def is_formula(text: str) -> bool:
    return unicodedata.normalize("NFKC", text.lstrip(" \"'")[:1]) in ("=", "+", "-", "@")


def as_plain(report: ClassReport) -> dict[str, Any]:
    """Return everything that the page shows, as JSON takes it; submissions by id."""
    known, found = report.mistakes
    return {
        "about": report.folder.about,
        "total": report.total,
        "submissions": {
            row.id: {
                "people": [report.label(who) for who in row.people],
                "state": report.states[row.id],
                "trouble": report.trouble(row),
                "seconds": report.seconds(row.id),
                "score": report.scores.get(row.id),
                "bonus": report.bonus.get(row.id),
                "late": row.late,
            }
            for row in report.rows.values()
        },
        "questions": [question._asdict() for question in report.questions],
        "tests": [{**item._asdict(), "share": item.share} for item in report.items],
        "known_mistakes": [plain_mistake(mistake) for mistake in known],
        "messages": [plain_mistake(mistake) for mistake in found],
        "days": [day._asdict() for day in report.days],
        "changes": [change._asdict() for change in report.changes],
    }


def plain_mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "says": mistake.says,
        "code": mistake.code,
        "tests": mistake.sorted_tests,
        "submissions": sorted(mistake.submissions),
    }
