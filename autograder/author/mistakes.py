"""Adds to the cases what known mistakes make of them, so that a student can be told which it is.

Many entries in the bank of wrong submissions say what they do wrong. Each of those is graded on the
new cases, and a mark of everything that was observed is kept beside them. A submission with just
that mark in a test has, as far as the test can see, made that mistake.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from autograder.author.parallel import Job, grade_each
from autograder.author.wrong_bank import read_wrong
from autograder.diagnosis import mark_of
from autograder.questions import question_of
from autograder.report import write_whole

# Tests that look closely at what a search does. The others judge whole games or many positions;
# there a mistake shows its strength, not its kind.
TELLING = {
    "1": ("1.1", "1.2", "1.3", "1.4", "1.5"),
    "2": ("2.1", "2.3", "2.4", "2.5", "2.6", "2.7", "2.8"),
    "3": ("3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7", "3.14"),
    "4": ("4.1", "4.2", "4.3", "4.5", "4.7", "4.8"),
}
OR = ", or if "
Known = dict[str, dict[str, str]]  # by test: {mark: what the mistake is}


def add_mistakes(folder: Path) -> None:
    """Add the known mistakes to the questions' cases in `folder`."""
    for question, known in known_mistakes(folder).items():
        path = folder / f"{question_of(question).name}.json"
        content = {**json.loads(path.read_text(encoding="utf-8")), "mistakes": known}
        write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")


def known_mistakes(folder: Path) -> dict[str, Known]:
    """Return by question what each mistake that has words makes of the telling tests.

    Of two mistakes with different words that can't be told apart, both are named; of more, none.
    """
    bank = [wrong for wrong in read_wrong() if wrong.says]
    jobs = [Job(wrong.submission, wrong.question) for wrong in bank]
    with tempfile.TemporaryDirectory() as few:
        write_telling_cases(folder, Path(few))
        verdicts = dict(grade_each(jobs, folder=Path(few)))
    known: dict[str, Known] = {question: {} for question in TELLING}
    for i, wrong in enumerate(bank):
        faults = [part for part in verdicts[i].fault.split("; ") if "no cases for" not in part]
        if any(faults):
            raise RuntimeError(f"{wrong.name} could not be graded: {'; '.join(faults)}")
        for number in TELLING[wrong.question]:
            mark = mark_of(verdicts[i].prints.get(number, [""]))
            if mark:
                of_test = known[wrong.question].setdefault(number, {})
                same = [words for words in of_test.get(mark, "").split(OR) if words]
                of_test[mark] = OR.join(dict.fromkeys([*same, wrong.says]))
    for of_question in known.values():
        for of_test in of_question.values():
            of_test.update({mark: "" for mark, words in of_test.items() if words.count(OR) > 1})
    return known


def write_telling_cases(folder: Path, few: Path) -> None:
    """Write the cases of telling tests to `few`, with no mistake known yet.

    Any other test then ends at once, without a case.
    """
    for question, numbers in TELLING.items():
        name = f"{question_of(question).name}.json"
        content = json.loads((folder / name).read_text(encoding="utf-8"))
        kept = {number: content["cases"][number] for number in numbers}
        known: Known = {number: {} for number in numbers}
        write_whole(few / name, json.dumps({**content, "cases": kept, "mistakes": known}))
