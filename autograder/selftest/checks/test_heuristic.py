"""The heuristic's tests allow for rounding, and for nothing else."""

from __future__ import annotations

import pytest

from autograder.checks.cutoff_heuristic import expect_antisymmetric
from autograder.checks.finding import Failed
from autograder.selftest.support.banks import right
from autograder.selftest.support.students import student_of
from autograder.serving.cases import HeuristicCase

# In single precision h is the difference of two larger numbers here, and has their rounding error.
POSITIONS = [
    "......./.X...../.O...../.X...O./.O.OXX./.XOXXO. O",
    "......./......./......./...O.../..XO.../..XOX..",
]
CASE = HeuristicCase(number="3.9", game=["ConnectFour", 6, 7, 4], positions=POSITIONS)
SINGLE = right("single_precision").files["cutoff.py"]


def judge(source: bytes) -> None:
    with student_of({"cutoff.py": source}) as student:
        student.begin(60)
        expect_antisymmetric(student, CASE)


def test_single_precision_is_antisymmetric() -> None:
    judge(SINGLE)


def test_small_advantage_of_one_side_is_not_rounding() -> None:
    biased = "\n\nown = connect_four_heuristic\n\n\ndef connect_four_heuristic(state, player):\n"
    biased += "    return own(state, player) + (1e-4 if player == 'X' else 0)\n"
    with pytest.raises(Failed, match="heuristic/not-antisymmetric"):
        judge(SINGLE + biased.encode())
