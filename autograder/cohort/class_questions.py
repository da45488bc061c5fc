"""`class questions`: questions for each student about the own search, and the answers.

In the folder of the class, readable for its owner only:

    questions/seed.txt        a secret number: the same one gives the same questions
    questions/pages.html      one A4 page for each student, to print
    questions/key.html        the answers in the same order, with a reason each
    questions/key.csv         the same answers as a table, with the kinds of the questions
    questions/answers.csv     a table to fill in
    questions/questions.json  what is needed to judge answers
"""

import json
import re
import secrets
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup

from autograder.__main__ import PYTHON
from autograder.cohort.class_folder import ClassFolder, Person, select_results
from autograder.cohort.gradebooks import Sheet
from autograder.cohort.pool import expect_unreadable
from autograder.cohort.rendering import make_csv, render
from autograder.errors import UsageError
from autograder.feedback import svg
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize
from autograder.questions import ROWS
from autograder.quiz.item import FORMS, LETTERS, Item, is_code, read_answer
from autograder.quiz.kinds import KINDS, make_items
from autograder.quiz.subject import Subject

FOLDER = "questions"  # in the folder of the class
MAX_ITEMS = 4  # on a page
HALF = 0.5  # of the questions: below, a student is on the list for a talk
Shares = Mapping[str, Mapping[str, float]]
RIGHT, WRONG, NONE = "right", "wrong", "no answer"
CAUTION = (
    "A list for a talk, no proof of anything: a student who is nervous, ill or in a hurry answers "
    "wrongly, too. Ask about the code itself before you draw a conclusion."
)
MINUTES = 2.5  # for one question
ROW = 30  # between a node and its children, in the units of a drawing
STORED = ("kind", "form", "choices", "answer", "wrong", "names")  # of an item, to judge answers


class Page(NamedTuple):
    """The questions of one student; `name` is empty without names."""

    pseudonym: str
    name: str
    items: list[Item]


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
    table = place / "answers.csv"
    filled = Sheet(table).rows[1:] if table.exists() else []
    if any(any(map(str.strip, row[1:])) for row in filled) or (place / "answers.json").exists():
        raise UsageError(
            f"{place} has answers to other questions: move the folder away to make new ones"
        )
    place.mkdir(mode=0o700, exist_ok=True)
    if not (place / "seed.txt").exists():
        write_atomically(place / "seed.txt", secrets.token_hex(16), private=True)
    seed = (place / "seed.txt").read_text(encoding="utf-8", errors="replace").strip()
    pages = list(make_pages(folder, seed, count, names))
    if not pages:
        raise UsageError(f"nothing is graded in {directory} yet: `class grade` first")
    write_pages(place, pages)
    print(f"{place / 'pages.html'}: {len(pages)} pages with {count} questions each; print them")
    print(f"{place / 'key.html'}: the answers; {place / 'answers.csv'}: to fill in")
    written = {page.pseudonym for page in pages}
    if left := [one for one in folder.people() if one not in written]:
        print(f"no page, because nothing of theirs is graded: {', '.join(left)}")
    return 0


def make_pages(folder: ClassFolder, seed: str, count: int, names: bool) -> Iterator[Page]:
    """Yield the page of each student with a result, by name or pseudonym."""
    key = folder.read_key() if names else {}
    results = select_results(folder.read_statuses())
    people = {one: row for row in folder.rows if row.id in results for one in row.people}
    for one in sorted(people, key=lambda one: (key.get(one, Person()).name, one)):
        row = people[one]
        tests = results[row.id]["tests"]
        passes = {test["number"]: test["status"] == "passed" for test in tests}
        with Subject(folder.read_submission(row.content), passes) as subject:
            items = make_items(subject, f"{seed}/{one}", count)
        person = key.get(one, Person())
        yield Page(one, person.name or person.email or person.sid, items)


def write_pages(place: Path, pages: list[Page]) -> None:
    data: dict[str, Any] = {
        "pages": pages,
        "forms": FORMS,
        "letters": LETTERS,
        "is_code": is_code,
        "bind": bind,
        "draw": lambda item: Markup(svg.draw(item.picture, ROW)) if item.picture else "",
        "style": Markup(svg.STYLE),
    }
    numbers = range(1, len(pages[0].items) + 1)
    table = [["pseudonym", *map(str, numbers)]]
    table += [[page.pseudonym, *[""] * len(numbers)] for page in pages]
    heads = [f"{part} {number}" for number in numbers for part in ("kind", "answer")]
    key = [["pseudonym", *heads]]
    for page in pages:
        cells = [cell for item in page.items for cell in (item.kind, item.write(item.answer))]
        key.append([page.pseudonym, *cells])
    stored = {
        page.pseudonym: [{name: getattr(item, name) for name in STORED} for item in page.items]
        for page in pages
    }
    for name, content in {
        "pages.html": render("quiz_pages.html", **data),
        "key.html": render("quiz_key.html", **data),
        "key.csv": make_csv(key),
        "answers.csv": make_csv(table),
        "questions.json": json.dumps(stored, indent=1),
    }.items():
        write_atomically(place / name, content, private=True)


