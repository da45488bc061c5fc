"""The graded tests as pytest sees them, and the plugin that turns their outcomes into points.

A graded test is a function with gradescope-utils' decorators, and one item of pytest's. It is
called with each of its cases; one worker and one limit serve all of them. `pytest tests` runs the
tests as any suite is run, `make grade` and `make test` give points for them.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import pytest
from timeout_decorator import timeout

from autograder.checks.finding import Failed, Finding
from autograder.checks.student import Student
from autograder.errors import GraderFault, GradingOver, harmless, in_words
from autograder.feedback.diagnosis import fingerprint
from autograder.feedback.progress import Progress
from autograder.feedback.report import as_text
from autograder.feedback.results import Outcome, Report, Result, sort_key
from autograder.questions import OFF, ROOT, question_of
from autograder.serving.case_files import Cases
from autograder.serving.cases import Case
from autograder.settings import FILE, SETTINGS
from autograder.submission import Submission
from autograder.worker.clock import limit_of
from autograder.worker.sandbox import Sandbox

GRACE = 30.0  # seconds after the deadline in which the grader's own part has to end
PRINTED_AT_HOME = "(what it prints is shown only at home)"
WEIGHT = re.compile(r"^@weight\((\d+(?:\.\d+)?)\)", re.M)
GradedFunction = Callable[..., None]


@dataclass
class GradedTest:
    """A graded test: its function, its result, and the first of its cases to fail, from 1."""

    function: GradedFunction
    result: Result
    failed_at: int = 0


class GradedTests:
    """Runs the graded tests on one submission and gives all points of a test, or none.

    Whatever happens ends in one of four outcomes: passed, failed, the grader failed (never the
    student's fault) or not run.
    """

    def __init__(
        self,
        submission: Submission,
        sandbox: Sandbox,
        cases: Cases = Cases(),
        report: Report | None = None,
        progress: Progress = Progress(),
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """`changed` is called whenever the report has changed."""
        self.submission, self.sandbox, self.cases = submission, sandbox, cases
        self.report, self.progress, self.changed = report or Report(), progress, changed
        self.tests: dict[str, GradedTest] = {}  # by number
        self.broken: BaseException | None = None  # what went wrong in a hook of ours

    # --- what pytest calls ------------------------------------------------------------------------

    @pytest.fixture
    def student(self) -> None:
        """`failure_of` gives the student to a test."""

    @pytest.fixture
    def case(self) -> None:
        """`failure_of` gives the case to a test."""

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Let `-k 2.3` choose a test by its number."""
        item.extra_keyword_matches.add(number_of(item))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.wants(number_of(item))]
        items.sort(key=lambda item: sort_key(number_of(item)))
        for item in items:
            number, function = number_of(item), item.function  # type: ignore[attr-defined]
            expect_no_decorator_about_showing(function)
            result = Result(
                number,
                (function.__doc__ or item.name).strip().splitlines()[0],
                getattr(function, "__weight__", 0),
                SETTINGS.visibility(number),
                list(getattr(function, "__tags__", [])),
                SETTINGS.lists("pass_fail_only", number),
            )
            self.tests[number] = GradedTest(function, result)
        self.report.results += [test.result for test in self.tests.values()]
        self.report.results.sort(key=lambda result: sort_key(result.number))
        self.changed()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report a test file that fails to import; otherwise its points would vanish."""
        if not report.failed:
            return
        path = Path(report.nodeid)
        question = re.match(r"test_(\d+)_", path.name)
        number = question[1] if question else path.name or "the tests"
        said = str(report.longrepr).strip().splitlines()
        weights: list[str] = []
        with contextlib.suppress(OSError):
            weights = WEIGHT.findall((ROOT / path).read_text(encoding="utf-8", errors="replace"))
        self.report.results.append(
            Result(
                number,
                f"{path.name} could not be read",
                sum(map(float, weights)),
                outcome=Outcome.FAULT,
                reason=f"the grader's own file is faulty: {said[-1] if said else ''}",
            )
        )

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Remember the internal error instead of printing it."""
        self.broken = excinfo.value
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Judge a graded test. One that fails shows its message, not the grader's own lines."""
        test = self.tests.get(number_of(pyfuncitem))
        if test is None:
            return None
        try:
            self.judge(test)
        except Exception as error:  # in showing the progress, or keeping the report
            self.broken, pyfuncitem.session.shouldstop = error, "the grader failed"
            raise
        result = test.result
        if result.outcome is not Outcome.PASSED:
            if self.progress.stop_at_first and result.outcome is Outcome.FAILED:
                pyfuncitem.session.shouldfail = "the verdict is settled"
            raise pytest.fail.Exception(as_text(result), pytrace=False)
        return True

    # --- judging ----------------------------------------------------------------------------------

    def wants(self, number: str) -> bool:
        """Should the test with this number run?"""
        if not number or number.split(".")[0] in [row.number for row in OFF]:
            return False
        chosen = self.report.chosen
        if chosen is None:
            asked = not self.submission.leaves_out(number)
        else:
            asked = f"{number}.".startswith(f"{chosen}.")
        return asked and self.progress.wants(number)

    def judge(self, test: GradedTest) -> None:
        """Fill in the result of a test. Whatever else is raised is the grader's fault.

        A test that has failed stays so: its other cases only tell more of the mistake. When the
        time for the whole grading is over, what is known by then stays.
        """
        result, began = test.result, time.monotonic()
        self.progress.starts(result)
        try:
            student = Student(self.submission, self.sandbox, self.cases)
            try:
                # The package's alarm, where the system has one, ends a part of the grader's that
                # hangs. No student code can be the reason: its worker has been killed by then.
                alarmed(self.judge_cases, self.sandbox.deadline)(test, student)
            finally:
                student.finish()
        except GradingOver:
            pass
        except Exception as error:
            if result.outcome is Outcome.FAILED:
                with harmless(self.report.notes, result.number):
                    raise
            else:
                result.outcome, result.reason = Outcome.FAULT, in_words(error)
        finally:
            result.seconds = time.monotonic() - began
            self.progress.finished(result)
            self.changed()

    def judge_cases(self, test: GradedTest, student: Student) -> None:
        """Judge the cases of a test; after a failure, go on only to identify the mistake."""
        result, left, failing = test.result, limit_of(test.function), 0
        cases = [case.drawn_for(self.submission.digest) for case in self.cases.load(result.number)]
        diagnosable = self.is_diagnosable(result)
        for judged, case in enumerate(cases, 1):
            student.begin(left)
            finding = failure_of(test.function, student, case)
            left = student.remaining
            if diagnosable:
                result.traces.append(self.fingerprint_of(student))
            if finding is not None:
                failing += 1
                if result.finding is None:
                    result.outcome, result.finding = Outcome.FAILED, finding
                    result.case, result.printed = finding.case or case, self.shown(student, result)
                    test.failed_at = judged
            self.progress.case_judged(judged, len(cases))
            if finding is not None and (finding.stop or not diagnosable):
                break
        result.moves = student.moves
        if result.finding is None:
            result.outcome, result.reason = Outcome.PASSED, "\n".join(student.notes)
        elif diagnosable and judged == len(cases) > 1:
            fail = "fails" if failing == 1 else "fail"
            result.failing = f"{failing} of {len(cases)} cases {fail}"

    def shown(self, student: Student, result: Result) -> str:
        """Return what student code printed; where cases are secret, they could stand in it."""
        secret = self.cases.are_secret(result.number)
        return PRINTED_AT_HOME if secret and student.printed else student.printed

    def fingerprint_of(self, student: Student) -> str:
        """Return the fingerprint of what was observed in a case, "" if it can't be had."""
        with harmless(self.report.notes, "a known mistake"):
            return fingerprint(student.trace_of_case())
        return ""

    def is_diagnosable(self, result: Result) -> bool:
        """Are all its cases run, whatever fails, so that a known mistake can be identified?"""
        if self.cases.chosen or self.progress.stop_at_first:
            return False
        fingerprints, _ = self.cases.mistakes(result.number)
        return result.number in fingerprints


