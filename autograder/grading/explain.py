"""Explain failures in more detail, after all verdicts are final.

Nothing here can change a verdict or end a grading: an error costs one explanation, and a note
reports it. All explanations share a time budget.
"""

import inspect
import time
from dataclasses import replace
from functools import cache
from itertools import groupby
from types import CodeType

from autograder.checks.ask.decorators import read_limit
from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.search.call_check import explain_by_calls
from autograder.errors import harmless
from autograder.feedback.diagnosis import name_mistakes
from autograder.feedback.report import format_message
from autograder.feedback.results import Result
from autograder.grading.pytest_plugin import (
    GradedTest,
    GradedTests,
    add_alarm,
    find_failure,
    find_first_failing,
)
from autograder.questions import find_question
from autograder.serving.case import Case
from autograder.serving.cases import GamesCase, PositionsCase, SearchCase
from autograder.submission import Submission

BUDGET_S = 60.0  # of the wall clock, for all failures of a grading
REPEATS = 3  # code that fails in half of all runs seems to depend on earlier cases with chance 1/64


def explain(tests: GradedTests) -> None:
    """Explain each failed test: name the mistake, and show where it occurs."""
    if tests.progress.stop_at_first:
        return
    report, sandbox = tests.report, tests.sandbox
    sandbox.deadline = min(sandbox.deadline, time.monotonic() + BUDGET_S)
    for question, group in groupby(report.results, lambda result: result.question):
        results = list(group)
        if any(tests.is_diagnosable(result) for result in results if result.finding):
            with harmless(report.notes, f"question {question}"):
                name_mistakes(results, *tests.cases.mistakes(results[0].number))
    for test in tests.tests.values():
        finding = test.result.finding
        if finding is not None:
            with harmless(report.notes, test.result.number):
                add_alarm(rerun_traced, sandbox.deadline)(tests, test, finding)
                name_generator(tests.submission, test.result)
                drop_other_diagnosis(test.result)
            test.result.text = format_message(test.result)


def name_generator(submission: Submission, result: Result) -> None:
    """Say first which function has `yield`, if one has that the question asks for."""
    question, finding = find_question(result.number), result.finding
    if finding is None or result.stub or finding.code.startswith("not-loaded"):
        return
    for name in find_generators(submission.files.get(question.file, b"")):
        if name in question.functions:
            hints = Hint("generator", {"function": name}), *finding.hints
            result.finding = replace(finding, hints=hints)


@cache
def find_generators(source: bytes) -> list[str]:
    """Return the functions of a file that have `yield`. All tests of a question ask for them."""
    constants = compile(source, "", "exec", dont_inherit=True).co_consts
    functions = [part for part in constants if isinstance(part, CodeType)]
    return [part.co_name for part in functions if part.co_flags & inspect.CO_GENERATOR]


def drop_other_diagnosis(result: Result) -> None:
    """Drop the name of a mistake that the calls may contradict.

    It fits this test alone, or is about another kind of search than negamax.
    """
    if finding := result.finding:
        other = "call-end-negamax" in finding.hint_names and "negamax" not in result.diagnosis
        if other or (result.in_this_test and finding.shows_a_call):
            result.diagnosis = ""


def rerun_traced(tests: GradedTests, test: GradedTest, finding: Finding) -> None:
    """Rerun the first failing case alone, in a worker that records calls.

    This shows the arguments of each call. If the case now passes, either an earlier case caused the
    failure, or chance did.
    """
    case = test.result.case
    # One of many positions or games: earlier ones may matter.
    positions = isinstance(case, (PositionsCase, GamesCase))
    if case is None or finding.stop or case.number != test.result.number:
        return  # it was made for another test
    if not (case.diagnosable or positions):
        return
    student = tests.make_student(test, watch=True)
    try:
        student.begin(read_limit(test.function))
        again = find_failure(test.function, student, case)
        if again is None and (test.failed_at > 1 or positions):
            student.end()  # one worker at a time
            stored = depends_on_earlier_cases(tests, test, case)
            hints = (Hint("stored-between" if stored else "fails-by-chance"), *finding.hints)
            test.result.finding = replace(finding, hints=hints, reproducible=False)
        elif again is not None and again.code.startswith(finding.code):
            if isinstance(case, SearchCase) and student.log.server is not None:
                again = explain_by_calls(again, case, student.log.server)
            test.result.finding = again
    finally:
        student.end()


def depends_on_earlier_cases(tests: GradedTests, test: GradedTest, case: Case) -> bool:
    """Does a case fail after the cases before it, and pass without them, each time?"""
    before = tests.draw_cases(test.result.number)[: test.failed_at]
    return all(
        find_first_failing(test.function, tests.make_student(test), before) == test.failed_at
        and not find_first_failing(test.function, tests.make_student(test), [case])
        for _ in range(REPEATS)
    )
