"""Make the cases from the solution: `python -m autograder.author.cases`.

All random numbers come from one seed: a fixed one for the public cases, which students get, and the
release's for its secret cases.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.feedback.report import write_whole
from autograder.questions import QUESTIONS, Question, question_of

PUBLIC_SEED = 1


def write_cases(
    seed: int, folder: Path, public: bool, questions: Sequence[Question] = QUESTIONS
) -> None:
    """Write the cases of one seed to `folder`, after making all of them.

    Raises ValueError for a graded test without cases, or cases without a test.
    """
    # Imported here: every grading process imports this package.
    from autograder.author.diagnoses import add_mistakes

    with tempfile.TemporaryDirectory() as draft:
        make_cases(seed, Path(draft), public, questions)
        add_mistakes(Path(draft), questions)
        folder.mkdir(parents=True, exist_ok=True)
        for path in Path(draft).iterdir():
            shutil.copyfile(path, folder / path.name)


def make_cases(
    seed: int, folder: Path, public: bool, questions: Sequence[Question] = QUESTIONS
) -> None:
    """Write the cases without the diagnosis data, which takes a minute or more."""
    from autograder.author.cases.boards import perfect_play

    for question in questions:
        make_cases_of(question, seed, folder, public)
    write(folder / "tic_tac_toe.json", perfect_play())


def make_cases_of(question: Question, seed: int, folder: Path, public: bool) -> None:
    """Make the cases of one question's tests."""
    from autograder.author.cases.registry import all_makers, made
    from autograder.author.graded_tests import graded_tests

    kinds, cases = {}, {}
    numbers = [number for number in all_makers() if question_of(number) == question]
    tests = [test.number for test in graded_tests(question.number)]
    for number in tests:
        if number not in numbers:
            lacks = f'nothing under @cases_of("{number}") in autograder/author/cases'
            raise ValueError(f"test {number}: there is {lacks}")
    for number in numbers:
        if number not in tests:
            raise ValueError(f"test {number}: there is no graded test in tests")
        of_test = made(number, seed, secret=not public)
        kinds[number] = type(of_test[0]).__name__
        cases[number] = [case.plain() for case in of_test]
    content = {"public": public, "kinds": kinds, "cases": cases}
    write(folder / f"{question.name}.json", content)


def write(path: Path, content: Any) -> None:
    write_whole(path, json.dumps(content, separators=(",", ":")) + "\n")
