"""Grade one submission: run its tests, and update the report on disk."""

import contextlib
import gc
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from autograder.errors import GraderFault, GradingOver, UsageError
from autograder.feedback.report import write_atomically
from autograder.feedback.results import Outcome, Progress, Report
from autograder.feedback.results_json import render_json
from autograder.grading.explain import explain
from autograder.grading.pytest_plugin import GradedTests, run_pytest
from autograder.packaging import BadSubmission
from autograder.printable import sanitize
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT, is_bonus
from autograder.serving.case_files import Cases
from autograder.settings import SETTINGS
from autograder.submission import Submission, list_provided_files, read_submission
from autograder.worker.sandbox import Sandbox

HIDE = "chmod go= solution tests autograder"  # in the project, from workers of another user

# A result depends on these, on the submission and on the cases.
GRADING_FILES = (
    "assignment.toml",
    "autograder/grading/grading.ini",
    "autograder/feedback/messages.ini",
    "autograder/*.py",
    "autograder/worker/**/*.py",
    "autograder/checks/**/*.py",
    *(f"autograder/{package}/*.py" for package in ("serving", "feedback", "grading")),
    *(f"starter/{name}" for name in list_provided_files()),
    "tests/*.py",
)


def grade(
    path: Path | Submission,
    results_file: Path | None = None,
    question: str | None = None,
    cases: Cases = Cases(),
    progress: Progress = Progress(),
    deadline_s: float = SETTINGS.deadline_s,
    make_sandbox: Callable[..., Any] = Sandbox,
) -> Report:
    """Grade the submission at `path`.

    results_file: path of results.json, which is valid at any time
    question:     only that question's tests, e.g. "2", or one test, "2.3", or one case, "2.3/17"
    cases:        the cases to grade with
    progress:     notified when a test starts and ends
    deadline_s:   the wall time for everything, in seconds
    make_sandbox: makes the sandbox of student code: processes, or a browser's page

    Raises BadSubmission if there is nothing to grade, UsageError for an unknown question or case.
    The report contains any other error, as an error of the grader.
    """
    start = time.monotonic()
    gc.set_threshold(100_000)  # records are many objects without cycles
    if question and "/" in question:
        cases = cases.only(question)
    chosen = cases.chosen.number if cases.chosen else question
    report = Report(chosen, problem="grading did not begin", alone=cases.chosen is not None)

    def changed() -> None:
        report.seconds = time.monotonic() - start
        report.problem = "" if report.results else report.problem
        save(report, results_file)

    changed()
    sandbox = None
    try:
        submission = path if isinstance(path, Submission) else read_submission(path)
        report.name = submission.name
        report.notes += submission.notes
        with end_by_signal():
            sandbox = make_sandbox(submission, deadline=start + deadline_s)
            with contextlib.suppress(GradingOver):  # each test is reported as not run
                sandbox.prepare()  # reports once why no worker can be started
            tests = GradedTests(submission, sandbox, cases, report, progress, changed)
            run_pytest(tests)
            changed()
            over = time.monotonic() > sandbox.deadline
            try:
                explain(tests)
            except KeyboardInterrupt:
                report.notes.append("explaining was stopped; the results are whole")
        note_what_was_not_run(report, over, deadline_s)
    except BadSubmission as problem:
        report.problem, report.refused = str(problem), True
        raise
    except GraderFault as fault:
        report.fault = True
        report.problem = f"the grader failed, not your code: {fault}"
    except KeyboardInterrupt:
        report.problem = "the grader was stopped from outside before it was done"
        report.stopped = True
    finally:
        if sandbox is not None:
            sandbox.remove()
            report.exposure = describe_exposure(sandbox)
        report.seconds = time.monotonic() - start
        save(report, results_file)
    return report


def report_refusal(problem: BadSubmission) -> Report:
    """Return the report on a submission without anything to grade: every test fails."""
    required = [name for name in QUESTION_FILES if not is_bonus(name)]
    report = grade(Submission(problems=dict.fromkeys(required, str(problem))))
    report.refused = report.is_complete
    report.problem = report.problem or str(problem)
    return report


def describe_hidden_tests() -> str:
    """Return until when tests are hidden if students have none at all, else ""."""
    until = dict.fromkeys(SETTINGS.hides(row.number) for row in QUESTIONS)
    return "" if "" in until else f"all tests are hidden {' or '.join(until)}"


def note_what_was_not_run(report: Report, over: bool, seconds: float) -> None:
    """Report how many tests were not reached, if the time limit of all is over.

    Raises UsageError if the chosen test is missing or hidden, GraderFault if there are no tests.
    """
    left = sum(result.outcome is Outcome.NOT_RUN for result in report.results)
    if left and over:
        report.problem = f"the time for all tests, {seconds:.0f} s, was up: {left} of them"
        report.problem += f" {'was' if left == 1 else 'were'} not reached"
    if not report.results:
        hidden = SETTINGS.hides(report.chosen) if report.chosen else ""
        if said := f"{report.chosen} is hidden {hidden}" if hidden else describe_hidden_tests():
            raise UsageError(said)
        if report.chosen is not None:
            problem = f"there is no test {report.chosen}" if report.chosen else "no test is named"
            raise UsageError(f"{problem}: name a question, as 2, or a test, as 2.3")
        raise GraderFault("no graded tests were found")


def save(report: Report, path: Path | None) -> None:
    """Write results.json, if a path is given; a full disk does not stop grading."""
    if path is not None:
        try:
            write_atomically(path, render_json(report))
        except OSError as error:
            print(f"{sanitize(path)} can't be written: {error.strerror}", file=sys.stderr)


@contextlib.contextmanager
def end_by_signal() -> Iterator[None]:
    """Turn SIGTERM into KeyboardInterrupt, so that the points so far are written."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def describe_exposure(sandbox: Sandbox) -> str:
    """Say in one line which parts of the isolation were missing, if code was run."""
    if sandbox.in_force is None:
        return ""
    parts = {
        "limits": "resource limits",
        "landlock": "file access rules (Landlock)",
        "seccomp": "the system call filter (seccomp)",
    }
    missing = [words for part, words in parts.items() if part not in sandbox.in_force]
    if sandbox.user is None:
        missing.insert(0, "a separate user (needs root, and files that every user may read)")
    exposed = [path for path in sandbox.exposed if Path(path).is_relative_to(ROOT / "solution")]
    could = f", and could read {exposed[0]}" if exposed else ""
    if could and sandbox.user is not None:
        could += f": in {ROOT} type {HIDE}"
    return f"student code runs without {', '.join(missing)}{could}" if missing else ""
