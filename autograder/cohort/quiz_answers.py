"""Read the answers that a class gave to its questions, and sum them up for the report."""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.cohort.class_folder import ClassFolder
from autograder.cohort.gradebooks import Sheet
from autograder.errors import UsageError
from autograder.feedback.report import write_atomically
from autograder.printable import sanitize
from autograder.questions import find_question
from autograder.quiz.item import read_answer
from autograder.quiz.kinds import KINDS

FOLDER = "questions"  # in the folder of the class
MAX_ITEMS = 4  # on a page
HALF = 0.5  # of the questions: below, a student is on the list for a talk
Answers = Mapping[str, list[list[str]]]  # by pseudonym: kind, verdict, misconception of each
Shares = Mapping[str, Mapping[str, float]]
RIGHT, WRONG, NONE = "right", "wrong", "no answer"
CAUTION = (
    "A list for a talk, no proof of anything: a student who is nervous, ill or in a hurry answers "
    "wrongly, too. Ask about the code itself before you draw a conclusion."
)


def read_answers(folder: ClassFolder, path: Path) -> int:
    """Judge and store the answers in a table; print what they say; return the exit status."""
    place = folder.path / FOLDER
    try:
        asked = json.loads((place / "questions.json").read_bytes())
    except FileNotFoundError:
        raise UsageError(f"{place} has no questions: `class questions` first") from None
    answers = {
        one: [judge(item, cell) for item, cell in zip(asked[one], cells)]
        for one, cells in read_table(path, asked).items()
    }
    write_atomically(place / "answers.json", json.dumps(answers, indent=1), private=True)
    print(f"{len(answers)} of {len(asked)} students have answered something")
    verdicts = [verdict for judged in answers.values() for _, verdict, _ in judged]
    print(f"right: {verdicts.count(RIGHT)} of {len(verdicts)} answers")
    print(f"next: `class report {sanitize(folder.path)}` shows them beside the points")
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
        one, *cells = [cell.strip() for cell in row] or [""]
        if not any((one, *cells)):
            continue
        if one not in asked:
            raise UsageError(f"{path}, row {number}: nobody has the pseudonym {sanitize(one)!r}")
        if one in found:
            raise UsageError(f"{path}, row {number}: {one} stands there for the second time")
        found[one] = [*cells, *[""] * len(asked[one])][: len(asked[one])]
    return {one: cells for one, cells in found.items() if any(cells)}


def judge(item: Mapping[str, Any], cell: str) -> tuple[str, str, str]:
    """Return the kind, the verdict, and the misconception if it is known."""
    if not cell:
        return item["kind"], NONE, ""
    try:
        given = read_answer(item["form"], item["choices"], cell)
    except ValueError:
        return item["kind"], WRONG, ""
    verdict = RIGHT if given == item["answer"] else WRONG
    return item["kind"], verdict, item["wrong"].get(given, "")


def sum_up(answers: Answers, shares: Shares) -> dict[str, Any]:
    """Return what the answers of a class say, for its report.

    shares: of points, by pseudonym and question

    kinds:          for each kind its topic, how many were asked and right, and the share of the
                    points of its question that these students have
    misconceptions: what wrong answers would be right for, frequent ones first
    talks:          who missed more than half of the questions about passed tests
    """
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
    kinds = [summarise(kind, asked[kind], shares) for kind in KINDS if kind in asked]
    misconceptions = [
        {"topic": topic, "says": says, "count": count}
        for (topic, says), count in wrong.most_common()
    ]
    return {
        "students": len(answers),  # who have answered something
        "kinds": kinds,
        "misconceptions": misconceptions,
        "talks": talks,
        "caution": CAUTION,
    }


def summarise(name: str, judged: list[tuple[str, str]], shares: Shares) -> dict[str, Any]:
    """Return the row of a kind."""
    kind = KINDS[name]
    question = find_question(kind.file).number if kind.file else ""
    points = [shares[one][question] for one, _ in judged if question in shares.get(one, {})]
    return {
        "kind": name,
        "topic": kind.topic,
        "question": question,
        "asked": len(judged),
        "right": sum(verdict == RIGHT for _, verdict in judged),
        "share": sum(points) / len(points) if points else None,
    }


def read_summary(folder: ClassFolder, shares: Shares) -> dict[str, Any] | None:
    """Return what the stored answers say, None if there are none."""
    try:
        answers = json.loads((folder.path / FOLDER / "answers.json").read_bytes())
    except FileNotFoundError:
        return None
    return sum_up(answers, shares)
