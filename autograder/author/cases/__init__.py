"""Make the cases from the solution: `python -m autograder.author.cases`.

All random numbers come from one seed: a fixed one for the public cases, which students get, and the
release's for its secret cases.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from autograder.author.progress import ProgressLine
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
    numbers = [number for question in questions for number in find_tests_with_makers(question)]
    made: dict[str, TestCases] = {}
    with (
        ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as pool,
        ProgressLine(len(numbers), "making cases: {} tests") as line,
    ):
        jobs = [pool.submit(make_test_cases, number, seed, public) for number in numbers]
        for job in as_completed(jobs):
            made[job.result().number] = job.result()
            line.update()
    contents = {row.name: make_content(row, made, public) for row in questions}
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
    for number in sorted({*tests} ^ {*numbers}):
        lacks = f'nothing under @cases_of("{number}") in autograder/author/cases'
        lacks = lacks if number in tests else "no graded test in tests"
        raise ValueError(f"test {number}: there is {lacks}")


def find_tests_with_makers(question: Question) -> list[str]:
    """Return the numbers of the tests that have a maker of cases."""
    from autograder.author.cases.registry import load_makers

    return [number for number in load_makers() if find_question(number) == question]


class TestCases(NamedTuple):
    """The cases of a test as plain data, with the marks of known mistakes, if it has any."""

    number: str
    kind: str
    cases: list[Any]
    mistakes: dict[str, list[int]] | None


def make_test_cases(number: str, seed: int, public: bool) -> TestCases:
    """Make the cases of one test, and try the known mistakes on them."""
    from autograder.author.cases.registry import make_cases
    from autograder.author.programs import find_marks

    cases = make_cases(number, seed, secret=not public)
    kind, plain = type(cases[0]).__name__, [case.plain() for case in cases]
    return TestCases(number, kind, plain, find_marks(find_question(number), cases))


def make_content(question: Question, made: dict[str, TestCases], public: bool) -> dict[str, Any]:
    """Return the case file of a question."""
    from autograder.author.programs import find_mistakes

    tests = [made[number] for number in find_tests_with_makers(question)]
    return {
        "public": public,
        "kinds": {test.number: test.kind for test in tests},
        "cases": {test.number: test.cases for test in tests},
        "mistakes": {test.number: test.mistakes for test in tests if test.mistakes is not None},
        "says": [mistake.says for mistake in find_mistakes(question)],
    }
