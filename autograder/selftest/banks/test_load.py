"""Sample what `make load` shows: a busy machine changes no points."""

import pytest

from autograder.author.graded_tests import graded_tests
from autograder.selftest.support.golden import LONG, read_expected
from autograder.selftest.support.load import Entry, busy, right, verdicts, wrong

pytestmark = pytest.mark.nightly
RIGHT = ["ten_times_slower, question 3"]
WRONG = ["alphabeta_no_cutoff_at_min_nodes", "cutoff_depth_from_one"]


def chosen(entries: list[Entry], names: list[str]) -> list[Entry]:
    """Return the entries of these names, to be graded without the long tests."""
    found = {entry.name: entry for entry in entries if entry.name in names}
    short = [test.number for test in graded_tests() if test.number not in LONG]
    return [found[name]._replace(job=found[name].job._replace(tests=short)) for name in names]


def test_a_busy_machine_takes_no_points() -> None:
    with busy():
        assert verdicts(chosen(right(), RIGHT)) == [("", [])]


def test_a_busy_machine_gives_no_points() -> None:
    expected = read_expected()
    fails = [[test for test in expected[name].fails if test not in LONG] for name in WRONG]
    with busy():
        assert verdicts(chosen(wrong(), WRONG)) == [("", of_one) for of_one in fails]
