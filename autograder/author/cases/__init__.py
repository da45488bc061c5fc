"""Make the cases from the solution: `python -m autograder.author.cases`.

All random numbers come from one seed: a fixed one for the public cases, which students get, and the
release's for its secret cases.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from autograder.author.cases.boards import solve_tic_tac_toe
from autograder.author.cases.registry import load_makers, make_cases
from autograder.author.graded_tests import read_graded_tests
from autograder.author.programs import find_marks, find_mistakes
from autograder.author.progress import ProgressLine
from autograder.feedback.report import write_atomically
from autograder.questions import QUESTIONS, Question, find_question

PUBLIC_SEED = 1
LONGEST_LINE = 8_000  # characters of a case that is one line


def write_cases(
    seed: int, folder: Path, public: bool, questions: Sequence[Question] = QUESTIONS
) -> None:
    """Make all cases of one seed on all cores, then write them to `folder`.

    Raises ValueError for a graded test without cases, or cases without a test.
    """
    numbers = [number for number in load_makers() if find_question(number) in questions]
    tests = [test.number for row in questions for test in read_graded_tests(row.number)]
    for number in sorted({*tests} ^ {*numbers}):
        lacks = f'nothing under @cases_of("{number}") in autograder/author/cases'
        lacks = lacks if number in tests else "no graded test in tests"
        raise ValueError(f"test {number}: there is {lacks}")
    with (
        # Collecting garbage as usual takes a third of the time.
        ProcessPoolExecutor(mp_context=get_context("spawn"), initializer=gc.disable) as pool,
        ProgressLine(len(numbers), "making cases: {} tests") as line,
    ):
        jobs = {number: pool.submit(make_test_cases, number, seed, public) for number in numbers}
        try:
            for job in as_completed(jobs.values()):
                job.result()
                line.update()
        except BaseException:
            pool.shutdown(cancel_futures=True)  # Ctrl-C does not wait for the cases of all tests
            raise
    folder.mkdir(parents=True, exist_ok=True)
    for row in questions:
        content: dict[str, Any] = {"public": public, "kinds": {}, "cases": {}, "mistakes": {}}
        for number in numbers:
            made = jobs[number].result() if find_question(number) == row else {}
            for part, data in made.items():
                content[part][number] = data
        content["says"] = [mistake.says for mistake in find_mistakes(row)]
        write_atomically(folder / f"{row.name}.json", format_json(content) + "\n")
    table = format_json(solve_tic_tac_toe(), levels=1)
    write_atomically(folder / "tic_tac_toe.json", table + "\n")


def format_json(value: Any, levels: int = 3) -> str:
    """Return a file of cases as text: one line per case, known mistake or description.

    levels: to which depth each item of a list or object is on a separate line; the parts of what
            would be a very long line are, too
    """
    line = json.dumps(value, separators=(",", ":"))
    short = levels <= 0 and len(line) <= LONGEST_LINE
    if short or not value or not isinstance(value, list | dict):
        return line
    if isinstance(value, dict):
        items = [
            f"{json.dumps(key)}:{format_json(item, levels - 1)}" for key, item in value.items()
        ]
        return "{\n" + ",\n".join(items) + "\n}"
    return "[\n" + ",\n".join(format_json(item, levels - 1) for item in value) + "\n]"


def make_test_cases(number: str, seed: int, public: bool) -> dict[str, Any]:
    """Return the cases of one test, and the marks of known mistakes, as parts of a case file."""
    gc.collect()  # the pool's processes do so nowhere else
    cases = make_cases(number, seed, secret=not public)
    made = {"kinds": type(cases[0]).__name__, "cases": [case.plain() for case in cases]}
    marks = find_marks(find_question(number), cases)
    return made if marks is None else {**made, "mistakes": marks}
