"""Read the graded tests' decorators and labels, without running them."""

import importlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from autograder.errors import GraderFault
from autograder.feedback.report import format_score_line
from autograder.feedback.results import sort_key
from autograder.questions import QUESTIONS, Question
from autograder.settings import FILE, SETTINGS


class GradedTest(NamedTuple):
    """A graded test, and what its decorators and docstring say about it."""

    number: str
    label: str
    points: float
    function: Callable[..., None]


def read_graded_tests(
    question: str | None = None, rows: Sequence[Question] = QUESTIONS
) -> list[GradedTest]:
    """Return the graded tests of one question or of all `rows`, in their order.

    Raises GraderFault if a test sets its visibility by a decorator.
    """
    found = []
    for row in rows:
        if question in (None, row.number):
            module = importlib.import_module(f"tests.test_{row.number}_{row.name}")
            for test in vars(module).values():
                if not (number := getattr(test, "__number__", "")):
                    continue
                if hasattr(test, "__visibility__") or hasattr(test, "__hide_errors__"):
                    raise GraderFault(f"test {number} is hidden by a decorator: use {FILE.name}")
                points = SETTINGS.points.get(number, test.__weight__)
                found.append(GradedTest(number, test.__doc__.splitlines()[0], points, test))
    return sorted(found, key=lambda test: sort_key(test.number))


def read_student_tests(question: str | None = None) -> list[GradedTest]:
    return [test for test in read_graded_tests(question) if SETTINGS.students_get(test.number)]


def list_missing_tests(question: str | None = None) -> list[str]:
    """Return the numbers of the graded tests that are not in the students' zip."""
    numbers = [test.number for test in read_graded_tests(question)]
    return [number for number in numbers if not SETTINGS.students_get(number)]


def sum_question_points(question: str, at_home: bool = False) -> float:
    """Return the sum of the points of a question's tests, of all or of the students'."""
    read = read_student_tests if at_home else read_graded_tests
    return sum(test.points for test in read(question))


def sum_points(bonus: bool = False, at_home: bool = False) -> float:
    """Return the sum of all points without a bonus, or of all bonus points."""
    rows = [row for row in QUESTIONS if row.bonus == bonus]
    return sum(sum_question_points(row.number, at_home) for row in rows)


def format_best_score(at_home: bool = False) -> str:
    """Return the last line of grading a perfect submission."""
    points, bonus = sum_points(at_home=at_home), sum_points(bonus=True, at_home=at_home)
    if bonus and not points:
        return f"score: {bonus:g}/{bonus:g} bonus"
    return format_score_line(points, points, bonus)
