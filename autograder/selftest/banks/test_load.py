"""A busy machine changes no points."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from autograder.author.grade_batch import GradingJob, grade_job
from autograder.author.graded_tests import read_graded_tests
from autograder.selftest.support.banks import read_right_entry, read_wrong_entry
from autograder.selftest.support.golden import LONG_TESTS, read_expectations

pytestmark = pytest.mark.nightly
BUSY = 6  # processes on each core
COMPUTE = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): sum(range(100_000))"
SHORT = [test.number for test in read_graded_tests() if test.number not in LONG_TESTS]


@contextlib.contextmanager
def busy() -> Iterator[None]:
    """Let other processes compute on each core."""
    command = [sys.executable, "-c", COMPUTE, str(os.getpid())]
    load = [subprocess.Popen(command) for _ in range(BUSY * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in load:
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("question", "mistake"),
    [("3", ""), ("2", "alphabeta_no_cutoff_at_min_nodes"), ("3", "cutoff_depth_from_one")],
)
def test_a_busy_machine_takes_and_gives_no_points(question: str, mistake: str) -> None:
    entry = read_wrong_entry(mistake) if mistake else read_right_entry("ten_times_slower")
    fails = read_expectations()[mistake].fails if mistake else []
    with busy():
        verdict = grade_job(GradingJob(entry.submission, question, SHORT))
    assert (verdict.fault, verdict.failed) == ("", [one for one in fails if one in SHORT])
