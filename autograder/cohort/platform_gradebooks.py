"""Points in the forms that PrairieLearn and Autolab read back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from autograder.author.graded_tests import sum_points
from autograder.cohort.class_folder import Person
from autograder.cohort.report import ClassReport
from autograder.errors import UsageError
from autograder.printable import sanitize

if TYPE_CHECKING:
    from autograder.cohort.publish import Sheet

COLUMNS = ("uid", "qid", "submission_id", "score_perc")


def fill_in_prairielearn(
    sheet: Sheet, people: Mapping[str, Person], scores: Mapping[str, float]
) -> list[str]:
    """Fill in score_perc in *_submissions_for_manual_grading.csv; return remarks.

    A per cent is of the larger maximum, with the bonus: see formats/points.py. Raises UsageError if
    the sheet is another one.
    """
    columns = {name: sheet.find_column(name) for name in COLUMNS}
    if missing := [name for name, place in columns.items() if place is None]:
        raise UsageError(f"PrairieLearn's file has a column {missing[0]}")
    places = range(1, len(sheet.rows))
    questions = sorted({sheet.read_cell(row, "qid") for row in places})
    if len(questions) != 1:
        found = sanitize(", ".join(questions)) or "none"
        raise UsageError(f"leave only the rows of this question; there is {found}")
    most = sum_points() + sum_points(bonus=True)
    rows: dict[str, list[int]] = {}
    for row in places:
        rows.setdefault(sheet.read_cell(row, "uid").lower(), []).append(row)
    remarks, filled = [], set()
    for pseudonym, score in scores.items():
        person = people[pseudonym]
        found_rows = rows.get(person.email.lower(), []) if person.email else []
        if len(found_rows) == 1 and found_rows[0] not in filled:
            filled.add(found_rows[0])
            place = columns["score_perc"] or 0
            sheet.write_at(found_rows[0], place, f"{100 * score / most:.6g}")
        else:
            remarks.append(f"{person.name}, {person.email}: no one row has their uid")
    return [f"{len(filled)} of {len(places)} rows are filled in", *remarks]


def make_autolab_rows(
    report: ClassReport, people: Mapping[str, Person], scores: Mapping[str, float]
) -> tuple[str, list[str]]:
    """Return Autolab's file for a bulk grade: mail address and points by problem; and remarks."""
    text, remarks = io.StringIO(newline=""), []
    writer = csv.writer(text, lineterminator="\n")
    for id in report.scores:
        for pseudonym in filter(scores.__contains__, report.rows[id].people):
            person = people[pseudonym]
            if person.email[:1].isalnum():  # a cell is no formula
                points = [f"{points:.10g}" for points in report.list_question_points(id)]
                writer.writerow([person.email, *points])
            else:
                remarks.append(f"{person.name}: no mail address is known, so there is no row")
    return text.getvalue(), remarks
