"""Grades one submission: runs the graded tests through pytest and keeps the report up to date."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autograder import report
from autograder.cases import choose_case
from autograder.plugin import FAULT, GradingPlugin, Result
from autograder.sandbox import GraderFault, Sandbox
from autograder.student import Case
from autograder.submission import BadSubmission, Submission, read_submission

ROOT = Path(__file__).resolve().parent.parent
DEADLINE = 8 * 60.0  # seconds for everything: Gradescope itself gives up, without points, after ten


class Report:
    """What is known of a grading so far; written to results.json after every test."""

    def __init__(
        self, path: Path | None, say: Callable[[str], None], starts: Callable[[Result], None]
    ) -> None:
        self.path, self.say, self.starts = path, say, starts
        self.start = time.monotonic()
        self.notes: list[str] = []
        self.results: list[Result] = []
        self.trouble = "grading did not begin"
        self.write()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.start

    def changed(self, results: list[Result], finished: Result | None) -> None:
        self.results = results
        self.trouble = "" if results else self.trouble
        if finished is not None:
            self.say(report.table_line(finished))
        self.write()

    def write(self) -> None:
        if self.path is None:
            return
        try:
            report.write_json(self.path, self.results, self.notes, self.trouble, self.seconds)
        except OSError as error:
            print(f"{self.path} can't be written: {error.strerror}", file=sys.stderr)


def grade(
    path: Path | Submission,
    results_file: Path | None = None,
    question: str | None = None,
    case_name: str | None = None,
    deadline: float = DEADLINE,
    say: Callable[[str], None] = lambda line: None,
    starts: Callable[[Result], None] = lambda result: None,
    patience: float = 1.0,
    stop_at_first: bool = False,
) -> Report:
    """Grade the submission at `path`.

    results_file: where to write results.json, which is valid at every moment from now on
    question:     only that question's tests, e.g. "2", or one test, "2.3"
    case_name:    only that case of one test, e.g. "2.3/17"
    say:          told each line of the table as it comes
    starts:       told of each test before it runs
    patience:     for the self-tests: the share of each test's time limit that is given
    stop_at_first: for the self-tests: the first failure settles it

    Raises BadSubmission when there is nothing to grade, ValueError for a question or case that does
    not exist. Whatever else goes wrong stands in the report, as the grader's own fault.
    """
    told = Report(results_file, say, starts)
    only_case = choose_case(case_name) if case_name is not None else None
    try:
        submission = path if isinstance(path, Submission) else read_submission(path)
    except BadSubmission as problem:
        told.trouble = str(problem)
        told.write()
        raise
    told.notes += submission.notes
    sandbox = None
    try:
        with ended_by_signal():
            sandbox = Sandbox(submission)
            run(told, submission, sandbox, question, only_case, deadline, patience, stop_at_first)
    except GraderFault as fault:
        told.trouble = f"the grader failed: {fault}"
    except KeyboardInterrupt:
        told.trouble = "the grader was stopped from outside before it was done"
    finally:
        if sandbox is not None:
            sandbox.remove()
            told.notes += isolation(sandbox)
        told.write()
    return told


def run(
    told: Report,
    submission: Submission,
    sandbox: Sandbox,
    question: str | None,
    only_case: Case | None,
    deadline: float,
    patience: float,
    stop_at_first: bool,
) -> None:
    """Let pytest run the graded tests, closed to plugins and settings from outside."""
    number = only_case.number if only_case else question

    def wanted(test: str) -> bool:
        return number is None or test == number or test.startswith(f"{number}.")

    plugin = GradingPlugin(
        submission,
        sandbox,
        told.start + deadline,
        wanted,
        only_case,
        told.starts,
        told.changed,
        patience,
        stop_at_first,
    )
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    options = [
        "-c",
        str(ROOT / "autograder" / "grading.ini"),
        "--rootdir",
        str(ROOT),
        "--noconftest",
    ]
    unused = ("cacheprovider", "terminal", "logging", "faulthandler", "doctest", "junitxml")
    for name in unused:
        options += ["-p", f"no:{name}"]
    options += ["-s", "--assert=plain", str(ROOT / "tests")]
    if pytest.main(options, plugins=[plugin]) == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if not plugin.results:
        if number is not None:
            raise ValueError(f"there is no test {number}: give Q as in Q=2 or Q=2.3")
        raise GraderFault("no graded tests were found")


@contextlib.contextmanager
def ended_by_signal() -> Iterator[None]:
    """Turn a polite request to end into KeyboardInterrupt: points so far are then written."""

    def end(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def isolation(sandbox: Sandbox) -> list[str]:
    """Say in one line what of the isolation was not in force, if any student code was run."""
    if sandbox.in_force is None:
        return []
    missing = []
    if sandbox.user is None:
        missing.append("a user of its own (needs root, and a Python that every user may run)")
    for part, words in (
        ("limits", "resource limits"),
        ("landlock", "file access rules (Landlock)"),
        ("seccomp", "the system call filter (seccomp)"),
    ):
        if part not in sandbox.in_force:
            missing.append(words)
    return [f"student code ran without {', '.join(missing)}"] if missing else []


def faults(results: list[Result]) -> list[Result]:
    return [result for result in results if result.outcome == FAULT]
