"""The graded tests as pytest sees them, and the plugin that adds their outcomes up into points.

A graded test is a function with gradescope-utils' decorators. Each of its cases is an item of
pytest's, named e.g. `2.3/1`; all of them share one worker and one limit. `pytest tests` runs them
as any suite is run (`GradedTests`), `make grade` and `make test` give points for them (`Scoring`).
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from timeout_decorator import timeout

from autograder.checks.finding import Failed
from autograder.checks.student import Student
from autograder.errors import GraderFault, GradingOver, harmless, in_words
from autograder.feedback.diagnosis import fingerprint
from autograder.feedback.messages import words
from autograder.feedback.progress import Progress
from autograder.feedback.report import as_text
from autograder.feedback.results import Outcome, Report, Result, sort_key
from autograder.questions import OFF, ROOT, question_of
from autograder.serving.cases import Case, Cases
from autograder.settings import FILE, SETTINGS
from autograder.submission import Submission
from autograder.worker.clock import limit_of
from autograder.worker.sandbox import Sandbox

GRACE = 30.0  # seconds after the deadline in which the grader's own part has to end
PRINTED_AT_HOME = "(what it prints is shown only at home)"
WEIGHT = re.compile(r"^@weight\((\d+(?:\.\d+)?)\)", re.M)


@dataclass
class GradedRun:
    """A graded test under way.

    test:   its function
    left:   seconds that its cases may still take together
    cases:  how many there are
    judged: how many of them have been judged
    over:   why no more of them are run, "" while they are
    case:   the one that is being judged
    failed_at: which of them was the first to fail, from 1
    failing: how many of them have failed
    began:  the moment, of time.monotonic, at which the first of them began
    """

    result: Result
    student: Student
    test: Callable[..., None]
    left: float
    cases: int = 0
    judged: int = 0
    over: str = ""
    case: Case | None = None
    failed_at: int = 0
    failing: int = 0
    began: float | None = None


class GradedTests:
    """Runs the graded tests on one submission: `pytest tests --submission PATH`."""

    def __init__(self, submission: Submission, sandbox: Sandbox, cases: Cases = Cases()) -> None:
        self.submission, self.sandbox, self.cases = submission, sandbox, cases
        self.runs: dict[str, GradedRun] = {}

    def wants(self, number: str) -> bool:
        """Is the test with this number to be run?"""
        return bool(number) and number.split(".")[0] not in [row.number for row in OFF]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make an item of each case. A fault in reading them is one item, which raises it."""
        number = number_of(metafunc.definition)
        if not number or "case" not in metafunc.fixturenames:
            return
        cases = list[Case | Exception]()
        try:
            loaded = self.cases.load(number) if self.wants(number) else []
            cases += [case.drawn_for(self.submission.digest) for case in loaded]
        except Exception as fault:
            cases = [fault]
        names = [f"{number}/{i}" for i, _ in enumerate(cases, 1)]
        metafunc.parametrize("case", cases, ids=names)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: sort_key(number_of(item)))
        for item in items:
            number = number_of(item)
            if number and number not in self.runs:
                test = item.function  # type: ignore[attr-defined]
                expect_no_decorator_about_showing(test)
                result = Result(
                    number,
                    (test.__doc__ or item.name).strip().splitlines()[0],
                    getattr(test, "__weight__", 0),
                    SETTINGS.visibility(number),
                    list(getattr(test, "__tags__", [])),
                    SETTINGS.lists("pass_fail_only", number),
                )
                student = Student(self.submission, self.sandbox, self.cases)
                self.runs[number] = GradedRun(result, student, test, limit_of(test))
            if number:
                self.runs[number].cases += 1

    @pytest.fixture
    def student(self, request: pytest.FixtureRequest, case: Case | Exception) -> Student:
        """The student, ready for one case. It keeps the worker of the cases before."""
        run = self.runs[number_of(request.node)]
        if run.over:
            pytest.skip(run.over)
        if isinstance(case, Exception):
            raise case
        run.student.begin(run.left)
        return run.student

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """Judge one case. One that fails shows its message, not the grader's own lines."""
        run = self.runs.get(number_of(item))
        if run is None:
            return (yield)
        run.case = case = item.funcargs["case"]  # type: ignore[attr-defined]
        try:
            done = yield
            run.student.expect_answers()
        except Failed as raised:
            run.judged += 1
            failed = replace(
                run.result,
                outcome=Outcome.FAILED,
                finding=raised.finding,
                case=raised.finding.case or case,
                printed=self.shown_of(run),
            )
            self.judged(run, failed)
            raise pytest.fail.Exception(as_text(failed), pytrace=False) from None
        run.judged += 1
        self.judged(run, None)
        return done

    def shown_of(self, run: GradedRun) -> str:
        """Return what student code printed; where cases are secret, they could stand in it."""
        secret = self.cases.are_secret(run.result.number)
        return PRINTED_AT_HOME if secret and run.student.printed else run.student.printed

    def judged(self, run: GradedRun, failed: Result | None) -> None:
        """The hook for what follows from a case: set `run.over`, and no more of them are run.

        failed: what the result would be by this case alone, None if it passed

        Here the rest is skipped only where it would show the same, or take as long.
        """
        if failed is not None and failed.finding is not None and failed.finding.stop:
            run.over = f"{words(failed.finding).message}, in a case before"

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """End the worker, unless a case of the same test follows."""
        run = self.runs.get(number_of(item))
        if run is not None:
            run.left = run.student.left
            if number_of(nextitem) != run.result.number:
                run.student.finish()

    def pytest_sessionfinish(self) -> None:
        """End the worker of a test that was interrupted."""
        for run in self.runs.values():
            run.student.end()