def failure_of(function: GradedFunction, student: Student, case: Case) -> Finding | None:
    """Return what is wrong with a student's answers to one case, None if nothing is."""
    try:
        function(student=student, case=case)
        student.expect_answers()
    except Failed as failed:
        return failed.finding
    return None


def expect_no_decorator_about_showing(test: Any) -> None:
    """Raises GraderFault where a test has a decorator for what `assignment.toml` says."""
    for name, instead in (
        ("visibility", "after_due_date, after_published or hidden"),
        ("hide_errors", "pass_fail_only"),
    ):
        if hasattr(test, f"__{name}__"):
            raise GraderFault(
                f"test {test.__number__} has @{name}: list it in {FILE.name} instead, as {instead}"
            )


def alarmed(function: Callable[..., None], deadline: float) -> Callable[..., None]:
    """Let the package's alarm, where the system has one, end a function soon after the deadline."""
    if deadline == inf or not hasattr(signal, "setitimer"):  # Windows and the browser have none
        return function
    wrapped: Callable[..., None] = timeout(max(0.0, deadline - time.monotonic()) + GRACE)(function)
    return wrapped


def number_of(item: pytest.Item | None) -> str:
    """Return the number of an item's test, "" if it is no graded test."""
    return getattr(getattr(item, "function", None), "__number__", "")


def run_pytest(plugin: GradedTests) -> None:
    """Let pytest run the chosen tests, closed to plugins and settings from outside.

    Raises KeyboardInterrupt where that ended it.
    """
    chosen = plugin.report.chosen
    tests = ROOT / "tests"
    if chosen is not None:  # to collect the others would take as long as some tests do
        try:
            question = question_of(chosen)
        except KeyError:
            return
        tests /= f"test_{question.number}_{question.name}.py"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    settings = str(ROOT / "autograder" / "grading" / "grading.ini")
    options = ["-c", settings, "--rootdir", str(ROOT), str(tests)]
    ended = pytest.main(options, plugins=[plugin])
    if isinstance(plugin.broken, BrokenPipeError):  # nobody reads what is printed
        raise plugin.broken
    if plugin.broken is not None:
        raise GraderFault(in_words(plugin.broken))
    if ended == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
