"""`class publish`: points and pages for a platform or people.

The instructor's own gradebook is filled in. An id or the mail address identifies a student's row.
Rows and students without a certain match are listed, and nothing is filled in for them.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Container, Iterator
from pathlib import Path

from autograder.cohort.class_folder import ClassFolder, Person, describe_conflict
from autograder.cohort.grade_one import read_report
from autograder.cohort.grading import say_if_older
from autograder.cohort.platform_gradebooks import fill_in_prairielearn, make_autolab_rows
from autograder.cohort.rendering import make_csv
from autograder.cohort.report import ClassReport
from autograder.errors import UsageError
from autograder.feedback.page import make_page
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize

KEYS = {  # the columns that identify a student, by their headings
    "canvas": ("ID", "SIS User ID", "SIS Login ID", "Email"),
    "moodle": ("Identifier", "ID number", "Email address"),
}
WITH_TEMPLATE = (*KEYS, "prairielearn")
CANVAS_FIXED = (
    *("student", "id", "sis user id", "sis login id", "integration id", "root account", "email"),
    *("section", "notes"),
)
DELIMITERS = ",;\t"
NOT_IN_NAMES = re.compile(r'[\x00-\x1f_/\\:*?"<>|]+')  # Moodle and Canvas split names at "_"


def publish(directory: Path, to: str, template: Path | None = None) -> int:
    """Write the grades or pages of a class, readable by the owner; return the status.

    to: "csv", "pages", "autolab", or one of WITH_TEMPLATE, which need a template

    Raises UsageError, without writing anything, if it can't be done.
    """
    if (to in WITH_TEMPLATE) != (template is not None):
        raise UsageError(
            f"--to {to} needs no template: name --to {', '.join(WITH_TEMPLATE)}"
            if template
            else f"--to {to} fills in your own file: name it with --template FILE"
        )
    folder = ClassFolder(directory)
    report = ClassReport(folder, names=True)
    if unknown := set(folder.people()) - report.key.keys():
        raise UsageError(f"{directory}/key.json has no name for {min(unknown)}: put back the key")
    conflicts = folder.find_conflicts()
    unsure = {pseudonym for _, several in conflicts for pseudonym in several}
    people = {pseudonym: report.key[pseudonym] for pseudonym in folder.people()}
    names = {pseudonym: describe_person(person) for pseudonym, person in people.items()}
    remarks = [describe_conflict(what, [names[one] for one in ones]) for what, ones in conflicts]
    scores: dict[str, float] = {}
    for id, row in report.rows.items():
        for one in row.people:
            if id in report.scores and one not in unsure:
                scores[one] = report.scores[id]
            if id not in report.scores:
                remarks.append(f"{names[one]}: no score")
    content: str | bytes
    if template is not None:
        if to == "prairielearn":
            sheet = Sheet.read(template)
            remarks = fill_in_prairielearn(sheet, people, scores) + remarks
        else:
            book = Gradebook(template, to, report.total)
            sheet, remarks = book.sheet, book.fill_in(people, scores) + remarks
        file, content = directory / f"{to}.csv", sheet.encode()
    elif to == "autolab":
        content, more = make_autolab_rows(report, people, scores)
        file, remarks = directory / "autolab.csv", more + remarks
    elif to == "pages":
        file, content = directory / "pages.zip", zip_pages(report, scores)
    else:
        file, content = directory / "grades.csv", make_csv(make_grade_rows(report, scores))
    write_atomically(file, content, private=True)
    for line in [*remarks, f"written: {file}"]:
        print(sanitize(line))
    say_if_older(folder, report.results.values())
    return 0


def make_grade_rows(report: ClassReport, people: Container[str]) -> Iterator[list[str]]:
    """Yield a row for each of these people, with the points of each question."""
    heads = [f"question {question['number']}" for question in report.questions]
    yield [*Person._fields[:3], "submission", "score", "of", *heads, "late"]
    for id, score in report.scores.items():
        sums = map(format_points, [score, report.total, *report.list_question_points(id)])
        cells = [*sums, report.rows[id].late]
        for pseudonym in filter(people.__contains__, report.rows[id].people):
            person = report.key[pseudonym]
            number = person.address if person.address.isdigit() else id
            yield [*person.fields, number, *cells]


def format_points(points: float) -> str:
    return f"{points:.10g}"


def zip_pages(report: ClassReport, people: Container[str]) -> bytes:
    """Return a zip with the page of each of these people, named as the export names their files.

    So Moodle accepts it under "Upload multiple feedback files in a zip", and Canvas under
    "Re-Upload submissions"; both identify the owner of a file by the number in its name.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for id in report.results:
            row = report.rows[id]
            stored = report.folder.result_file(row.content, ".report").read_text()
            for pseudonym in filter(people.__contains__, row.people):
                person, one = report.key[pseudonym], read_report(stored)
                one.name = person.name
                words = NOT_IN_NAMES.sub(" ", person.name).split()
                name = sanitize(" ".join(words)).strip(".") or pseudonym
                of_platform = person.address.startswith("_")
                name += f"{person.address}results.html" if of_platform else f" {pseudonym}.html"
                archive.writestr(name, make_page(one))
    return packed.getvalue()


