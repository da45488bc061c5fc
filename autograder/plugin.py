"""The pytest plugin that turns the graded tests' outcomes into points.

A graded test is a function with gradescope-utils' decorators; it is called once for every case of
its number, with a worker of its own. Only a test whose every case passed gets its points. Whatever
happens ends in one of four outcomes: passed, failed, the grader failed (never the student's fault)
or not run.
"""

from __future__ import annotations

import contextlib
import re
import signal
import time
import traceback
from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from timeout_decorator import timeout

from autograder.cases import Case, Cases
from autograder.diagnosis import fingerprint, mark_of
from autograder.results import Outcome, Result, sort_key
from autograder.sandbox import GraderFault, GradingOver, Sandbox
from autograder.student import Student, Wrong
from autograder.submission import Submission

ROOT = Path(__file__).resolve().parent.parent
GRACE = 30.0  # seconds after the deadline in which the grader's own part has to end
WEIGHT = re.compile(r"^@weight\((\d+(?:\.\d+)?)\)", re.M)


class GradingPlugin:
    """Runs the graded tests that are wanted, and keeps a Result for each."""

    def __init__(
        self,
        submission: Submission,
        sandbox: Sandbox,
        chosen: str | None,
        only_case: Case | None,
        starts: Callable[[Result], None],
        changed: Callable[[list[Result], Result | None], None],
        stop_at_first: bool = False,
        without: Collection[str] = (),
        cases: Cases | None = None,
    ) -> None:
        """`starts` and `changed` are told how it goes.

        chosen: the number of the one question or test that is wanted, None for all
        """
        self.submission, self.sandbox = submission, sandbox
        self.chosen, self.only_case = chosen, only_case
        self.starts, self.changed = starts, changed
        self.stop_at_first, self.without = stop_at_first, without
        self.cases = cases or Cases()
        self.results: dict[str, Result] = {}
        self.unexplained: set[str] = set()  # questions

    @pytest.fixture
    def student(self) -> None:
        """Stands for the student in a graded test; see `pytest_pyfunc_call`."""

    @pytest.fixture
    def case(self) -> None:
        """Stands for one case in a graded test; see `pytest_pyfunc_call`."""

    def wants(self, number: str) -> bool:
        asked = self.chosen is None or f"{number}.".startswith(f"{self.chosen}.")
        return asked and number not in self.without

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """What can't be read still counts, or a score of less than all would look like all."""
        if not report.failed:
            return
        path = Path(report.nodeid)
        question = re.match(r"test_(\d+)_", path.name)
        number = question[1] if question else path.name or "the tests"
        if self.chosen is not None and self.chosen.split(".")[0] != number:
            return
        said = str(report.longrepr).strip().splitlines()
        weights: list[str] = []
        with contextlib.suppress(OSError):
            weights = WEIGHT.findall((ROOT / path).read_text(encoding="utf-8", errors="replace"))
        self.results[number] = Result(
            number,
            f"{path.name} could not be read",
            sum(map(float, weights)),
            outcome=Outcome.FAULT,
            reason=f"the grader's own file is faulty: {said[-1] if said else ''}",
        )

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        keep = []
        for item in items:
            test = getattr(item, "function", None)
            number = getattr(test, "__number__", None)
            if number is None or not self.wants(number):
                continue
            keep.append((sort_key(number), item))
            self.results[number] = Result(
                number,
                (test.__doc__ or item.name).strip().splitlines()[0],
                getattr(test, "__weight__", 0),
                getattr(test, "__visibility__", "visible"),
                list(getattr(test, "__tags__", [])),
            )
        keep.sort(key=lambda pair: pair[0])
        items[:] = [item for _, item in keep]
        self.results = dict(sorted(self.results.items(), key=lambda entry: sort_key(entry[0])))
        self.changed(list(self.results.values()), None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        test = pyfuncitem.function
        result = self.results[test.__number__]
        self.starts(result)
        start = time.monotonic()
        student = Student(self.submission, self.sandbox, self.cases)
        try:
            self.guarded(self.run)(test, result, student)
        except GradingOver:
            pass  # what is known by now stays
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            result.outcome, result.reason = Outcome.FAULT, in_words(error)
        finally:
            try:
                student.end()
            except Exception as error:
                result.outcome, result.reason = Outcome.FAULT, in_words(error)
            result.seconds = time.monotonic() - start
            if self.stop_at_first and result.outcome is Outcome.FAILED:
                pyfuncitem.session.shouldfail = "the verdict is settled"
            self.changed(list(self.results.values()), result)
        return True

    def guarded(self, run: Callable) -> Callable:
        """The package's alarm, where the system has one, ends the grader's own part if it hangs.

        That is the grader's fault. No student code can be the reason: its worker is gone by then.
        """
        if not hasattr(signal, "SIGALRM"):
            return run
        return timeout(max(0.0, self.sandbox.deadline - time.monotonic()) + GRACE)(run)

    def run(self, test: Callable, result: Result, student: Student) -> None:
        """Run the test on its cases, from small to large.

        After one that fails it goes on only where the rest can tell a known mistake.
        """
        cases = [self.only_case] if self.only_case else self.cases.load(result.number)
        known = None if self.only_case or self.stop_at_first else self.known_mistakes(result)
        left = getattr(test, "__limit__", 0)
        for case in cases:
            wrong = None
            try:
                student.begin(left)
                test(student=student, case=case)
            except Wrong as caught:
                wrong = caught
            left = student.left
            if known is not None:
                result.prints.append(fingerprint(student.trace()))
            if wrong is not None and result.wrong is None:
                result.wrong, result.case = wrong, wrong.case or case
                result.printed = student.printed
                result.outcome = Outcome.FAILED
            if wrong is not None and (wrong.final or known is None):
                break
        if result.wrong is None:
            result.outcome, result.reason = Outcome.PASSED, "\n".join(student.remarks)
        elif known is not None:
            result.diagnosis = self.diagnosis(result, known)

    def known_mistakes(self, result: Result) -> dict[str, str] | None:
        """Return {a mark of all fingerprints: what the mistake is}, None where none is looked for.

        Once a test has failed in a way that no known mistake explains, it is another mistake: in
        that question none is named any more.
        """
        question = result.number.split(".")[0]
        if question in self.unexplained:
            return None
        return self.cases.mistakes(result.number)

    def diagnosis(self, result: Result, known: dict[str, str]) -> str:
        """Say which known mistake gives exactly what was observed on every case, if one does."""
        mark = mark_of(result.prints)
        if known and mark and mark not in known:
            self.unexplained.add(result.number.split(".")[0])
        return known.get(mark, "")


def in_words(error: BaseException) -> str:
    if isinstance(error, GraderFault):
        return str(error)
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    return f"{type(error).__name__}: {error} ({place})"
