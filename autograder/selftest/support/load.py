"""The machine's load takes no points: `python -m autograder.selftest.support.load [EVERY]`

Grades the banks of right and wrong submissions twice, as the machine is and with six busy processes
on each core, and compares. With EVERY only one submission in so many is graded. Then it tells how
long a submission takes that never ends, whatever is called.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from autograder.author.grade_batch import Job, verdict_on, verdicts_on
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT
from autograder.selftest.support.banks import jobs_of, read_right, read_wrong
from autograder.submission import Submission

BUSY = 6  # processes on each core
COMPUTE = """
import os, sys
if sys.argv[1] != "-1":
    os.sched_setaffinity(0, {int(sys.argv[1])})
while os.getppid() == int(sys.argv[2]):
    for _ in range(100_000):
        pass
"""


class Entry(NamedTuple):
    """One submission, graded on one question, and the tests that chance has a part in."""

    name: str
    job: Job
    perhaps: tuple[str, ...] = ()


def right() -> list[Entry]:
    jobs = ((entry.name, job) for entry in read_right() for job in jobs_of(entry))
    return [Entry(f"{name}, question {job.question}", job) for name, job in jobs]


def wrong() -> list[Entry]:
    return [Entry(it.name, Job(it.submission, it.question), it.may_fail) for it in read_wrong()]


def cores() -> list[int]:
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [-1]


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """Let six processes compute on each core that this one may use."""
    command = [sys.executable, "-c", COMPUTE]
    load = [
        subprocess.Popen([*command, str(core), str(os.getpid())])
        for core in cores()
        for _ in range(BUSY)
    ]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


def verdicts(entries: list[Entry]) -> list[tuple[str, list[str]]]:
    """Return for each what was the grader's fault, and the tests that fail for certain."""
    found = verdicts_on([entry.job for entry in entries])
    return [
        (verdict.fault, [number for number in verdict.failed if number not in entry.perhaps])
        for entry, verdict in zip(entries, found)
    ]


def endless() -> Submission:
    """The solution's files; none of their functions ends."""
    files = {}
    for name in QUESTION_FILES:
        tree = ast.parse((ROOT / "solution" / name).read_bytes())
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                node.body = ast.parse("while True:\n    pass").body
        files[name] = ast.unparse(tree).encode()
    return Submission(files)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m autograder.selftest.support.load")
    parser.add_argument("every", metavar="EVERY", type=int, nargs="?", default=1)
    every = parser.parse_args().every
    if every < 1:
        parser.error(f"argument EVERY: it must be 1 or more, not {every}")
    differ = 0
    for words, bank in (("right", right()[::every]), ("wrong", wrong()[::every])):
        start = time.monotonic()
        quiet = verdicts(bank)
        between = time.monotonic()
        with busy():
            loaded = verdicts(bank)
        end = time.monotonic()
        different = [i for i, _ in enumerate(bank) if quiet[i] != loaded[i]]
        differ += len(different)
        print(
            f"{words}: {len(bank)} gradings, {between - start:.0f} s as the machine is and "
            f"{end - between:.0f} s with {BUSY} busy processes on each core: "
            f"{len(different)} with another verdict",
            flush=True,
        )
        for i in different:
            print(f"  {bank[i].name}: {quiet[i]}, under load {loaded[i]}")
    for question in (None, *(question.number for question in QUESTIONS)):
        start = time.monotonic()
        verdict_on(Job(endless(), question))
        took = time.monotonic() - start
        which = f"question {question}" if question else "all questions"
        print(f"no function ends, {which}: {took:.0f} s", flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
