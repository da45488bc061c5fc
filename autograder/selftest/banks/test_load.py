"""A busy machine changes no points."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from autograder.author.grade_batch import GradingJob, grade_job
from autograder.author.graded_tests import read_graded_tests
from autograder.selftest.support.banks import right, wrong
from autograder.selftest.support.golden import LONG, read_expected

pytestmark = pytest.mark.nightly
BUSY = 6  # processes on each core
COMPUTE = "import os, sys\nwhile os.getppid() == int(sys.argv[1]): sum(range(100_000))"
SHORT = [test.number for test in read_graded_tests() if test.number not in LONG]


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


def test_a_busy_machine_takes_no_points() -> None:
    with busy():
        verdict = grade_job(GradingJob(right("ten_times_slower").submission, "3", SHORT))
    assert (verdict.fault, verdict.failed) == ("", [])


@pytest.mark.parametrize("name", ["alphabeta_no_cutoff_at_min_nodes", "cutoff_depth_from_one"])
def test_a_busy_machine_gives_no_points(name: str) -> None:
    entry = wrong(name)
    with busy():
        verdict = grade_job(GradingJob(entry.submission, entry.question, SHORT))
    expected = [number for number in read_expected()[name].fails if number not in LONG]
    assert (verdict.fault, verdict.failed) == ("", expected)