class Sheet:
    """The rows of a CSV file, with its delimiter, line ends and byte order mark."""

    def __init__(self, content: bytes) -> None:
        """Parse a CSV file. Raises UsageError."""
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise UsageError("it is UTF-16: save it as CSV in UTF-8")
        self.encoding = "utf-8-sig" if content.startswith(codecs.BOM_UTF8) else "utf-8"
        try:
            text = content.decode(self.encoding)
        except UnicodeDecodeError:
            self.encoding = "latin-1"
            text = content.decode(self.encoding)
        ends = re.search(r"\r\n|\r|\n", text)
        self.end = ends[0] if ends else "\n"
        self.delimiter = max(DELIMITERS, key=text.split(self.end, 1)[0].count)
        try:
            lines = io.StringIO(text, newline="")
            self.rows = list(csv.reader(lines, delimiter=self.delimiter, strict=True))
        except csv.Error as error:
            raise UsageError(f"it can't be read ({error})") from None

    @classmethod
    def read(cls, path: Path) -> Sheet:
        """Read the instructor's file. Raises UsageError with its name."""
        try:
            return cls(path.read_bytes())
        except UsageError as problem:
            raise UsageError(f"{path} is not filled in: {problem}") from None

    def find_column(self, name: str) -> int | None:
        """Return the place of a column, by its heading in the first row."""
        heads = [head.strip().lower() for head in self.rows[0]] if self.rows else []
        return heads.index(name.lower()) if name.lower() in heads else None

    def read_cell(self, row: int, name: str) -> str:
        """Return the text of a cell, "" if the row or the sheet has none."""
        place = self.find_column(name)
        return "" if place is None else self.read_at(row, place)

    def read_at(self, row: int, place: int) -> str:
        return self.rows[row][place].strip() if place < len(self.rows[row]) else ""

    def write_at(self, row: int, place: int, text: str) -> None:
        self.rows[row] += [""] * (place + 1 - len(self.rows[row]))
        self.rows[row][place] = text

    def encode(self) -> bytes:
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self.delimiter, lineterminator=self.end).writerows(self.rows)
        return text.getvalue().encode(self.encoding)


