"""Reads the cases of the graded tests: data with expected answers, in `tests/cases/`.

One JSON file per question: {"public": true or false, "cases": {"1.1": [...], ...}}. The cases of a
test stand from small to large. A public case is known by its number; any other is shown to its
student whole, as text.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from autograder.questions import question_of
from autograder.sandbox import GraderFault
from autograder.student import Case

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases"


def read_json(path: Path) -> Any:
    """Raises GraderFault if the file is missing or damaged."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GraderFault(f"the cases in {path.name} can't be read: {error}") from None


@cache
def read_question(question: str) -> Any:
    """Raises GraderFault likewise, and for a question that there is not."""
    try:
        name = question_of(question).name
    except KeyError as unknown:
        raise GraderFault(unknown.args[0]) from None
    return read_json(CASES / f"{name}.json")


def load_cases(number: str) -> list[Case]:
    """Return the cases of one test. Raises GraderFault if there is none."""
    content = read_question(number.split(".")[0])
    try:
        public, found = content["public"], content["cases"][number]
        cases = [Case(number, i if public else None, data) for i, data in enumerate(found, 1)]
    except (KeyError, TypeError):
        cases = []
    if not cases:
        raise GraderFault(f"there are no cases for test {number}")
    return cases


def choose_case(name: str) -> Case:
    """Return the case called e.g. "2.3/17", or "2.3/~..." with the case's own text.

    Raises ValueError, in one line, if there is no such case.
    """
    number, _, which = name.partition("/")
    try:
        cases = load_cases(number)
    except GraderFault:
        raise ValueError(f"there is no test {number}: give CASE as in CASE=2.3/4") from None
    if which.startswith("~"):
        case = Case.from_name(number, which)
        if not set.intersection(*(set(known.data) for known in cases)) <= set(case.data):
            raise ValueError(f"this is no case of test {number}: copy all of it, number and text")
        return case
    if not re.fullmatch("[0-9]{1,6}", which) or not 1 <= int(which) <= len(cases):
        raise ValueError(f"test {number} has the cases {number}/1 to {number}/{len(cases)}")
    return cases[int(which) - 1]
