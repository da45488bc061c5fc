"""Run the known mistakes on new cases, to name a student's mistake.

A hash of all observations in a test is stored with the cases. A submission with the same hash is
reported as having made this mistake.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograder.author.bank import SOLUTION, read_known_mistakes
from autograder.author.programs import Program
from autograder.feedback.diagnosis import Marks, make_mark
from autograder.questions import Question
from autograder.serving.case import Case
from autograder.submission import read_submission


def make_diagnoses(question: Question, cases: Mapping[str, Sequence[Case]]) -> dict[str, Any]:
    """Return each mistake's marks in the diagnosable tests, if the solution's differ."""
    bank = [wrong for wrong in read_known_mistakes() if wrong.question == question.number]
    solution = Program(read_submission(SOLUTION), question.name)
    programs = [Program(wrong.submission, question.name) for wrong in bank]
    marks: Marks = {number: {} for number, of_test in cases.items() if of_test[0].diagnosable}
    for number, by_mark in marks.items():
        right = compute_mark(solution, cases[number])
        for i, program in enumerate(programs):
            mark = compute_mark(program, cases[number])
            if mark and mark != right:
                by_mark.setdefault(mark, []).append(i)
    return {"mistakes": marks, "says": [wrong.says for wrong in bank]}


def compute_mark(program: Program, cases: Sequence[Case]) -> str:
    return make_mark([outcome.mark for outcome in program.run_cases(cases)])
