"""Make the cases from the solution: `python -m autograder.author.cases`.

All random numbers come from one seed: a fixed one for the public cases, which students get, and the
release's for its secret cases.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from autograder.feedback.report import write_atomically
from autograder.questions import QUESTIONS, Question, find_question
from autograder.serving.case_files import format_json

PUBLIC_SEED = 1


def write_cases(
    seed: int, folder: Path, public: bool, questions: Sequence[Question] = QUESTIONS
) -> None:
    """Make all cases of one seed on all cores, then write them to `folder`.

    Raises ValueError for a graded test without cases, or cases without a test.
    """
    # Imported here: every grading process imports this package.
    from autograder.author.cases.boards import solve_tic_tac_toe

    for question in questions:
        expect_makers(question)
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool:
        found = pool.map(partial(make_content, seed=seed, public=public), questions)
        contents = {question.name: content for question, content in zip(questions, found)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        write_atomically(folder / f"{name}.json", format_json(content) + "\n")
    table = format_json(solve_tic_tac_toe(), levels=1)
    write_atomically(folder / "tic_tac_toe.json", table + "\n")


def expect_makers(question: Question) -> None:
    """Raise ValueError if a graded test has no maker of cases, or a maker no test."""
    from autograder.author.graded_tests import read_graded_tests

    numbers = find_tests_with_makers(question)
    tests = [test.number for test in read_graded_tests(question.number)]
    for number in tests:
        if number not in numbers:
            lacks = f'nothing under @cases_of("{number}") in autograder/author/cases'
            raise ValueError(f"test {number}: there is {lacks}")
    for number in numbers:
        if number not in tests:
            raise ValueError(f"test {number}: there is no graded test in tests")


def find_tests_with_makers(question: Question) -> list[str]:
    """Return the numbers of the tests that have a maker of cases."""
    from autograder.author.cases.registry import load_makers

    return [number for number in load_makers() if find_question(number) == question]


def make_content(question: Question, seed: int, public: bool) -> dict[str, Any]:
    """Make the cases of one question's tests, with the marks of its known mistakes."""
    from autograder.author.cases.registry import make_cases
    from autograder.author.diagnoses import make_diagnoses

    numbers = find_tests_with_makers(question)
    cases = {number: make_cases(number, seed, secret=not public) for number in numbers}
    return {
        "public": public,
        "kinds": {number: type(of_test[0]).__name__ for number, of_test in cases.items()},
        "cases": {number: [case.plain() for case in of_test] for number, of_test in cases.items()},
        **make_diagnoses(question, cases),
    }
