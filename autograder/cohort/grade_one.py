"""Grade a submission, or play a pair of games, in a separate process.

Each core of the pool runs `do_job`, here or on another machine. It starts the process
`python -m autograder.cohort.grade_one`, which reads a request and writes a reply, both as JSON. The
process ends with the thread that waits for it, and the student's worker with it.
"""

import ctypes
import hashlib
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import datetime
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

from autograder.checks.ask.finding import Finding, JudgedMove
from autograder.cohort import match
from autograder.errors import GraderFault, UsageError
from autograder.feedback.messages import put_into_words
from autograder.feedback.page import make_page
from autograder.feedback.page import make_section as section
from autograder.feedback.report import format_message
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.grading.grade import GRADING_FILES, grade
from autograder.questions import QUESTIONS, ROOT
from autograder.serving.case_files import FOLDER as CASES
from autograder.settings import SETTINGS
from autograder.submission import Submission

TIMEOUT_S = max(SETTINGS.deadline_s, 4 * match.WALL_LIMIT_S) + 60  # of a job
POLL_S = 0.5  # between two checks that the result is still wanted
PR_SET_PDEATHSIG = 1
SETTINGS_FILE = b"assignment.toml\n"
# The lines that set the points of a test: no outcome depends on them.
POINTS = re.compile(rb"^@weight\b.*\n", re.MULTILINE)
PACKAGES = ("gradescope-utils", "numpy", "pytest", "timeout-decorator")


class PoolGone(Exception):
    """The pool can do no more jobs; the text says why."""


class Reply(NamedTuple):
    """The result of a job.

    files: the files to store, by the ending of their names; for a pair, "games" as JSON
    error: why there is no whole grading, "" if there is one
    """

    files: dict[str, str]
    error: str = ""


class Pool(NamedTuple):
    """A pool that does jobs: it gets a request to grade or play, and gives the reply.

    slots: returns how many jobs it does at a time; raises PoolGone
    """

    slots: Callable[[], int]
    submit: Callable[[str], Future[Reply]]


@cache
def read_versions() -> dict[str, str]:
    """Return the versions that must agree wherever a class is graded, as short texts."""
    packages = (f"{name} {metadata.version(name)}" for name in PACKAGES)
    on = [row.name for row in QUESTIONS]
    grader = hashlib.sha256(json.dumps([SETTINGS.C, on]).encode())
    shown = [SETTINGS.questions, SETTINGS.tests, SETTINGS.points]
    points = hashlib.sha256(json.dumps(shown).encode())
    for name, content in read_project_files(GRADING_FILES):
        if name == SETTINGS_FILE:  # its other settings have no effect on results
            continue
        points.update(name + b"".join(POINTS.findall(content)))
        grader.update(name + hashlib.sha256(POINTS.sub(b"", content)).digest())
    cases = hashlib.sha256()
    for path in sorted(CASES.glob("*.json")):
        cases.update(f"{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return {
        "grader": grader.hexdigest()[:16],
        "cases": cases.hexdigest()[:16],
        "points": points.hexdigest()[:16],
        "Python": platform.python_version(),
        "packages": ", ".join(packages),
    }


def read_project_files(patterns: tuple[str, ...]) -> list[tuple[bytes, bytes]]:
    paths = sorted({path for pattern in patterns for path in ROOT.glob(pattern)})
    names = (f"{path.relative_to(ROOT).as_posix()}\n".encode() for path in paths)
    return [(name, path.read_bytes()) for name, path in zip(names, paths)]


def identify_grading() -> dict[str, str]:
    """Return the versions that today's outcomes and points depend on."""
    now = read_versions()
    return {"grader": f"{now['grader']}-{now['cases']}", "points": now["points"]}


def make_grading_request(submission: Submission) -> str:
    files = match.decode_files(submission.files)
    return json.dumps([files, submission.problems, submission.notes])


