"""A pytest plugin that runs the graded tests and gives points.

A graded test is a function with gradescope-utils' decorators, and one pytest item. It is called
with each of its cases, which share one worker and one limit. `pytest tests` runs the tests as any
suite, `make grade` and `make test` give points for them.
"""

import os
import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path

import pytest
from timeout_decorator import timeout

from autograder.checks.ask.decorators import read_limit, read_needs
from autograder.checks.ask.finding import Failed, Finding
from autograder.checks.ask.student import Student
from autograder.errors import GraderFault, GradingOver, UsageError, describe_fault, harmless
from autograder.feedback.diagnosis import make_fingerprint
from autograder.feedback.report import format_message
from autograder.feedback.results import Outcome, Progress, Report, Result, sort_key
from autograder.questions import OFF, ROOT, find_question
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import PreferenceCase
from autograder.settings import SETTINGS
from autograder.submission import Submission
from autograder.worker.sandbox import Sandbox

GRACE = 30.0  # seconds after the deadline for the grader's own code to end
PRINTED_AT_HOME = "(what it prints is shown only at home)"
FEW_CASES = 3  # fewer have something in common by chance
GradedFunction = Callable[..., None]


@dataclass
class GradedTest:
    """A graded test: its function, its result, and its first failing case, from 1."""

    function: GradedFunction
    result: Result
    failed_at: int = 0


class GradedTests:
    """A plugin that runs the graded tests and gives all points of a test, or none.

    Every test has one of four outcomes: passed, failed, the grader failed, or not run.
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
        """Prepare to fill in `report`; `changed` is called after each change of it."""
        self.submission, self.sandbox, self.cases = submission, sandbox, cases
        self.report, self.progress, self.changed = report or Report(), progress, changed
        self.tests: dict[str, GradedTest] = {}  # by number; all that were read
        self.failing: dict[str, bool] = {}  # of needed tests
        self.broken: BaseException | None = None  # an error in one of these hooks

    @pytest.fixture
    def student(self) -> None:
        """Declare what tests get; `find_failure` passes the student and the case to them."""

    case = student

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        graded = sorted(filter(find_number, items), key=lambda item: sort_key(find_number(item)))
        for item in graded:
            number, function = find_number(item), item.function  # type: ignore[attr-defined]
            result = Result(
                number,
                (function.__doc__ or item.name).strip().splitlines()[0],
                0 if self.report.alone else find_points(item),
                SETTINGS.visibility(number),
                SETTINGS.lists("pass_fail_only", number),
            )
            self.tests[number] = GradedTest(function, result)
            if self.submission.leaves_out(number) and result.visibility == "visible":
                self.report.left_out.append(find_points(item))
        items[:] = [item for item in graded if self.wants(find_number(item))]
        self.report.results = [self.tests[find_number(item)].result for item in items]
        self.changed()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Remember that a test file fails to import; without it there is no score."""
        if report.failed and self.broken is None:
            said = str(report.longrepr).strip().splitlines()
            name = Path(report.nodeid).name
            self.broken = GraderFault(f"{name} could not be read: {said[-1] if said else ''}")

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Remember the internal error instead of printing it."""
        self.broken = excinfo.value
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool | None:
        """Judge a graded test. A failure shows its message, not the grader's traceback."""
        test = self.tests.get(find_number(pyfuncitem))
        if test is None:
            return None
        try:
            self.judge(test)
        except Exception as error:  # in the progress or the report
            self.broken, pyfuncitem.session.shouldstop = error, "the grader failed"
            raise
        result = test.result
        if result.outcome is not Outcome.PASSED:
            if self.progress.stop_at_first and result.outcome is Outcome.FAILED:
                pyfuncitem.session.shouldfail = "the verdict is settled"
            raise pytest.fail.Exception(result.text, pytrace=False)
        return True

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
        """Fill in the result of a test. Any other exception is an error of the grader.

        A failed test stays failed: its other cases only help to identify the mistake. When the time
        limit of the grading is over, the results so far are final.
        """
        result, began = test.result, time.monotonic()
        self.progress.starts(result)
        try:
            student = self.make_student(test)
            try:
                # gradescope-utils' alarm interrupts the grader's own code if it hangs; the worker
                # has been killed by then.
                add_alarm(self.judge_cases, self.sandbox.deadline)(test, student)
            finally:
                student.finish()
        except GradingOver:
            pass
        except Exception as error:
            chosen = self.cases.chosen
            if chosen is not None and chosen.index is None:
                raise chosen.misfit(chosen.number) from error
            if result.outcome is Outcome.FAILED:
                with harmless(self.report.notes, result.number):
                    raise
            else:
                result.outcome, result.reason = Outcome.FAULT, describe_fault(error)
        finally:
            result.seconds = time.monotonic() - began
            result.after = self.find_first_need(test)
            result.text = format_message(result)
            self.progress.finished(result)
            self.changed()

    def judge_cases(self, test: GradedTest, student: Student) -> None:
        """Judge the cases of a test; after a failure, go on only to identify the mistake."""
        result, left = test.result, read_limit(test.function)
        failing: list[str] = []  # the trait of each case that fails
        passing: list[str] = []
        cases = self.draw_cases(result.number)
        diagnosable, notes = self.is_diagnosable(result), list[str]()
        for judged, case in enumerate(cases, 1):
            student.begin(left)
            finding = find_failure(test.function, student, case)
            left = student.session.remaining
            notes += student.log.notes
            result.moves += student.log.moves
            if diagnosable:
                result.traces.append(self.take_fingerprint(student))
            (passing if finding is None else failing).append(case.trait)
            if finding is not None and result.finding is None:
                result.outcome, result.finding = Outcome.FAILED, finding
                result.case = finding.case or case
                secret = student.log.printed and self.cases.are_secret(result.number)
                result.printed = PRINTED_AT_HOME if secret else student.log.printed
                test.failed_at = judged
            self.progress.case_judged(judged, len(cases))
            if finding is not None and (finding.stop or not diagnosable):
                break
        if result.finding is None:
            result.outcome, result.reason = Outcome.PASSED, "\n".join(notes)
        elif diagnosable and judged == len(cases) > 1:
            result.failing = describe_failing(failing, passing)

    def make_student(self, test: GradedTest, watch: bool = False) -> Student:
        """Return a student for a test; with `watch`, calls of searches are recorded."""
        number = test.result.number
        student = Student(self.submission, self.sandbox, self.cases, watch, number)
        student.find_failing_needs = partial(self.find_failing_needs, test, student)
        return student

    def draw_cases(self, number: str) -> list[Case]:
        """Return the cases of a test, as the submission gets them."""
        return [case.draw_for(self.submission.digest) for case in self.cases.load(number)]

    def find_first_need(self, test: GradedTest) -> str:
        """Return the number of a visible failing test that a failing test needs, or ""."""
        if test.result.outcome is not Outcome.FAILED or test.result.stub:
            return ""
        for number in read_needs(test.function):
            need = self.tests[number].result if number in self.tests else None
            if need and need.outcome is Outcome.FAILED and need.visibility == "visible":
                return need.after or number
        return ""

    def find_failing_needs(self, test: GradedTest, student: Student) -> list[str]:
        """Return the failing tests that a test needs; those that were not chosen are run."""
        for number in read_needs(test.function):
            need = self.tests.get(number)  # None if it is hidden from students
            if need and need.result.outcome is not Outcome.NOT_RUN:
                self.failing[number] = need.result.outcome is Outcome.FAILED
            elif need and number not in self.failing:
                student.end()  # one worker at a time
                with student.session.judging.paused():
                    other = Student(self.submission, self.sandbox, self.cases, test=number)
                    cases = self.cases.load(number)
                    self.failing[number] = bool(find_first_failing(need.function, other, cases))
        return [number for number in read_needs(test.function) if self.failing.get(number)]

    def take_fingerprint(self, student: Student) -> str:
        """Return the fingerprint of a case's observations, "" if it fails."""
        with harmless(self.report.notes, "a known mistake"):
            return make_fingerprint(student.log.summary())
        return ""

    def is_diagnosable(self, result: Result) -> bool:
        """Are all its cases run after a failure, to say more about the mistake?"""
        if self.cases.chosen or self.progress.stop_at_first:
            return False
        fingerprints, _ = self.cases.mistakes(result.number)
        pairs = self.cases.kind(result.number) is PreferenceCase
        return pairs or result.number in fingerprints


