"""Says more about failures than their verdicts do, once all of these are given.

Nothing here can change a verdict or end a grading: whatever goes wrong costs one explanation, and a
note says so. All explanations together have a time budget.
"""

from __future__ import annotations

import time
from itertools import groupby

from autograder.checks.call_explanation import explain_slip
from autograder.checks.finding import Wrong
from autograder.checks.student import Student
from autograder.errors import harmless
from autograder.feedback.diagnosis import name_mistakes
from autograder.grading.pytest_plugin import GradedRun, Scoring, alarmed
from autograder.serving.cases import PositionsCase, SearchCase
from autograder.worker.clock import limit_of

BUDGET_S = 60.0  # of the wall clock, for all failures of a grading
PASSES_ALONE = (
    "alone, in a new process, this case passes: is something kept between searches, in a variable "
    "outside the functions or a default argument? Or is there chance in it?"
)


def explain(scoring: Scoring) -> None:
    """Say more about each failed test of a grading: which mistake it is, and where it shows."""
    if scoring.progress.stop_at_first:
        return
    report, sandbox = scoring.report, scoring.sandbox
    sandbox.deadline = min(sandbox.deadline, time.monotonic() + BUDGET_S)
    for question, group in groupby(report.results, lambda result: result.question):
        results = list(group)
        if any(scoring.looks_closely(result) for result in results if result.wrong):
            with harmless(report.notes, f"question {question}"):
                name_mistakes(results, *scoring.cases.mistakes(results[0].number))
    for run in scoring.runs.values():
        wrong = run.result.wrong
        if wrong is not None:
            with harmless(report.notes, run.result.number):
                alarmed(watch, sandbox.deadline)(scoring, run, wrong)


def watch(scoring: Scoring, run: GradedRun, wrong: Wrong) -> None:
    """Run the first case that failed alone, in a worker that is watched.

    So it can be shown with which arguments functions were called; and a case that passes alone has
    failed because of those before it.
    """
    case = run.result.case
    positions = isinstance(case, PositionsCase)  # one of many: those before it may matter
    if case is None or wrong.final or not (case.telling or positions):
        return
    student = Student(scoring.submission, scoring.sandbox, scoring.cases, watch=True)
    try:
        student.begin(limit_of(run.test))
        run.test(student=student, case=case)
        student.expect_answers()
    except Wrong as again:
        if again.code == wrong.code:
            again = again.with_traceback(None)
            if isinstance(case, SearchCase) and student.served is not None:
                explain_slip(again, case, student.served)
            run.result.wrong = again
    else:
        if run.failed_at > 1 or positions:
            wrong.alone = False
            wrong.where.insert(0, PASSES_ALONE)
    finally:
        student.end()
