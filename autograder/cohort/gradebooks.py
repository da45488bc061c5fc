"""The instructor's own tables: any CSV file, and the gradebooks that are filled in.

An id or the mail address identifies a student's row. Rows and students without a certain match are
listed, and nothing is filled in for them.
"""

import codecs
import csv
import io
import re
from collections import Counter
from pathlib import Path

from autograder.author.graded_tests import sum_points
from autograder.cohort.class_folder import Person
from autograder.errors import UsageError
from autograder.printable import sanitize

# Headings, as in `Sheet.heads`. These columns identify a student:
KEYS = {
    "canvas": ("id", "sisuserid", "sisloginid", "email"),
    "moodle": ("identifier", "idnumber", "emailaddress"),
    "prairielearn": ("uid",),
}
CANVAS_FIXED = {*KEYS["canvas"], "student", "integrationid", "rootaccount", "section", "notes"}
PRAIRIELEARN_COLUMNS = {"uid", "qid", "submissionid", "scoreperc"}
DELIMITERS = ",;\t"


class Sheet:
    """The rows of a CSV file, with its delimiter, line ends and byte order mark.

    heads: the headings in the first row, in lower case, without spaces and underscores
    """

    def __init__(self, path: Path) -> None:
        """Parse a CSV file. Raises UsageError, OSError."""
        content = path.read_bytes()
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise UsageError(f"{path} is UTF-16: save it as CSV in UTF-8")
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
            raise UsageError(f"{path} can't be read as CSV ({error})") from None
        heads = self.rows[0] if self.rows else []
        self.heads = [re.sub(r"[\s_]", "", head).lower() for head in heads]

    def read_cell(self, row: int, *names: str) -> str:
        """Return the first text of a row in the columns with these headings, "" for none."""
        places = [self.heads.index(name) for name in names if name in self.heads]
        return next(filter(None, (self.read_at(row, place) for place in places)), "")

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
    """The instructor's gradebook: rows of students, the grade's column and maximum.

    maximum: as the file has it, "" if its grades are per cents: then of the larger maximum, with
             the bonus, see formats/points.py
    """

    def __init__(self, path: Path, to: str, total: float) -> None:
        """Read a gradebook. Raises UsageError unless it is one for this assignment."""
        self.to, self.sheet = to, Sheet(path)
        try:
            self.rows, self.column, self.maximum = UNDERSTAND[to](self.sheet)
            self.max_points = float(self.maximum.replace(",", ".")) if self.maximum else total
        except UsageError as problem:
            raise UsageError(f"{path} is not filled in: {problem}") from None
        except ValueError:
            text = f"its maximum is {sanitize(self.maximum)}, not a number"
            raise UsageError(f"{path} is not filled in: {text}") from None
        if self.max_points != total:
            raise UsageError(
                f"{path} is not filled in: it is for at most {self.maximum} points, this "
                f"assignment for {format_points(total)}; change that in {to.title()}, and export "
                "the file again"
            )
        self.scale = 1 if self.maximum else 100 / (sum_points() + sum_points(bonus=True))

    def fill_in(self, people: dict[str, Person], scores: dict[str, float]) -> list[str]:
        """Write the scores of students whose row is certain; return remarks on the rest.

        people: all people, including those without a score
        """
        marks = {one: {who.sid.lower(), who.email.lower()} - {""} for one, who in people.items()}
        owners: dict[int, list[str]] = {}  # the people who could own a row
        for row in self.rows:
            cells = {self.sheet.read_cell(row, name) for name in KEYS[self.to]}
            keys = {text.removeprefix("Participant ").lower() for text in cells}  # Moodle's
            owners[row] = [one for one in people if marks[one] & keys]
        found = Counter(one for several in owners.values() for one in several)
        sure = {one for one in scores if found[one] == 1}
        remarks = []
        for one in scores:
            if one not in sure:
                many = f"{found[one]} rows could be theirs"
                why = many if found[one] else "no row has their id or address"
                remarks.append(f"{describe_person(people[one])}: {why}")
        filled = 0
        for row, several in owners.items():
            if not several:
                first = self.sheet.rows[row][0]
                remarks.append(f"row {row + 1}, {first}: nobody here has its id or address")
            elif sure.isdisjoint(several):
                continue
            elif len(several) > 1:
                both = " and ".join(sorted(describe_person(people[one]) for one in several))
                remarks.append(f"{both}: the same row {row + 1} could be theirs")
            else:
                filled += 1
                score = scores[several[0]]
                if score > self.max_points and self.to == "moodle":  # it takes no more
                    owner = describe_person(people[several[0]])
                    remarks.append(f"{owner}: {format_points(score)} is cut to {self.maximum}")
                    score = self.max_points
                comma = "," if "," in self.maximum else "."
                text = format_points(score * self.scale).replace(".", comma)
                self.sheet.write_at(row, self.column, text)
        return [f"{filled} of {len(self.rows)} rows are filled in", *remarks]


