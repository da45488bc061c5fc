"""The rule by which all platforms get points that they accept.

1. Whole points: all points are multiplied by the smallest whole number that makes the points of
   every test whole. It depends on the assignment only, so it is the same for all students.
2. No total above a maximum: the maximum grows by the bonus. 95 of 100 points and 10 of 20 bonus
   points are 105 of 120; the instructor tells the platform that 100 are enough.
3. Points from 0 to 1: the share of that larger maximum.

A grading that the grader did not finish has no points on any platform.
"""

from fractions import Fraction
from math import lcm
from typing import NamedTuple

from autograder.feedback.results import Report, Result

SMALLEST_SHARE = 1000  # points are multiples of 1/1000 or larger fractions


class Total(NamedTuple):
    """The points of a report with its bonus, and the larger maximum."""

    points: int
    max_points: int

    @property
    def share(self) -> float:
        """Return the points from 0 to 1."""
        return self.points / self.max_points if self.max_points else 0.0


class WholePoints:
    """Convert the points of a report, and of its tests, to whole numbers."""

    def __init__(self, report: Report) -> None:
        every = [*(result.max_points for result in report.results), *report.left_out]
        self.scale = lcm(*(to_fraction(points).denominator for points in every))

    def convert(self, points: float) -> int:
        return round(to_fraction(points) * self.scale)

    def sum(self, results: list[Result], left_out: list[float]) -> Total:
        """Return the total of these results; bonus tests without a file are left out."""
        most = [*(result.max_points for result in results), *left_out]
        earned = [result.points for result in results]
        return Total(sum(map(self.convert, earned)), sum(map(self.convert, most)))


def to_fraction(points: float) -> Fraction:
    return Fraction(points).limit_denominator(SMALLEST_SHARE)


def sum_shown(report: Report) -> Total:
    """Return the total in the tests that are shown, in whole points."""
    return WholePoints(report).sum(report.shown.results, report.left_out)
