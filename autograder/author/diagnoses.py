"""Run the known mistakes on new cases, to name a student's mistake.

A hash of all observations in a test is stored with the cases. A submission with the same hash is
reported as having made this mistake.
"""

from collections.abc import Sequence
from functools import cache

from autograder.author.bank import SOLUTION, Entry, read_known_mistakes
from autograder.author.programs import Program
from autograder.feedback.diagnosis import make_mark
from autograder.questions import Question
from autograder.serving.case import Case
from autograder.submission import read_submission


def find_marks(question: Question, cases: Sequence[Case]) -> dict[str, list[int]] | None:
    """Return the marks of known mistakes on a test's cases, where the solution's differ.

    A mistake is its index in the bank. None for cases that identify no mistake.
    """
    if not cases[0].diagnosable:
        return None
    solution, programs = load_programs(question)
    right = compute_mark(solution, cases)
    marks: dict[str, list[int]] = {}
    for i, program in enumerate(programs):
        mark = compute_mark(program, cases)
        if mark and mark != right:
            marks.setdefault(mark, []).append(i)
    return marks


def find_mistakes(question: Question) -> list[Entry]:
    """Return the known mistakes of a question, in the bank's order."""
    return [wrong for wrong in read_known_mistakes() if wrong.question == question.number]


@cache
def load_programs(question: Question) -> tuple[Program, list[Program]]:
    """Return the solution and the known mistakes of a question, as programs."""
    solution = Program(read_submission(SOLUTION), question.name)
    return solution, [Program(one.submission, question.name) for one in find_mistakes(question)]


def compute_mark(program: Program, cases: Sequence[Case]) -> str:
    return make_mark([outcome.mark for outcome in program.run_cases(cases)])
