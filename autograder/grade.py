"""Grades one submission: runs the graded tests through pytest and keeps the report up to date."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from autograder.cases import Cases
from autograder.plugin import ROOT, GradingPlugin
from autograder.report import said_at_once, table_line, write_json
from autograder.results import Report, Result
from autograder.sandbox import GraderFault, Sandbox
from autograder.submission import BadSubmission, Submission, printable, read_submission

DEADLINE = 8 * 60.0  # seconds for everything: Gradescope itself gives up, without points, after ten


def grade(
    path: Path | Submission,
    results_file: Path | None = None,
    question: str | None = None,
    case_name: str | None = None,
    deadline: float = DEADLINE,
    say: Callable[[str], None] = lambda line: None,
    starts: Callable[[Result], None] = lambda result: None,
    stop_at_first: bool = False,
    without: Collection[str] = (),
    cases: Cases | None = None,
) -> Report:
    """Grade the submission at `path`.

    results_file: where to write results.json, which is valid at every moment from now on
    question:     only that question's tests, e.g. "2", or one test, "2.3"
    case_name:    only that case of one test, e.g. "2.3/17"
    deadline:     seconds for everything
    say:          told each line of the table as it comes
    starts:       told of each test before it runs
    stop_at_first: for the self-tests: the first failure settles it
    without:      for the self-tests: numbers of tests that are left out
    cases:        the public ones by default

    Raises BadSubmission when there is nothing to grade, ValueError for a question or case that does
    not exist. Whatever else goes wrong stands in the report, as the grader's own fault.
    """
    start = time.monotonic()
    cases = cases or Cases()
    only_case = cases.choose(case_name) if case_name is not None else None
    chosen = only_case.number if only_case else question
    report = Report(whole=chosen is None, trouble="grading did not begin")

    def changed(results: list[Result], finished: Result | None) -> None:
        report.results, report.seconds = results, time.monotonic() - start
        report.trouble = "" if results else report.trouble
        if finished is not None:
            say(table_line(finished))
            for line in said_at_once(finished):
                say(line)
        save(report, results_file)

    save(report, results_file)
    sandbox = None
    try:
        submission = path if isinstance(path, Submission) else read_submission(path)
        report.notes += submission.notes
        with ended_by_signal():
            sandbox = Sandbox(submission, deadline=start + deadline)
            sandbox.start().close()  # what keeps workers from being safe is told once, not by test
            plugin = GradingPlugin(
                submission,
                sandbox,
                chosen,
                only_case,
                starts,
                changed,
                stop_at_first,
                without,
                cases,
            )
            run_tests(plugin)
    except BadSubmission as problem:
        report.trouble = str(problem)
        raise
    except GraderFault as fault:
        report.trouble = f"the grader failed: {fault}"
    except KeyboardInterrupt:
        report.trouble = "the grader was stopped from outside before it was done"
    finally:
        if sandbox is not None:
            sandbox.remove()
            report.notes += isolation(sandbox)
        report.seconds = time.monotonic() - start
        save(report, results_file)
    return report


def save(report: Report, path: Path | None) -> None:
    """Write results.json, if it is wanted; grading goes on where there is no room for it."""
    if path is not None:
        try:
            write_json(path, report)
        except OSError as error:
            print(f"{printable(path)} can't be written: {error.strerror}", file=sys.stderr)


def run_tests(plugin: GradingPlugin) -> None:
    """Let pytest run the graded tests, closed to plugins and settings from outside.

    Raises ValueError when there is no test of the chosen number, GraderFault when there is none.
    """
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    settings = str(ROOT / "autograder" / "grading.ini")
    options = ["-c", settings, "--rootdir", str(ROOT), str(ROOT / "tests")]
    if pytest.main(options, plugins=[plugin]) == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if not plugin.results:
        if plugin.chosen is not None:
            raise ValueError(f"there is no test {plugin.chosen}: give Q as in Q=2 or Q=2.3")
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
    exposed = [path for path in sandbox.exposed if Path(path).is_relative_to(ROOT / "solution")]
    could = f", and could read {exposed[0]}" if exposed else ""
    return [f"student code ran without {', '.join(missing)}{could}"] if missing else []