def find_canvas_columns(sheet: Sheet) -> tuple[list[int], int, str]:
    """Return the rows, grade column and maximum of Canvas' gradebook.

    Raises UsageError unless exactly one assignment has a column.
    """
    places = range(1, len(sheet.rows))
    possible = [row for row in places if sheet.read_at(row, 0) == "Points Possible"]
    if not possible or not {"student", "id"}.issubset(sheet.heads):
        raise UsageError(
            "Canvas' gradebook has the columns Student, ID, ..., the assignment's, and a row "
            "Points Possible"
        )
    maxima = {
        place: sheet.read_at(possible[0], place)
        for place, head in enumerate(sheet.heads)
        if head and head not in CANVAS_FIXED
    }
    free = [place for place, text in maxima.items() if "read only" not in text.lower()]
    if len(free) != 1:
        found = ", ".join(sanitize(sheet.rows[0][place]) for place in free) or "none"
        raise UsageError(f"leave only the column of this assignment; there is {found}")
    rows = [row for row in range(possible[0], len(sheet.rows)) if sheet.read_cell(row, "id")]
    return rows, free[0], maxima[free[0]]


def find_moodle_columns(sheet: Sheet) -> tuple[list[int], int, str]:
    """Return the rows, grade column and maximum of Moodle's grading worksheet."""
    if not {"grade", "identifier"}.issubset(sheet.heads):
        raise UsageError(
            "Moodle's worksheet has the columns Identifier, Email address, Grade, Maximum Grade; "
            "if yours is in another language, name them so"
        )
    rows = [row for row in range(1, len(sheet.rows)) if sheet.read_cell(row, "identifier")]
    maxima = {sheet.read_cell(row, "maximumgrade") for row in rows} or {""}
    if len(maxima) > 1:
        raise UsageError(f"it has several maximum grades: {', '.join(sorted(maxima))}")
    return rows, sheet.heads.index("grade"), maxima.pop()


def find_prairielearn_columns(sheet: Sheet) -> tuple[list[int], int, str]:
    """Return the rows and the column of per cents in *_submissions_for_manual_grading.csv."""
    if not PRAIRIELEARN_COLUMNS.issubset(sheet.heads):
        raise UsageError("PrairieLearn's file has columns uid, qid, submission_id and score_perc")
    rows = list(range(1, len(sheet.rows)))
    questions = sorted({sheet.read_cell(row, "qid") for row in rows})
    if len(questions) != 1:
        found = sanitize(", ".join(questions)) or "none"
        raise UsageError(f"leave only the rows of this question; there is {found}")
    return rows, sheet.heads.index("scoreperc"), ""


def describe_person(person: Person) -> str:
    return ", ".join(filter(None, person.fields))


def format_points(points: float) -> str:
    return f"{points:.10g}"


UNDERSTAND = {
    "canvas": find_canvas_columns,
    "moodle": find_moodle_columns,
    "prairielearn": find_prairielearn_columns,
}
