"""`class publish`: the points, in the file that Canvas or Moodle takes them from, or as plain CSV.

The instructor's own file is filled in. A row is somebody's by its id, or else by its mail address;
what does not match, or not for certain, is left as it is and listed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from autograder.cohort.class_folder import ClassFolder, Person, private_files
from autograder.cohort.class_report import ClassReport
from autograder.cohort.csv_cells import BadSheet, Sheet
from autograder.cohort.grading import expect_one_grading
from autograder.cohort.report import harmless
from autograder.errors import UsageError
from autograder.feedback.report import points, write_whole
from autograder.submission import printable


class Form(NamedTuple):
    """The columns of a file that is filled in, by their headings.

    ids, emails: that tell whose row it is
    over:        may a grade be larger than the maximum?
    """

    ids: tuple[str, ...]
    emails: tuple[str, ...]
    over: bool


FORMS = {
    "canvas": Form(("ID", "SIS User ID", "SIS Login ID"), ("SIS Login ID", "Email"), over=True),
    "moodle": Form(("Identifier", "ID number"), ("Email address",), over=False),
}
CANVAS_FIXED = (
    "Student",
    "ID",
    "SIS User ID",
    "SIS Login ID",
    "Integration ID",
    "Root Account",
    "Email",
    "Section",
    "Notes",
)
COMMA = re.compile(r"-?\d+,\d+")
POINT = re.compile(r"-?\d+\.\d+")


class Gradebook(NamedTuple):
    """A template that was understood.

    rows:    those of students
    column:  where the grade goes
    maximum: how many points there are, as the template writes it, "" if it does not
    """

    table: Sheet
    form: Form
    rows: list[int]
    column: int
    maximum: str


def publish(directory: Path, to: str, template: Path | None = None) -> int:
    """Write DIR/grades.csv, or the template filled in, for its owner only; return the exit status.

    to: "csv", "canvas" or "moodle"; the last two need a template

    Raises UsageError when it can't be done, and then nothing is written.
    """
    if (to == "csv") != (template is None):
        raise UsageError(
            "plain CSV needs no template: name --to canvas or --to moodle"
            if template
            else f"--to {to} fills in your own file: name it with --template FILE"
        )
    folder = ClassFolder(directory)
    report = ClassReport(folder, names=True)
    if not report.key:
        raise UsageError(f"{directory}/key.json is not there: without it nobody has a name")
    if not report.results:
        raise UsageError(f"nothing is graded in {directory} yet: `class grade` first")
    expect_one_grading(folder)
    scores = scores_of(report)
    if unknown := folder.people().keys() - report.key.keys():
        raise UsageError(
            f"{directory}/key.json lacks {min(unknown)}: it is older than what is graded there"
        )
    people = {who: person for who, person in report.key.items() if who in folder.people()}
    said = [f"{in_full(person)}: no score" for who, person in people.items() if who not in scores]
    if template is None:
        file, content = directory / "grades.csv", plain_csv(report).encode()
    else:
        book = read_template(template, to, report.total)
        said = fill_in(book, people, scores) + said
        file, content = directory / f"{to}.csv", book.table.content()
    with private_files():
        write_whole(file, content)
    for line in [*said, f"written: {file}"]:
        print(printable(line))
    return 0


def scores_of(report: ClassReport) -> dict[str, float]:
    """Return everybody's points; the best, if several submissions are theirs."""
    scores: dict[str, float] = {}
    for one, score in report.scores.items():
        for pseudonym in report.rows[one].people:
            scores[pseudonym] = max(score, scores.get(pseudonym, 0.0))
    return scores


def plain_csv(report: ClassReport) -> str:
    """One row for each person, with the points of each question."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    asked = [question.number for question in report.questions]
    heads = [f"question {number}" for number in asked]
    table.writerow([*Person._fields, "submission", "score", "of", *heads])
    for one, result in report.results.items():
        for pseudonym in report.rows[one].people:
            sums = dict.fromkeys(asked, 0.0)
            for test in result["tests"]:
                sums[test["number"].split(".")[0]] += test["score"]
            person = [harmless(part) for part in report.key.get(pseudonym, Person(pseudonym))]
            score = points(report.scores[one])
            table.writerow([*person, one, score, points(report.total), *map(points, sums.values())])
    return text.getvalue()


# --- the template ---------------------------------------------------------------------------------


def read_template(path: Path, to: str, total: float) -> Gradebook:
    """Raises UsageError if this is not such a file, or not one for this assignment."""
    try:
        table = Sheet(path.read_bytes())
        book = canvas_book(table) if to == "canvas" else moodle_book(table)
        most = number(book.maximum) if book.maximum else total
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror}") from None
    except BadSheet as problem:
        raise UsageError(f"{path} is not filled in: {problem}") from None
    if most != total:
        raise UsageError(
            f"{path} is not filled in: it is for at most {book.maximum} points, this assignment "
            f"for {total:g}; change that in {to.title()}, and export the file again"
        )
    return book


def canvas_book(table: Sheet) -> Gradebook:
    """Canvas' gradebook; of its columns for assignments only one may be there."""
    if any(table.column(name) is None for name in ("Student", "ID")):
        raise BadSheet("Canvas' gradebook has the columns Student, ID, ..., and the assignment's")
    first = table.rows[0]
    possible = [row for row in range(1, len(table.rows)) if is_points_possible(table, row)]
    fixed = [name.lower() for name in CANVAS_FIXED]
    free = [
        place
        for place, head in enumerate(first)
        if head.strip()
        and head.strip().lower() not in fixed
        and not (possible and "read only" in table.at(possible[0], place).lower())
    ]
    if len(free) != 1:
        found = ", ".join(printable(first[place]) for place in free) or "none"
        raise BadSheet(f"leave only the column of this assignment; there is {found}")
    after = possible[0] if possible else 0
    rows = [row for row in range(after + 1, len(table.rows)) if table.cell(row, "ID")]
    maximum = table.at(possible[0], free[0]) if possible else ""
    return Gradebook(table, FORMS["canvas"], rows, free[0], maximum)