def do_job(request: str, is_wanted: Callable[[], bool] = lambda: True) -> Reply:
    """Grade a submission (of `make_grading_request`), or play a pair (of `make_pair_request`).

    is_wanted: whether the result is still wanted; if not, the process is ended
    """
    start = time.monotonic()
    command = [sys.executable, "-m", "autograder.cohort.grade_one", str(os.getpid())]
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            text=True,
            start_new_session=True,  # Ctrl-C in our terminal does not reach it
        ) as process,
    ):
        answer, error = "", ""
        message: str | None = request
        while process.returncode is None:
            try:
                answer, _ = process.communicate(message, timeout=POLL_S)
            except subprocess.TimeoutExpired:
                message = None  # it was sent
                late = time.monotonic() - start > TIMEOUT_S
                if late or not is_wanted():
                    error = "it did not end in time" if late else "its result is not wanted"
                    process.kill()
        errors.seek(0)
        output = errors.read().strip().splitlines()
    try:
        return Reply(**json.loads(answer))
    except (ValueError, TypeError):
        ended = f"its process ended with status {process.returncode}"
        error = error or (f"{ended}: {output[-1][:200]}" if output else ended)
        return Reply({}, error=error)


def make_reply(report: Report) -> Reply:
    """Return what to store: results.json, the page, and the report itself.

    Unless each test has a verdict, the reply has an error, too: such results are no grading.
    """
    faults = [result for result in report.results if result.outcome is Outcome.FAULT]
    error = "" if report.is_complete else report.problem or "not every test was reached"
    if faults and not report.problem:
        error = f"the grader failed on {faults[0].number}: {faults[0].reason}"
    report.name = ""  # equal submissions share the page
    return Reply(make_result_files(report), error)


def make_result_files(report: Report) -> dict[str, str]:
    """Return the three forms of a report, by the ending of their names.

    results.json also has the versions of the grader and its points.
    """
    results = {**make_json(report), "extra_data": identify_grading()}
    text = json.dumps(results, indent=1, allow_nan=False)
    return {".report": dump_report(report), ".html": make_page(report), ".json": text}


def dump_report(report: Report) -> str:
    """Return a report as JSON, with the messages instead of the data for them.

    All messages are there, so that `class rescore` can show tests that are hidden today.
    """
    results = [dump_result(result) for result in report.results]
    return json.dumps({**vars(report), "when": report.when.isoformat(), "results": results})


def dump_result(result: Result) -> dict[str, Any]:
    shown, finding = replace(result, pass_fail_only=False), result.finding
    found = {**vars(result), "outcome": result.outcome.value, "case": None, "traces": []}
    if result.outcome is not Outcome.PASSED:
        found["text"] = result.text or format_message(shown)
        found["section"] = result.section or section(shown)
    if finding is not None:
        found["summary"] = result.summary or put_into_words(finding).message
        facts = {"what": finding.facts["what"]} if finding.code == "not-written" else {}
        found["finding"] = {"code": finding.code, "facts": facts}
    return found


def read_report(text: str) -> Report:
    """Return the report that `dump_report` has made JSON of. Raises UsageError."""
    try:
        found = json.loads(text)
        found["when"] = datetime.fromisoformat(found["when"])
        for one in found["results"]:
            one["outcome"] = Outcome(one["outcome"])
            one["finding"] = one["finding"] and Finding(**one["finding"])
            one["moves"] = [JudgedMove(*move) for move in one["moves"]]
        return Report(**{**found, "results": [Result(**one) for one in found["results"]]})
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(f"a stored report can't be read ({error}): grade it again") from None


def die_with_parent(parent: int) -> None:
    """Let this process be killed when the thread that started it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it has already ended
            sys.exit("the process that wanted this grading has ended")


def main() -> int:
    die_with_parent(int(sys.argv[1]))
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # printed text must not get into the answer
    request = json.load(sys.stdin)
    with answer:
        json.dump(handle_request(request)._asdict(), answer)
    return 0


def handle_request(request: Any) -> Reply:
    """Grade a submission, or play a pair."""
    if "players" not in request:
        files, problems, notes = request
        return make_reply(grade(Submission(match.encode_files(files), problems, notes)))
    try:
        return Reply({"games": json.dumps(match.play_pair(request))})
    except GraderFault as fault:
        return Reply({}, error=str(fault))


if __name__ == "__main__":
    sys.exit(main())
