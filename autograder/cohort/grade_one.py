"""Grades one submission of a class in a process of its own, or plays two games of a tournament.

Each core of the pool runs `grade_one`, here or on another machine. It starts the process
`python -m autograder.cohort.grade_one`, which reads a submission as JSON and writes its results and
their page. It dies with the thread that waits for it, and the student's worker with it.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple

from autograder.cohort import match
from autograder.errors import GraderFault
from autograder.feedback.page import page
from autograder.feedback.report import as_json
from autograder.feedback.results import Outcome, Report
from autograder.grading.files import GRADING_FILES
from autograder.grading.grade import DEADLINE, grade
from autograder.questions import ROOT
from autograder.submission import Submission

LONGEST = DEADLINE + 60  # seconds; grading ends by itself before
LOOK = 0.5  # seconds between two looks whether anybody waits for the result
PR_SET_PDEATHSIG = 1
CASES = ("tests/cases/*",)
ENDINGS = (".json", ".html")  # of the files that are stored of a grading
PACKAGES = ("gradescope-utils", "numpy", "pytest", "timeout-decorator")


class Graded(NamedTuple):
    """What came of one grading, or of a pair of games.

    files:   what is to be kept, by the ending of its name; of a pair its games, as JSON
    most:    the points that there are
    trouble: why the grader could not grade it, "" if it did
    partial: why some tests were not reached, "" if all were
    seconds: that it took
    """

    files: dict[str, str]
    most: float = 0.0
    trouble: str = ""
    partial: str = ""
    seconds: float = 0.0


@cache
def marks() -> dict[str, str]:
    """What has to be the same wherever a class is graded, each as a short text."""
    versions = (f"{name} {metadata.version(name)}" for name in PACKAGES)
    return {
        "grader": hash_of_files(GRADING_FILES),
        "cases": hash_of_files(CASES),
        "Python": platform.python_version(),
        "packages": ", ".join(versions),
    }


def hash_of_files(patterns: tuple[str, ...]) -> str:
    mark = hashlib.sha256()
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        mark.update(f"{path.relative_to(ROOT).as_posix()}\n".encode())
        mark.update(hashlib.sha256(path.read_bytes()).digest())
    return mark.hexdigest()[:16]


def packed(submission: Submission) -> str:
    """A submission as JSON."""
    return json.dumps(
        [
            match.as_text(submission.files),
            submission.problems,
            submission.notes,
            submission.unused,
        ]
    )


def grade_one(told: str, wanted: Callable[[], bool] = lambda: True) -> Graded:
    """Grade a submission (what `packed` makes of it), or play a pair (what `match.as_told` does).

    wanted: is asked from time to time whether anybody waits for the result; if not, grading ends
    """
    start = time.monotonic()
    longest = match.LONGEST if match.is_pair(told) else LONGEST
    command = [sys.executable, "-m", "autograder.cohort.grade_one", str(os.getpid())]
    with (
        tempfile.TemporaryFile("w+", errors="replace") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            text=True,
            start_new_session=True,  # a key pressed in our terminal does not reach it
        ) as process,
    ):
        answer, trouble = "", ""
        message: str | None = told
        while process.returncode is None:
            try:
                answer, _ = process.communicate(message, timeout=LOOK)
            except subprocess.TimeoutExpired:
                message = None  # it is on its way
                late = time.monotonic() - start > longest
                if late or not wanted():
                    trouble = "it did not end in time" if late else "nobody waited for it"
                    process.kill()
        errors.seek(0)
        said = errors.read().strip().splitlines()
    seconds = time.monotonic() - start
    try:
        return Graded(**json.loads(answer))._replace(seconds=seconds)
    except (ValueError, TypeError):
        ended = f"its process ended with status {process.returncode}"
        trouble = trouble or (f"{ended}: {said[-1][:200]}" if said else ended)
        return Graded({}, trouble=trouble, seconds=seconds)


def told_of(report: Report) -> dict[str, Any]:
    """What is sent of a report: the same as `make grade` writes, or the grader's trouble."""
    faults = [result for result in report.results if result.outcome is Outcome.FAULT]
    failed = report.fault or report.stopped
    trouble, partial = (report.trouble, "") if failed else ("", report.trouble)
    if faults and not trouble:
        trouble = f"the grader failed on {faults[0].number}: {faults[0].reason}"
    return {
        "files": {
            ".json": json.dumps(as_json(report), indent=1, allow_nan=False),
            ".html": page(report),
        },
        "most": report.most,
        "trouble": trouble,
        "partial": partial,
    }


def die_with(parent: int) -> None:
    """Be killed when the thread that has started this process ends, however it ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it has ended before
            sys.exit("whoever wanted this grading has ended")


def main() -> int:
    die_with(int(sys.argv[1]))
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever is printed is no part of the answer
    told = json.load(sys.stdin)
    with answer:
        json.dump(pair_of_games(told) if "players" in told else graded(*told), answer)
    return 0


def graded(
    files: match.Files, problems: dict[str, str], notes: list[str], unused: list[str]
) -> dict[str, Any]:
    return told_of(grade(Submission(match.as_bytes(files), problems, notes, unused)))


def pair_of_games(told: dict[str, Any]) -> dict[str, Any]:
    """What is sent of a pair of games: both of them, or the grader's trouble."""
    try:
        return {"files": {"games": json.dumps(match.played(told))}}
    except GraderFault as fault:
        return {"files": {}, "trouble": str(fault)}


if __name__ == "__main__":
    sys.exit(main())
