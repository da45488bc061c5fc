"""Run the banks' programs on cases in this process; others need a sandbox.

A hash of all that a known mistake shows in a test is stored with the cases. A submission with the
same hash is reported as having made this mistake.
"""

import random
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from math import inf
from types import ModuleType
from typing import NamedTuple
from unittest.mock import patch

from autograder.author.bank import SOLUTION, Entry, read_known_mistakes
from autograder.checks.ask.decorators import read_needs
from autograder.checks.ask.student import Student
from autograder.checks.search import answer, search_diagram, search_findings
from autograder.diagram import Node, Tree
from autograder.feedback.diagnosis import make_fingerprint, make_mark
from autograder.grading.try_case import LocalTransport, find_graded_test
from autograder.questions import Question
from autograder.serving.case import Case
from autograder.serving.cases import SeededCase
from autograder.submission import Submission, read_submission


class CaseOutcome(NamedTuple):
    """A case's outcome: whether the test failed, and a hash of all observations."""

    failed: bool
    mark: str


class Program(Student):
    """One question file of a submission, as graded tests use it."""

    def __init__(self, submission: Submission, question: str) -> None:
        super().__init__(submission, LocalTransport(lambda file: self.module))
        self.source = submission.files[f"{question}.py"]
        self.code = compile(self.source, f"{question}.py", "exec")
        self.module = ModuleType(f"starter.{question}")

    @contextmanager
    def loaded(self) -> Iterator[None]:
        """Load the file as a new module for the tests run meanwhile."""
        name = self.module.__name__
        self.module = sys.modules[name] = ModuleType(name)
        self.module.__package__ = "starter"
        exec(self.code, self.module.__dict__)
        with (
            patch.object(search_diagram, "describe_tree", lambda *_: Tree(Node(""))),  # unseen
            patch.object(answer, "add_cause", lambda finding, _: finding),
        ):
            yield
        del sys.modules[name]

    def read_parts(self, functions: Collection[str]) -> str:
        """Return the text of the file; of its functions, only these."""
        function = r"(?m)^def (\w+).*\n(?:(?:[ )#].*)?\n)*"  # down to the next statement
        text = self.source.decode()
        return re.sub(function, lambda one: one[0] if one[1] in functions else "", text)

    def run_cases(self, cases: Iterable[Case], judge: bool = True) -> list[CaseOutcome]:
        """Run the graded tests of these cases, one after the other in a new module.

        judge: otherwise a test of one served search ends after the search, as failed
        """
        stop = patch.object(search_findings, "SearchRun", None)  # calling it raises TypeError
        with self.loaded(), nullcontext() if judge else stop:
            return [
                CaseOutcome(self.fails(case), make_fingerprint(self.log.summary()))
                for case in cases
            ]

    def fails_alone(self, case: Case) -> bool:
        """Does the graded test of this case fail in a new module?"""
        with self.loaded():
            return self.fails(case)

    def run_needs(self, numbers: Sequence[str]) -> list[str]:
        """Return which of these tests fail; the log remains that of the case."""
        log = self.log
        failing = [number for number in numbers if any(map(self.fails, self.cases.load(number)))]
        self.log = log
        return failing

    def fails(self, case: Case) -> bool:
        """Run the graded test of this case; its log remains."""
        random.seed(0)  # for a program that draws from the module's generator
        self.begin(inf)
        test = find_graded_test(case.number)
        self.find_failing_needs = partial(self.run_needs, read_needs(test))
        try:
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
    seeded = isinstance(cases[0], SeededCase)  # then a mistake's verdict matters
    solution = Program(read_submission(SOLUTION), question.name)
    called = set[str]()
    sys.setprofile(lambda frame, *_: called.add(frame.f_code.co_name))
    try:
        right = make_mark([outcome.mark for outcome in solution.run_cases(cases, judge=seeded)])
    finally:
        sys.setprofile(None)
    parts = solution.read_parts(called)
    marks: dict[str, list[int]] = {}
    for i, mistake in enumerate(find_mistakes(question)):
        program = load_program(mistake, question)
        if program.read_parts(called) == parts:
            continue  # it differs in functions that this test does not call
        outcomes = program.run_cases(cases, judge=seeded)
        mark = make_mark([outcome.mark for outcome in outcomes])
        passes = seeded and not any(it.failed for it in outcomes)
        if mark and mark != right and not passes:
            marks.setdefault(mark, []).append(i)
    return marks


def find_mistakes(question: Question) -> list[Entry]:
    """Return the known mistakes of a question, in the bank's order."""
    return [wrong for wrong in read_known_mistakes() if wrong.question == question.number]


@cache
def load_program(mistake: Entry, question: Question) -> Program:
    """Return the question's file of a submission with a known mistake, as a program."""
    return Program(mistake.submission, question.name)
