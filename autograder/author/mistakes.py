"""Adds to the cases the marks of known mistakes, so that a student can be told which one it is.

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
from autograder.cases import (
    BackpropCase,
    ChoiceCase,
    CutoffCase,
    GrownCase,
    PhaseCase,
    SearchCase,
    SeededCase,
    SelectCase,
)
from autograder.diagnosis import mark_of
from autograder.questions import QUESTIONS
from autograder.report import write_whole

# The kinds of cases whose tests look closely at what a search does. The others judge whole games or
# many positions; there only the strength of a mistake shows, not its kind.
TELLING = [
    kind.__name__
    for kind in (
        SearchCase,
        CutoffCase,
        SelectCase,
        PhaseCase,
        BackpropCase,
        SeededCase,
        GrownCase,
        ChoiceCase,
    )
]
OR = ", or if "
Known = dict[str, dict[str, str]]  # by test: {mark: what the mistake is}


def add_mistakes(folder: Path) -> None:
    """Add the known mistakes to the questions' cases in `folder`."""
    known = known_mistakes(folder)
    for question in QUESTIONS:
        path = folder / f"{question.name}.json"
        content = json.loads(path.read_text(encoding="utf-8"))
        told = {number: known[number] for number in content["cases"] if number in known}
        write_whole(path, json.dumps({**content, "mistakes": told}, separators=(",", ":")) + "\n")


def known_mistakes(folder: Path) -> Known:
    """Return the marks that each mistake with words leaves in the telling tests.

    Of two mistakes with different words that can't be told apart, both are named; of more, none.
    """
    bank = [wrong for wrong in read_wrong() if wrong.says]
    jobs = [Job(wrong.submission, wrong.question) for wrong in bank]
    with tempfile.TemporaryDirectory() as few:
        telling = write_telling_cases(folder, Path(few))
        verdicts = dict(grade_each(jobs, folder=Path(few)))
    words: dict[str, dict[str, list[str]]] = {number: {} for number in telling}
    for i, wrong in enumerate(bank):
        faults = [part for part in verdicts[i].fault.split("; ") if "no cases for" not in part]
        if any(faults):
            raise RuntimeError(f"{wrong.name} could not be graded: {'; '.join(faults)}")
        for number, prints in verdicts[i].prints.items():
            mark = mark_of(prints) if number in telling else ""
            if mark:
                words[number].setdefault(mark, []).append(wrong.says)
    return {
        number: {mark: either(said) for mark, said in by_mark.items()}
        for number, by_mark in words.items()
    }


def either(said: list[str]) -> str:
    different = list(dict.fromkeys(said))
    return OR.join(different) if len(different) <= 2 else ""


def write_telling_cases(folder: Path, few: Path) -> list[str]:
    """Write the cases of telling tests to `few`, with no mistake known yet; return their numbers.

    Any other test then ends at once, without a case.
    """
    telling = []
    for question in QUESTIONS:
        content = json.loads((folder / f"{question.name}.json").read_text(encoding="utf-8"))
        numbers = [number for number, kind in content["kinds"].items() if kind in TELLING]
        kept = {number: content["cases"][number] for number in numbers}
        known: Known = {number: {} for number in numbers}
        few_of = {**content, "cases": kept, "mistakes": known}
        write_whole(few / f"{question.name}.json", json.dumps(few_of))
        telling += numbers
    return telling
