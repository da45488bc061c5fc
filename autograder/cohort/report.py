"""`class report`: writes what the results of a class show, as one page, a table and plain data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from autograder.cohort.class_folder import (
    GRADER,
    QUEUED,
    STUDENT,
    ClassFolder,
    Person,
    private_files,
)
from autograder.cohort.class_report import ClassReport, points_by_test
from autograder.cohort.grading import say_if_older
from autograder.cohort.rendering import as_csv, render
from autograder.feedback.report import points, write_whole
from autograder.printable import printable
from autograder.questions import is_bonus, question_of

BINS = 20  # of the distribution
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
    data = ClassReport(ClassFolder(directory), names, ClassFolder(before) if before else None)
    with private_files() if names else nullcontext():
        write_whole(directory / "report.html", page(data))
        write_whole(directory / "report.csv", as_csv(rows(data)))
        write_whole(directory / "report.json", json.dumps(as_plain(data), indent=1))
    for line in summary(data):
        print(printable(line))
    say_if_older(data.folder, data.results.values())
    return 0


def summary(report: ClassReport) -> Iterator[str]:
    """Yield what is printed of a report."""
    bonus = f"; a bonus of {report.mean_bonus:.1f} on average comes on top"
    yield (
        f"{len(report.results)} of {len(report.rows)} submissions have a score: {report.mean:.1f} "
        f"of {report.total:g} on average, median {report.median:g}"
        f"{bonus if report.mean_bonus else ''}"
    )
    late = sum(bool(row.late) for row in report.rows.values())
    if late:
        verb = "was" if late == 1 else "were"
        yield f"{late} {verb} submitted late, which the report marks; no points are taken"
    if report.before is not None:
        yield f"{len(report.changes)} differ from {report.before.path}"
    yield f"the report: {report.folder.path / 'report.html'}; .csv and .json beside it"


def rows(report: ClassReport) -> Iterator[list[object]]:
    """Yield a row for each person: who it is, submission, state, score, questions, tests, late."""
    tests = [test.number for test in report.tests]
    heads = [*(f"question {question.number}" for question in report.questions), *tests]
    who = ["pseudonym", *(Person._fields if report.names else ())]
    yield [*who, "submission", "state", "score", *heads, "late"]
    for row in report.rows.values():
        cells: list[object] = [""] * (1 + len(heads))
        if row.id in report.results:
            earned = points_by_test(report.results[row.id])
            cells = [report.scores[row.id], *report.by_question(row.id)]
            cells += [earned.get(test, "") for test in tests]
        for one in row.people:
            name = report.key.get(one, Person()) if report.names else ()
            yield [one, *name, row.id, report.statuses[row.id].state, *cells, row.late]


def as_plain(report: ClassReport) -> dict[str, Any]:
    """Return everything that the page shows, as JSON takes it; submissions by id."""
    known, found = report.mistakes
    return {
        "about": report.folder.about,
        "total": report.total,
        "submissions": {
            row.id: {
                "people": [report.label(who) for who in row.people],
                "state": report.statuses[row.id].state,
                "trouble": report.statuses[row.id].problem,
                "score": report.scores.get(row.id),
                "bonus": report.bonus.get(row.id),
                "late": row.late,
            }
            for row in report.rows.values()
        },
        "questions": [question._asdict() for question in report.questions],
        "tests": [test._asdict() for test in report.tests],
        "known_mistakes": [mistake._asdict() for mistake in known],
        "messages": [mistake._asdict() for mistake in found],
        "attempts_by_day": report.days,
        "changes": [change._asdict() for change in report.changes],
    }


# --- the page -------------------------------------------------------------------------------------


def page(report: ClassReport) -> str:
    everybody = sorted(report.results, key=lambda id: (-report.scores[id], report.names_of(id)))
    return render(
        "report.html",
        report=report,
        reasons=REASONS,
        distribution=distribution(report),
        title_of=title_of,
        everybody=everybody,
    )


def distribution(report: ClassReport) -> dict[str, int]:
    """Return how many have scores in each of several intervals, by its name."""
    width = (report.total or 1) / BINS
    names = [f"{points(i * width)} to {points((i + 1) * width)} points" for i in range(BINS)]
    return dict.fromkeys(names, 0) | Counter(
        names[max(0, min(BINS - 1, int(score / width)))] for score in report.base
    )


def title_of(number: str) -> str:
    try:
        return question_of(number).title + " (bonus)" * is_bonus(number)
    except KeyError:  # a question of another version
        return ""
