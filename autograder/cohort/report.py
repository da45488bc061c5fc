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

from autograder.cohort.class_folder import (
    GRADER,
    QUEUED,
    STUDENT,
    ClassFolder,
    Person,
    private_files,
)
from autograder.cohort.class_report import ClassReport, Mistake, counterparts, points_by_test
from autograder.cohort.grading import expect_one_grading, say_if_older
from autograder.cohort.html import count, render
from autograder.errors import UsageError
from autograder.feedback.report import points, write_whole
from autograder.printable import printable
from autograder.questions import is_bonus, question_of

BINS = 20  # of the distribution
MAX_TESTS = 6  # that are named beside a mistake
REASONS = {
    STUDENT: "because of the submission",
    GRADER: "the grader failed: grade it again",
    QUEUED: "not graded yet",
}


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
    say_if_older(folder, data.results.values())
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
        for one in row.people:
            name = map(harmless, report.key.get(one, Person())) if report.names else ()
            table.writerow([one, *name, row.id, report.states[row.id], *cells, row.late])
    return text.getvalue()


def harmless(text: str) -> str:
    """Return a name as a cell of one line that no spreadsheet takes for a formula.

    Nor does it take a part for one where it reads a delimiter in the name as the end of the cell.
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
                "trouble": report.problem(row),
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
        "attempts_by_day": report.days,
        "changes": [change._asdict() for change in report.changes],
    }


def plain_mistake(mistake: Mistake) -> dict[str, Any]:
    return {
        "says": mistake.text,
        "code": mistake.code,
        "tests": mistake.sorted_tests,
        "submissions": sorted(mistake.submissions),
    }


# --- the page -------------------------------------------------------------------------------------


def page(report: ClassReport) -> str:
    """Return the whole page."""
    return render(
        "report.html",
        report=report,
        facts=facts(report),
        reasons=REASONS,
        late=[row for row in report.rows.values() if row.late],
        distribution=distribution(report),
        titles={question.number: title_of(question.number) for question in report.questions},
        most_tests=MAX_TESTS,
        attempts_by_day=[
            (many, str(many), f"{day}: {count(many, 'attempt')}")
            for day, many in report.days.items()
        ],
        everybody=sorted(
            report.results, key=lambda one: (-report.scores[one], report.names_of(one))
        ),
    )


def facts(report: ClassReport) -> list[tuple[str, str]]:
    """Return the figures at the top, and what they are."""
    base = list(report.base.values())
    submissions = count(len(report.rows), "submission").partition(" ")[2]
    found = [
        (
            str(len(report.rows)),
            f"{submissions} of {count(len(report.folder.people()), 'student')}",
        ),
        (f"{mean(base):.1f}", f"points on average, of {points(report.total)}"),
        (points(median(base)), "is the median"),
        (str(sum(score >= report.total for score in base)), f"with all {points(report.total)}"),
        (str(len(report.not_graded)), "without a score"),
    ]
    if report.has_bonus:
        found.append((f"{mean(report.bonus.values()):.1f}", "bonus points on average, besides"))
    return found


def distribution(report: ClassReport) -> list[tuple[int, str, str]]:
    width = (report.total or 1) / BINS
    inside = [0] * BINS
    for score in report.base.values():
        inside[max(0, min(BINS - 1, int(score / width)))] += 1
    return [
        (many, str(many or ""), f"{points(i * width)} to {points((i + 1) * width)} points: {many}")
        for i, many in enumerate(inside)
    ]


def title_of(number: str) -> str:
    try:
        return question_of(number).title + " (bonus)" * is_bonus(number)
    except KeyError:
        return ""