def describe_failing(failing: list[str], passing: list[str]) -> str:
    """Say how many cases fail, and their trait, if it is the same in all and not in the others."""
    fail = "fails" if len(failing) == 1 else "fail"
    text = f"{len(failing)} of {len(failing) + len(passing)} cases {fail}"
    traits = set(failing)
    if len(failing) >= FEW_CASES and len(traits) == 1 and {*passing} - traits:
        return f"{text}; {traits.pop()} in each of them"
    return text


def find_failure(function: GradedFunction, student: Student, case: Case) -> Finding | None:
    """Return the finding about a student's answers to one case, or None."""
    student.session.judging.switch(True)
    try:
        function(student=student, case=case)
        student.log.expect_answers()
    except Failed as failed:
        return failed.finding
    finally:
        student.session.judging.switch(False)
    return None


def find_first_failing(function: GradedFunction, student: Student, cases: Sequence[Case]) -> int:
    """Return the number of the first of these cases that fails, 0 for none; end student code."""
    student.begin(read_limit(function))
    try:
        found = (n for n, case in enumerate(cases, 1) if find_failure(function, student, case))
        return next(found, 0)
    finally:
        student.finish()


def add_alarm(function: Callable[..., None], deadline: float) -> Callable[..., None]:
    """Return the function with gradescope-utils' alarm soon after the deadline."""
    if deadline == inf or not hasattr(signal, "setitimer"):  # Windows and browsers have no alarm
        return function
    wrapped: Callable[..., None] = timeout(max(0.0, deadline - time.monotonic()) + GRACE)(function)
    return wrapped


def find_number(item: pytest.Item) -> str:
    """Return the number of an item's graded test, "" for any other test."""
    return getattr(getattr(item, "function", None), "__number__", "")


def find_points(item: pytest.Item) -> float:
    """Return what a graded test is worth, by the settings or by its decorator."""
    weight = getattr(item.function, "__weight__", 0)  # type: ignore[attr-defined]
    return SETTINGS.points.get(find_number(item), weight)


def run_pytest(plugin: GradedTests) -> None:
    """Let pytest run the chosen tests, without external plugins and settings.

    Raises KeyboardInterrupt if that ended it.
    """
    chosen = plugin.report.chosen
    tests = ROOT / "tests"
    if chosen is not None:  # collecting the others would take as long as a test
        try:
            question = find_question(chosen)
        except KeyError:
            return
        tests /= f"test_{question.number}_{question.name}.py"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    settings = str(ROOT / "autograder" / "grading" / "grading.ini")
    options = ["-c", settings, "--rootdir", str(ROOT), str(tests)]
    ended = pytest.main(options, plugins=[plugin])
    if isinstance(plugin.broken, BrokenPipeError | UsageError):  # no reader, or no such case
        raise plugin.broken
    if plugin.broken is not None:
        raise GraderFault(describe_fault(plugin.broken))
    if ended == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