def bind(text: str) -> str:
    """Return a text that breaks into lines at no sign of equality or order."""
    return re.sub(r" (=|[<>]=?) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)


def read_answers(folder: ClassFolder, path: Path) -> int:
    """Judge and store the answers in a table; print what they say; return the exit status."""
    place = folder.path / FOLDER
    try:
        asked = json.loads((place / "questions.json").read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{place} has no questions: `class questions` first") from None
    answers: dict[str, list[tuple[str, str, str]]] = {}
    for one, cells in read_table(path, asked).items():
        answers[one] = []
        for number, (item, cell) in enumerate(zip(asked[one], cells), 1):
            try:
                verdict, misconception = judge(item, cell)
            except ValueError as problem:
                verdict, misconception = WRONG, ""
                print(f"{one}, question {number}: counted as wrong: {sanitize(cell)!r}: {problem}")
            answers[one].append((item["kind"], verdict, misconception))
    write_atomically(place / "answers.json", json.dumps(answers, indent=1), private=True)
    print(f"{len(answers)} of {len(asked)} students have answered something")
    verdicts = [verdict for judged in answers.values() for _, verdict, _ in judged]
    print(f"right: {verdicts.count(RIGHT)} of {len(verdicts)} answers")
    command = f"{PYTHON} -m autograder class report {shlex.quote(str(folder.path))}"
    print(sanitize(f"next: {command} shows them beside the points"))
    return 0


def read_table(path: Path, asked: Mapping[str, list[Any]]) -> dict[str, list[str]]:
    """Return the cells of each student who has answered something, by pseudonym.

    Raises UsageError for a row that fits nobody, or fits somebody for the second time.
    """
    head, *rows = Sheet(path).rows or [[]]
    if not head or head[0].strip() != "pseudonym":
        raise UsageError(f"the first column of {path} should be pseudonym, as in answers.csv")
    found: dict[str, list[str]] = {}
    for number, row in enumerate(rows, 2):
        one, *cells = [cell.strip().removeprefix("'") for cell in row] or [""]  # as in key.csv
        if not any((one, *cells)):
            continue
        if one not in asked:
            raise UsageError(f"{path}, row {number}: nobody has the pseudonym {sanitize(one)!r}")
        if one in found:
            raise UsageError(f"{path}, row {number}: {one} stands there for the second time")
        found[one] = [*cells, *[""] * len(asked[one])][: len(asked[one])]
    return {one: cells for one, cells in found.items() if any(cells)}


def judge(item: Mapping[str, Any], cell: str) -> tuple[str, str]:
    """Return the verdict, and the misconception if it is known. Raises ValueError."""
    if not cell:
        return NONE, ""
    given = read_answer(item["form"], item["choices"], cell, item["names"])
    return RIGHT if given == item["answer"] else WRONG, item["wrong"].get(given, "")


def read_summary(folder: ClassFolder, shares: Shares) -> dict[str, Any] | None:
    """Return what the stored answers say, for the report; None if there are none.

    shares: of points, by pseudonym and question

    kinds:          for each kind its topic, how many were asked and right, and the share of the
                    points of its question that these students have
    misconceptions: what wrong answers would be right for, frequent ones first
    talks:          who missed more than half of the questions about passed tests
    """
    try:
        answers = json.loads((folder.path / FOLDER / "answers.json").read_bytes())
    except FileNotFoundError:
        return None
    asked: dict[str, list[tuple[str, str]]] = defaultdict(list)
    wrong: Counter[tuple[str, str]] = Counter()
    talks = []
    for one, judged in answers.items():
        own = [verdict for kind, verdict, _ in judged if KINDS[kind].file]
        if own.count(RIGHT) < HALF * len(own):
            talks.append({"pseudonym": one, "right": own.count(RIGHT), "asked": len(own)})
        for kind, verdict, misconception in judged:
            asked[kind].append((one, verdict))
            if misconception:
                wrong[KINDS[kind].topic, misconception] += 1
    kinds = []
    for name, kind in KINDS.items():
        if not (judged := asked[name]):
            continue
        question = next((row.number for row in ROWS if row.name == kind.file), "")
        points = [shares[one][question] for one, _ in judged if question in shares.get(one, {})]
        kinds.append(
            {
                "kind": name,
                "topic": kind.topic,
                "question": question,
                "asked": len(judged),
                "right": sum(verdict == RIGHT for _, verdict in judged),
                "share": sum(points) / len(points) if points else None,
            }
        )
    return {
        "students": len(answers),  # who have answered something
        "kinds": kinds,
        "misconceptions": [
            {"topic": topic, "says": says, "count": count}
            for (topic, says), count in wrong.most_common()
        ],
        "talks": talks,
        "caution": CAUTION,
    }
