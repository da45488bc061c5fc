"""The heuristic's tests allow for rounding."""

from __future__ import annotations

from autograder.checks.cutoff_heuristic import expect_antisymmetric
from autograder.selftest.support.banks import right
from autograder.selftest.support.students import student_of
from autograder.serving.cases import HeuristicCase

# In single precision h is the difference of two larger numbers here, and has their rounding error.
POSITIONS = [
    "......./.X...../.O...../.X...O./.O.OXX./.XOXXO. O",
    "......./......./......./...O.../..XO.../..XOX..",
]
CASE = HeuristicCase(number="3.9", game=["ConnectFour", 6, 7, 4], positions=POSITIONS)


def test_single_precision_is_antisymmetric() -> None:
    with student_of(right("single_precision").files) as student:
        student.begin(60)
        expect_antisymmetric(student, CASE)