class Gradebook:
    """The instructor's gradebook: rows of students, the grade's column and maximum."""

    def __init__(self, path: Path, to: str, total: float) -> None:
        """Read a gradebook. Raises UsageError unless it is one for this assignment."""
        understand = find_canvas_columns if to == "canvas" else find_moodle_columns
        self.takes_more = to == "canvas"  # than the maximum
        try:
            self.sheet = Sheet(path.read_bytes())
            self.rows, self.column, self.maximum = understand(self.sheet)
            self.max_points = parse_maximum(self.maximum)
        except UsageError as problem:
            raise UsageError(f"{path} is not filled in: {problem}") from None
        if self.max_points != total:
            raise UsageError(
                f"{path} is not filled in: it is for at most {self.maximum} points, this "
                f"assignment for {format_points(total)}; change that in {to.title()}, and export "
                "the file again"
            )
        self.rows_by_key: dict[str, set[int]] = defaultdict(set)
        for row in self.rows:
            for name in KEYS[to]:
                text = self.sheet.read_cell(row, name)
                key = text.removeprefix("Participant ")  # in Moodle's file
                self.rows_by_key[key.lower()].add(row)

    def fill_in(self, people: dict[str, Person], scores: dict[str, float]) -> list[str]:
        """Write the scores of students whose row is certain; return remarks on the rest.

        people: all people, including those without a score
        """
        remarks = []
        claims: dict[int, list[str]] = defaultdict(list)  # by row: who could own it
        sure: dict[str, int] = {}
        for pseudonym, person in people.items():
            keys = filter(None, [person.sid.lower(), person.email.lower()])
            found = set[int]().union(*(self.rows_by_key[key] for key in keys))
            for row in found:
                claims[row].append(pseudonym)
            if pseudonym in scores and len(found) == 1:
                sure[pseudonym] = min(found)
            elif pseudonym in scores:
                many = f"{len(found)} rows could be theirs"
                why = many if found else "no row has their id or address"
                remarks.append(f"{describe_person(person)}: {why}")
        filled = 0
        for row, several in sorted(claims.items()):
            owners = [one for one in several if one in sure]
            if owners and len(several) > 1:
                both = " and ".join(describe_person(people[one]) for one in several)
                remarks.append(f"{both}: the same row {row + 1} could be theirs")
            if not owners or len(several) > 1:
                continue
            filled += 1
            score = scores[several[0]]
            if score > self.max_points and not self.takes_more:
                owner = describe_person(people[several[0]])
                remarks.append(f"{owner}: {format_points(score)} is cut to {self.maximum}")
                score = self.max_points
            comma = "," if "," in self.maximum else "."
            self.sheet.write_at(row, self.column, format_points(score).replace(".", comma))
        remarks += [
            f"row {row + 1}, {self.sheet.rows[row][0]}: nobody here has its id or address"
            for row in self.rows
            if row not in claims
        ]
        return [f"{filled} of {len(self.rows)} rows are filled in", *remarks]


def find_canvas_columns(sheet: Sheet) -> tuple[list[int], int, str]:
    """Return the rows, grade column and maximum of Canvas' gradebook.

    Raises UsageError unless exactly one assignment has a column.
    """
    places = range(1, len(sheet.rows))
    possible = [row for row in places if sheet.read_at(row, 0) == "Points Possible"]
    if not possible or any(sheet.find_column(name) is None for name in ("Student", "ID")):
        raise UsageError(
            "Canvas' gradebook has the columns Student, ID, ..., the assignment's, and a row "
            "Points Possible"
        )
    heads = sheet.rows[0]
    free = [
        place
        for place, head in enumerate(heads)
        if head.strip()
        and head.strip().lower() not in CANVAS_FIXED
        and "read only" not in sheet.read_at(possible[0], place).lower()
    ]
    if len(free) != 1:
        found = ", ".join(sanitize(heads[place]) for place in free) or "none"
        raise UsageError(f"leave only the column of this assignment; there is {found}")
    rows = [row for row in range(possible[0] + 1, len(sheet.rows)) if sheet.read_cell(row, "ID")]
    return rows, free[0], sheet.read_at(possible[0], free[0])


def find_moodle_columns(sheet: Sheet) -> tuple[list[int], int, str]:
    """Return the rows, grade column and maximum of Moodle's grading worksheet."""
    column = sheet.find_column("Grade")
    if column is None or sheet.find_column("Identifier") is None:
        raise UsageError(
            "Moodle's worksheet has the columns Identifier, Email address, Grade, Maximum Grade; "
            "if yours is in another language, name them so"
        )
    rows = [row for row in range(1, len(sheet.rows)) if sheet.read_cell(row, "Identifier")]
    maxima = {sheet.read_cell(row, "Maximum Grade") for row in rows} or {""}
    if len(maxima) > 1:
        raise UsageError(f"it has several maximum grades: {', '.join(sorted(maxima))}")
    return rows, column, maxima.pop()


def parse_maximum(text: str) -> float:
    """Return the maximum as a number. Raises UsageError."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        raise UsageError(f"its maximum is {sanitize(text)}, not a number") from None


def describe_person(person: Person) -> str:
    return ", ".join(filter(None, person.fields))
