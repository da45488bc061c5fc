"""The observer of a grading's progress."""

from __future__ import annotations

from autograder.feedback.results import Result


class Progress:
    """An observer of a grading, which may also skip tests. This one does nothing.

    stop_at_first: stop a test at its first failing case
    """

    stop_at_first = False

    def wants(self, number: str) -> bool:
        """Should that test run?"""
        return True

    def starts(self, result: Result) -> None:
        """Note that a test begins."""

    def case_judged(self, judged: int, cases: int) -> None:
        """Note the number of judged cases of the current test."""

    def finished(self, result: Result) -> None:
        """Note that a test has ended."""
