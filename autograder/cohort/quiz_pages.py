"""`class questions`: a page of questions for each student about the student's own search.

In the folder of the class, readable for its owner only:

    questions/seed.txt        a secret number: the same one gives the same questions
    questions/pages.html      one A4 page for each student, to print
    questions/key.html        the answers in the same order, with a reason each
    questions/answers.csv     a table to fill in
    questions/questions.json  what `quiz_answers.py` has to know
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from autograder.cohort.class_folder import ClassFolder, Person, select_results
from autograder.cohort.gradebooks import Sheet
from autograder.cohort.pool import expect_unreadable
from autograder.cohort.quiz_answers import FOLDER, MAX_ITEMS, read_answers
from autograder.cohort.rendering import make_csv, render
from autograder.errors import UsageError
from autograder.feedback import svg
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize
from autograder.quiz.item import FORMS, LETTERS, Item, is_code
from autograder.quiz.kinds import make_items
from autograder.quiz.subject import Subject

MINUTES = 2.5  # for one question
STORED = ("kind", "form", "choices", "answer", "wrong")  # of an item, to judge answers


@dataclass(frozen=True)
class Page:
    """The questions of one student; `person` is empty without names."""

    pseudonym: str
    person: Person
    items: list[Item]

    @property
    def name(self) -> str:
        return sanitize(self.person.name or self.person.email or self.person.sid)


def write_questions(
    directory: Path,
    minutes: int = 10,
    names: bool = False,
    answers: Path | None = None,
    unconfined: bool = False,
) -> int:
    """Write the pages and their key, or read `answers`; return the exit status.

    Raises UsageError if nothing is graded, or the answers don't fit.
    """
    folder = ClassFolder(directory)
    if answers is not None:
        return read_answers(folder, answers)
    count = int(minutes / MINUTES)
    most = int(MAX_ITEMS * MINUTES)
    if count < 1 or minutes > most:
        raise UsageError(f"one page holds 3 to {most} minutes, not {minutes}: --minutes {most}")
    if not unconfined:
        expect_unreadable([directory / "class.json"])
    place = directory / FOLDER
    if has_answers(place):
        raise UsageError(
            f"{place} has answers to other questions: move the folder away to make new ones"
        )
    place.mkdir(mode=0o700, exist_ok=True)
    pages = list(make_pages(folder, read_seed(place / "seed.txt"), count, names))
    if not pages:
        raise UsageError(f"nothing is graded in {directory} yet: `class grade` first")
    write_pages(place, pages, count)
    print(f"{place / 'pages.html'}: {len(pages)} pages with {count} questions each; print them")
    print(f"{place / 'key.html'}: the answers; {place / 'answers.csv'}: to fill in")
    written = {page.pseudonym for page in pages}
    if left := [one for one in folder.people() if one not in written]:
        print(f"no page, because nothing of theirs is graded: {', '.join(left)}")
    return 0


def has_answers(place: Path) -> bool:
    """Would new pages overwrite answers?"""
    table = place / "answers.csv"
    rows = Sheet(table).rows[1:] if table.exists() else []
    filled = any(cell.strip() for row in rows for cell in row[1:])
    return filled or (place / "answers.json").exists()


def read_seed(path: Path) -> str:
    """Return the secret number; choose and store one if there is none yet."""
    if not path.exists():
        write_atomically(path, f"{secrets.token_hex(16)}\n", private=True)
    return path.read_text(encoding="ascii", errors="replace").strip()


def make_pages(folder: ClassFolder, seed: str, count: int, names: bool) -> Iterator[Page]:
    """Yield the page of each student with a result, by name or pseudonym."""
    key = folder.read_key() if names else {}
    results = select_results(folder.read_statuses())
    people = {one: row for row in folder.rows if row.id in results for one in row.people}
    for one in sorted(people, key=lambda one: (key.get(one, Person()).name, one)):
        row = people[one]
        outcomes = {test["number"]: test["status"] for test in results[row.id]["tests"]}
        passed = {number for number, status in outcomes.items() if status == "passed"}
        submission = folder.read_submission(row.content)
        with Subject(submission, passed, set(outcomes) - passed) as subject:
            items = make_items(subject, f"{seed}/{one}", count)
        yield Page(one, key.get(one, Person()), items)


def write_pages(place: Path, pages: list[Page], count: int) -> None:
    """Write all files about these pages."""
    data: dict[str, Any] = {
        "pages": pages,
        "forms": FORMS,
        "letters": LETTERS,
        "is_code": is_code,
        "draw": lambda item: Markup(svg.draw(item.picture)) if item.picture else "",
        "style": Markup(svg.STYLE),
    }
    numbers = range(1, count + 1)
    table = [["pseudonym", *map(str, numbers)]]
    table += [[page.pseudonym, *("" for _ in numbers)] for page in pages]
    stored = {
        page.pseudonym: [{name: getattr(item, name) for name in STORED} for item in page.items]
        for page in pages
    }
    for name, content in {
        "pages.html": render("quiz_pages.html", **data),
        "key.html": render("quiz_key.html", **data),
        "answers.csv": make_csv(table),
        "questions.json": json.dumps(stored, indent=1),
    }.items():
        write_atomically(place / name, content, private=True)
