"""`class publish`: points and pages for a platform or people."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from autograder.cohort.class_folder import ClassFolder, Person, describe_conflict
from autograder.cohort.grade_one import read_report
from autograder.cohort.gradebooks import KEYS, Gradebook, describe_person, format_points
from autograder.cohort.grading import say_if_older
from autograder.cohort.rendering import make_csv
from autograder.cohort.report import ClassReport
from autograder.errors import UsageError
from autograder.feedback.page import make_page
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize

NOT_IN_NAMES = re.compile(r'[\x00-\x1f_/\\:*?"<>|]+')  # Moodle and Canvas split names at "_"


def publish(directory: Path, to: str, template: Path | None = None) -> int:
    """Write the grades or pages of a class, readable by the owner; return the status.

    to: "csv", "pages", "autolab", or one of KEYS, which need a template

    Raises UsageError, without writing anything, if it can't be done.
    """
    if (to in KEYS) != (template is not None):
        raise UsageError(
            f"--to {to} needs no template: name --to {', '.join(KEYS)}"
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
    sure: list[tuple[str, str]] = []  # pseudonyms, and the ids of their submissions
    for id, row in report.rows.items():
        if id in report.scores:
            sure += [(one, id) for one in row.people if one not in unsure]
        else:
            remarks += [f"{names[one]}: no score" for one in row.people]
    content: str | bytes
    if template is not None:
        book = Gradebook(template, to, report.total)
        remarks = book.fill_in(people, {one: report.scores[id] for one, id in sure}) + remarks
        file, content = directory / f"{to}.csv", book.sheet.encode()
    elif to == "autolab":
        known = [(one, id) for one, id in sure if people[one].email]
        points = [[people[one].email, *format_questions(report, id)] for one, id in known]
        file, content = directory / "autolab.csv", make_csv(points)
        remarks += [
            f"{people[one].name}: no mail address is known, so there is no row"
            for one, _ in sure
            if not people[one].email
        ]
    elif to == "pages":
        file, content = directory / "pages.zip", zip_pages(report, sure)
    else:
        file, content = directory / "grades.csv", make_csv(make_grade_rows(report, sure))
    write_atomically(file, content, private=True)
    for line in [*remarks, f"written: {file}"]:
        print(sanitize(line))
    say_if_older(folder, report.results.values())
    return 0


def make_grade_rows(report: ClassReport, people: Iterable[tuple[str, str]]) -> Iterator[list[str]]:
    """Yield a row for each of these people, with the points of each question."""
    heads = [f"question {question['number']}" for question in report.questions]
    yield [*Person._fields[:3], "submission", "score", "of", *heads, "late"]
    for pseudonym, id in people:
        person = report.key[pseudonym]
        number = person.address if person.address.isdigit() else id
        score = map(format_points, [report.scores[id], report.total])
        late = report.rows[id].late
        yield [*person.fields, number, *score, *format_questions(report, id), late]


def format_questions(report: ClassReport, id: str) -> Iterator[str]:
    return map(format_points, report.list_question_points(id))


def zip_pages(report: ClassReport, people: Iterable[tuple[str, str]]) -> bytes:
    """Return a zip with the page of each of these people, named as the export names their files.

    So Moodle accepts it under "Upload multiple feedback files in a zip", and Canvas under
    "Re-Upload submissions"; both identify the owner of a file by the number in its name.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for pseudonym, id in people:
            person = report.key[pseudonym]
            stored = report.folder.result_file(report.rows[id].content, ".report")
            page = read_report(stored.read_text())
            page.name = person.name
            words = NOT_IN_NAMES.sub(" ", person.name).split()
            name = sanitize(" ".join(words)).strip(".") or pseudonym
            of_platform = person.address.startswith("_")
            name += f"{person.address}results.html" if of_platform else f" {pseudonym}.html"
            archive.writestr(name, make_page(page))
    return packed.getvalue()
