"""Says more about failures than their verdicts do, once all of these are given.

Nothing here can change a verdict or end a grading: whatever goes wrong costs one explanation, and a
note says so. All explanations together have a time budget.
"""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import groupby

from autograder.checks.call_explanation import explained
from autograder.checks.finding import Failed, Finding, Hint
from autograder.checks.student import Student
from autograder.errors import harmless
from autograder.feedback.diagnosis import name_mistakes
from autograder.grading.pytest_plugin import GradedRun, Scoring, alarmed
from autograder.serving.cases import PositionsCase, SearchCase
from autograder.worker.clock import limit_of

BUDGET_S = 60.0  # of the wall clock, for all failures of a grading


def explain(scoring: Scoring) -> None:
    """Say more about each failed test of a grading: which mistake it is, and where it shows."""
    if scoring.progress.stop_at_first:
        return
    report, sandbox = scoring.report, scoring.sandbox
    sandbox.deadline = min(sandbox.deadline, time.monotonic() + BUDGET_S)
    for question, group in groupby(report.results, lambda result: result.question):
        results = list(group)
        if any(scoring.looks_closely(result) for result in results if result.finding):
            with harmless(report.notes, f"question {question}"):
                name_mistakes(results, *scoring.cases.mistakes(results[0].number))
    for run in scoring.runs.values():
        finding = run.result.finding
        if finding is not None:
            with harmless(report.notes, run.result.number):
                alarmed(rerun_traced, sandbox.deadline)(scoring, run, finding)


def rerun_traced(scoring: Scoring, run: GradedRun, finding: Finding) -> None:
    """Run the first case that failed again, alone, in a worker that records calls.

    This shows the arguments of each call. If the case now passes, an earlier case caused the
    failure.
    """
    case = run.result.case
    positions = isinstance(case, PositionsCase)  # one of many: those before it may matter
    if case is None or finding.stop or not (case.telling or positions):
        return
    student = Student(scoring.submission, scoring.sandbox, scoring.cases, watch=True)
    try:
        student.begin(limit_of(run.test))
        run.test(student=student, case=case)
        student.expect_answers()
    except Failed as failed:
        again = failed.finding
        if again.code == finding.code:
            if isinstance(case, SearchCase) and student.served is not None:
                again = explained(again, case, student.served)
            run.result.finding = again
    else:
        if run.failed_at > 1 or positions:
            hints = (Hint("passes-alone"), *finding.hints)
            run.result.finding = replace(finding, hints=hints, reproducible=False)
    finally:
        student.end()
