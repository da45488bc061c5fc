"""The interface through which a grading tells how far it is."""

from __future__ import annotations

from autograder.feedback.results import Result


class Progress:
    """Hears how a grading goes, and may cut it short. This one prints and stops nothing.

    stop_at_first: nothing more is of interest once a case has failed
    """

    stop_at_first = False

    def wants(self, number: str) -> bool:
        """Should that test run?"""
        return True

    def starts(self, result: Result) -> None:
        """A test begins."""

    def case_judged(self, judged: int, cases: int) -> None:
        """So many cases of the test that runs have been judged."""

    def finished(self, result: Result) -> None:
        """A test has come to its end."""