def is_points_possible(table: Sheet, row: int) -> bool:
    return table.at(row, 0) == "Points Possible"


def moodle_book(table: Sheet) -> Gradebook:
    """Moodle's grading worksheet."""
    column = table.column("Grade")
    if column is None or table.column("Identifier") is None:
        raise BadSheet(
            "Moodle's worksheet has the columns Identifier, Email address, Grade, Maximum Grade; "
            "if yours is in another language, name them so"
        )
    rows = [row for row in range(1, len(table.rows)) if table.cell(row, "Identifier")]
    most = {table.cell(row, "Maximum Grade") for row in rows} - {""}
    if len(most) > 1:
        raise BadSheet(f"it has several maximum grades: {', '.join(sorted(most))}")
    return Gradebook(table, FORMS["moodle"], rows, column, most.pop() if most else "")


def number(text: str) -> float:
    """Raises BadSheet."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise BadSheet(f"its maximum is {printable(text)}, not a number") from None


# --- filling it in --------------------------------------------------------------------------------


def fill_in(book: Gradebook, people: dict[str, Person], scores: dict[str, float]) -> list[str]:
    """Write the scores of those whose row is certain; return a line for everything else.

    people: everybody, those without a score too
    """
    said = []
    owners: dict[int, list[str]] = {}
    claimed: set[int] = set()
    for pseudonym, person in people.items():
        found = rows_of(book, person)
        claimed |= found
        if pseudonym not in scores:
            continue
        if len(found) == 1:
            owners.setdefault(found.pop(), []).append(pseudonym)
        else:
            many = f"{len(found)} rows could be theirs"
            why = many if found else "no row has their id or address"
            said.append(f"{in_full(person)}: {why}")
    write = Writer(book)
    for row, pseudonyms in sorted(owners.items()):
        if len(pseudonyms) > 1:
            both = " and ".join(in_full(people[one]) for one in pseudonyms)
            said.append(f"{both}: the same row {row + 1} could be theirs")
            continue
        score = scores[pseudonyms[0]]
        if book.maximum and score > number(book.maximum) and not book.form.over:
            said.append(f"{in_full(people[pseudonyms[0]])}: {score:g} is cut to {book.maximum}")
            score = number(book.maximum)
        while len(book.table.raw[row]) <= book.column:
            book.table.raw[row].append("")
        book.table.change(row, book.column, write(score))
    said += [
        f"row {row + 1}, {book.table.rows[row][0]}: nobody here has its id or address"
        for row in book.rows
        if row not in claimed
    ]
    filled = sum(len(ones) == 1 for ones in owners.values())
    return [f"{filled} of {len(book.rows)} rows are filled in", *said]


def in_full(person: Person) -> str:
    return ", ".join(filter(None, person))


def rows_of(book: Gradebook, person: Person) -> set[int]:
    """Return the rows that may be somebody's: by id, else by address; both where they disagree."""
    table, form = book.table, book.form
    by_id = {
        row
        for row in book.rows
        if person.sid and person.sid in ids(table.cell(row, name) for name in form.ids)
    }
    by_email = {
        row
        for row in book.rows
        if person.email
        and person.email.lower() in (table.cell(row, name).lower() for name in form.emails)
    }
    return by_id | by_email if by_id.isdisjoint(by_email) else by_id


def ids(cells: Iterable[str]) -> set[str]:
    """Moodle writes an id as "Participant 7000"."""
    return {cell.removeprefix("Participant ") for cell in cells}


class Writer:
    """Writes numbers as the template does: its decimal comma, its decimal places."""

    def __init__(self, book: Gradebook) -> None:
        shown = [book.maximum, *(book.table.at(row, book.column) for row in book.rows)]
        point = any(POINT.fullmatch(text) for text in shown)
        comma = any(COMMA.fullmatch(text) for text in shown)
        self.mark = "," if comma or (book.table.delimiter == ";" and not point) else "."
        self.places = len(book.maximum.replace(",", ".").partition(".")[2])

    def __call__(self, value: float) -> str:
        text = f"{value:.{self.places}f}"
        exact = text if abs(float(text) - value) < 1e-9 else f"{value:g}"
        return exact.replace(".", self.mark)
