"""Run the banks' programs on cases in this process; others need a sandbox.

A hash of all that a known mistake shows in a test is stored with the cases. A submission with the
same hash is reported as having made this mistake.
"""

import random
import sys
from collections.abc import Iterable, Sequence
from functools import cache, partial
from math import inf
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

from autograder.author.bank import SOLUTION, Entry, read_known_mistakes
from autograder.checks.ask.decorators import read_needs
from autograder.checks.ask.student import Student
from autograder.checks.search import search_diagram
from autograder.diagram import Node, Tree
from autograder.feedback.diagnosis import make_fingerprint, make_mark
from autograder.grading.try_case import LocalTransport, find_graded_test
from autograder.questions import Question
from autograder.serving.case import Case
from autograder.serving.cases import SeededCase
from autograder.submission import Submission, read_submission

NO_DRAWING = Tree(Node(""))  # of a search, which nobody sees here


class CaseOutcome(NamedTuple):
    """A case's outcome: whether the test failed, and a hash of all observations."""

    failed: bool
    mark: str


class Program(Student):
    """One question file of a submission, as graded tests use it."""

    def __init__(self, submission: Submission, question: str) -> None:
        super().__init__(submission, LocalTransport(lambda file: self.module))
        self.code = compile(submission.files[f"{question}.py"], f"{question}.py", "exec")
        self.module = ModuleType(f"starter.{question}")

    def run_cases(self, cases: Iterable[Case]) -> list[CaseOutcome]:
        """Run the graded tests of these cases, one after the other in a new module."""
        name = self.module.__name__
        self.module = sys.modules[name] = ModuleType(name)
        self.module.__package__ = "starter"
        exec(self.code, self.module.__dict__)
        outcomes = [
            CaseOutcome(self.fails(case), make_fingerprint(self.log.summary())) for case in cases
        ]
        del sys.modules[name]
        return outcomes

    def fails_alone(self, case: Case) -> bool:
        """Does the graded test of this case fail in a new module?"""
        return self.run_cases([case])[0].failed

    def run_needs(self, numbers: Sequence[str]) -> list[str]:
        """Return which of these tests fail; the log remains that of the case."""
        log, failing = self.log, []
        for number in numbers:
            cases = self.cases.load(number)
            failing += [number] * any(map(self.fails, cases))
        self.log = log
        return failing

    def fails(self, case: Case) -> bool:
        """Run the graded test of this case; its log remains."""
        random.seed(0)  # for a program that draws from the module's generator
        self.begin(inf)
        test = find_graded_test(case.number)
        self.find_failing_needs = partial(self.run_needs, read_needs(test))
        try:
            with patch.object(search_diagram, "describe_tree", lambda *_: NO_DRAWING):
                test(student=self, case=case)
            self.log.expect_answers()
        except Exception:  # Failed, or an error of the program
            return True
        return False


def find_marks(question: Question, cases: Sequence[Case]) -> dict[str, list[int]] | None:
    """Return the marks of known mistakes on a test's cases, where the solution's differ.

    A mistake is its index in the bank. None for cases that identify no mistake. A program may draw
    other random moves and pass, so a mistake that passes cases with a seed has no mark there.
    """
    if not cases[0].diagnosable:
        return None
    solution, programs = load_programs(question)
    right = make_mark([outcome.mark for outcome in solution.run_cases(cases)])
    marks: dict[str, list[int]] = {}
    for i, program in enumerate(programs):
        outcomes = program.run_cases(cases)
        mark = make_mark([outcome.mark for outcome in outcomes])
        passes = isinstance(cases[0], SeededCase) and not any(it.failed for it in outcomes)
        if mark and mark != right and not passes:
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