class Scoring(GradedTests):
    """Adds up what the tests that are wanted are worth.

    A test gets its points only if all its cases passed. Whatever happens ends in one of four
    outcomes: passed, failed, the grader failed (never the student's fault) or not run.
    """

    def __init__(
        self,
        submission: Submission,
        sandbox: Sandbox,
        cases: Cases,
        report: Report,
        progress: Progress,
        changed: Callable[[], None],
    ) -> None:
        """`changed` is called whenever the report has changed."""
        super().__init__(submission, sandbox, cases)
        self.report, self.progress, self.changed = report, progress, changed
        self.broken: BaseException | None = None  # what went wrong in a hook of ours

    def pytest_internalerror(self, excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
        """Keep what would only be printed, as Python's traceback."""
        self.broken = excinfo.value
        return True

    def wants(self, number: str) -> bool:
        chosen = self.report.chosen
        asked = (
            not self.submission.leaves_out(number)
            if chosen is None
            else f"{number}.".startswith(f"{chosen}.")
        )
        return super().wants(number) and asked and self.progress.wants(number)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A file that can't be read counts too, or a part of the points would look like all."""
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

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self.wants(number_of(item))]
        super().pytest_collection_modifyitems(items)
        self.report.results += [run.result for run in self.runs.values()]
        self.report.results.sort(key=lambda result: sort_key(result.number))
        self.changed()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Generator[None, Any, Any]:
        """Tell of each test when its first case begins and when its last has ended."""
        run = self.runs[number_of(item)]
        if run.began is None:
            run.began = time.monotonic()
            self.progress.starts(run.result)
        last = True  # if it is interrupted
        try:
            done = yield
            last = number_of(nextitem) != run.result.number
            return done
        finally:
            if last:
                run.result.seconds = time.monotonic() - run.began
                if self.progress.stop_at_first and run.result.outcome is Outcome.FAILED:
                    item.session.shouldfail = "the verdict is settled"
                self.progress.finished(run.result)
                self.changed()

    def pytest_runtest_setup(self, item: pytest.Function) -> None:
        """The package's alarm, where the system has one, ends the grader's own part if it hangs.

        That is the grader's fault. No student code can be the reason: its worker is gone by then.
        """
        item.obj = alarmed(item.obj, self.sandbox.deadline)

    def judged(self, run: GradedRun, failed: Result | None) -> None:
        """After a failure go on only where the rest tells more of the mistake; give the verdict."""
        result = run.result
        if failed and not result.finding:
            result.outcome, result.finding = failed.outcome, failed.finding
            result.case, result.printed = failed.case, failed.printed
            run.failed_at = run.judged
        if self.looks_closely(result):
            result.traces.append(self.mark(run.student))
            run.failing += failed is not None
        super().judged(run, failed)
        self.progress.case_judged(run.judged, run.cases)
        if failed and not self.looks_closely(result):
            run.over = run.over or "a case before has failed"
        if not run.over and run.judged < run.cases:
            return
        result.moves = run.student.moves
        if not result.finding:
            result.outcome, result.reason = Outcome.PASSED, "\n".join(run.student.remarks)
        elif run.failing and run.judged == run.cases > 1:
            fail = "fails" if run.failing == 1 else "fail"
            result.failing = f"{run.failing} of {run.cases} cases {fail}"

    def mark(self, student: Student) -> str:
        """Return a mark of what was observed of a case; none if that can't be had."""
        with harmless(self.report.notes, "a known mistake"):
            return fingerprint(student.trace())
        return ""

    def looks_closely(self, result: Result) -> bool:
        """Are all its cases run, whatever fails, so that a known mistake can be told?"""
        if self.cases.chosen or self.progress.stop_at_first:
            return False
        marks, _ = self.cases.mistakes(result.number)
        return result.number in marks

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Whatever a phase of a case raises is the grader's fault, unless it is a verdict.

        A test that has failed stays so: its other cases only tell more of the mistake. When the
        time for the whole grading is over, what is known by then stays.
        """
        run = self.runs[number_of(item)]
        error = call.excinfo.value if call.excinfo else None
        skipped = run.over and isinstance(error, pytest.skip.Exception)
        if error is not None and not skipped and not isinstance(error, pytest.fail.Exception):
            run.over = run.over or "the grading of this test has ended"
            if run.result.outcome is Outcome.FAILED:
                with harmless(self.report.notes, run.result.number):
                    raise error
            elif not isinstance(error, GradingOver):
                run.result.outcome, run.result.reason = Outcome.FAULT, in_words(error)
        return (yield)


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
    if not hasattr(signal, "setitimer"):  # Windows and the browser have none
        return function
    wrapped: Callable[..., None] = timeout(max(0.0, deadline - time.monotonic()) + GRACE)(function)
    return wrapped


def number_of(item: pytest.Item | None) -> str:
    """Return the number of an item's test, "" if it is no graded test."""
    return getattr(getattr(item, "function", None), "__number__", "")


def run_pytest(plugin: Scoring) -> None:
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
