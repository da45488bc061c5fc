"""The heuristic's tests allow for rounding."""

from autograder.checks.search.cutoff_heuristic import expect_antisymmetric
from autograder.selftest.support.banks import read_right_entry
from autograder.selftest.support.students import start_student
from autograder.serving.cases import HeuristicCase

# In single precision h is the difference of two larger numbers here, and has their rounding error.
POSITIONS = [
    "......./.X...../.O...../.X...O./.O.OXX./.XOXXO. O",
    "......./......./......./...O.../..XO.../..XOX..",
]
CASE = HeuristicCase(number="3.9", game=["ConnectFour", 6, 7, 4], positions=POSITIONS)


def test_single_precision_is_antisymmetric():
    with start_student(read_right_entry("single_precision").files) as student:
        student.begin(60)
        expect_antisymmetric(student, CASE)
