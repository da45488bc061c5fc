"""The results of a grading: one for each graded test, a report of all, and its observer.

The results are plain data with sums. `grading/pytest_plugin.py` fills them in; `report.py` and
`page.py` put them into words.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from autograder.checks.ask.finding import Finding, JudgedMove
from autograder.questions import is_bonus
from autograder.serving.case import Case


class Outcome(Enum):
    """The outcome of a graded test. An error of the grader is not a failure."""

    PASSED = "passed"
    FAILED = "failed"
    FAULT = "the grader failed"
    NOT_RUN = "not run"


@dataclass
class Result:
    """The result of one graded test.

    visibility: when Gradescope shows it, in Gradescope's words
    pass_fail_only: only its label and outcome are shown
    finding:   of its first failing case
    reason:    the text about any other outcome
    diagnosis: completes "This is what you would get if ..."
    in_this_test: the diagnosis explains this test, but not all failed tests
    failing:   the number of failing cases, in words
    traces:    fingerprints of the cases that were run; see `feedback/diagnosis.py`
    printed:   the output of student code in the failing case
    text:      the message about it, for paper
    after:     the number of a failing test that this failing test needs
    summary, section: only of a stored result: the message in a sentence, and as HTML, because its
               finding lacks the data for these
    moves:     of the student's player, in solved positions
    """

    number: str
    label: str
    max_points: float
    visibility: str = "visible"
    pass_fail_only: bool = False
    outcome: Outcome = Outcome.NOT_RUN
    finding: Finding | None = None
    case: Case | None = None
    reason: str = ""
    after: str = ""
    diagnosis: str = ""
    in_this_test: bool = False
    failing: str = ""
    traces: list[str] = field(default_factory=list)
    printed: str = ""
    text: str = ""
    summary: str = ""
    section: str = ""
    moves: list[JudgedMove] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def named_mistake(self) -> str:
        """Return the diagnosis as a sentence, "" if there is none."""
        if not self.diagnosis:
            return ""
        begin = "In this test, this is" if self.in_this_test else "This is"
        end = "" if self.diagnosis.endswith("?") else "."
        return f"{begin} what you would get if {self.diagnosis}{end}"

    @property
    def needs_guesses(self) -> bool:
        """Should hints be shown that leave open what a known mistake would say?"""
        return not self.diagnosis or self.in_this_test

    @property
    def question(self) -> str:
        return self.number.split(".")[0]

    @property
    def bonus(self) -> bool:
        return is_bonus(self.number)

    @property
    def points(self) -> float:
        """Return the points: all or none, because points are for whole tests."""
        return self.max_points if self.outcome is Outcome.PASSED else 0

    @property
    def judged(self) -> bool:
        return self.outcome in (Outcome.PASSED, Outcome.FAILED)

    @property
    def stub(self) -> bool:
        return self.finding is not None and self.finding.not_written

    @property
    def explained(self) -> bool:
        """Is the finding shown? For a stub it always is."""
        return self.stub or not self.pass_fail_only


@dataclass
class Report:
    """The results of a grading so far.

    chosen:  the number of the chosen question or test, None for all
    name:    of the submission
    when:    the start of the grading
    notes:   lines to print with the results
    exposure: one line for instructors on missing isolation of student code; "" for none
    problem: why grading ended early, "" if it did not
    fault:   it ended because of an error of the grader
    refused: there is nothing to grade in the submission, which earns no points
    stopped: the user interrupted it
    seconds: its wall time
    alone:   only one case of the chosen test was run, for no points
    left_out: the points of each visible bonus test whose file is not in the submission
    """

    chosen: str | None = None
    results: list[Result] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    exposure: str = ""
    problem: str = ""
    fault: bool = False
    refused: bool = False
    stopped: bool = False
    seconds: float = 0.0
    name: str = ""
    when: datetime = field(default_factory=datetime.now)
    alone: bool = False
    left_out: list[float] = field(default_factory=list)

    @property
    def shown(self) -> Report:
        """Return the report without the tests that are hidden from students."""
        return replace(self, results=[r for r in self.results if r.visibility == "visible"])

    @property
    def is_complete(self) -> bool:
        """Has every test a verdict? If not, the points so far are no score."""
        verdicts = bool(self.results) and all(result.judged for result in self.results)
        return self.refused or (verdicts and not self.fault)

    @property
    def earned(self) -> float:
        """Return the points earned, without a bonus."""
        return sum(result.points for result in self.results if not result.bonus)

    @property
    def max_points(self) -> float:
        """Return the maximum of points, without a bonus."""
        return sum(result.max_points for result in self.results if not result.bonus)

    @property
    def bonus(self) -> float:
        return sum(result.points for result in self.results if result.bonus)

    @property
    def only_bonus(self) -> bool:
        """Are all graded tests bonus tests?"""
        return bool(self.results) and all(result.bonus for result in self.results)

    @property
    def faulty(self) -> bool:
        """Did the grader itself fail, in a test or as a whole?"""
        return self.fault or any(result.outcome is Outcome.FAULT for result in self.results)

    @property
    def by_question(self) -> dict[str, tuple[float, float]]:
        """Return the points earned and their maximum, by question."""
        table: dict[str, tuple[float, float]] = {}
        for result in self.results:
            earned, max_points = table.get(result.question, (0, 0))
            table[result.question] = earned + result.points, max_points + result.max_points
        return table

    @property
    def to_look_at(self) -> Result | None:
        """Return the test to look at first: of the first question with a failure on written code.

        It is the one that shows the cause best, not a consequence: a named mistake that explains
        all failures, one that explains several, a wrong call, or else the first failure.
        """
        failed = [result for result in self.results if result.outcome is Outcome.FAILED]
        written = [result for result in failed if not result.stub]
        if not written:
            return failed[0] if failed else None
        here = [r for r in written if r.question == written[0].question and not r.after]
        named = Counter(result.diagnosis for result in here if result.diagnosis)

        def rank(result: Result) -> int:
            if result.diagnosis and not result.in_this_test:
                return 0
            if named[result.diagnosis] > 1:
                return 1
            return 2 if result.finding is not None and result.finding.shows_a_call else 3

        return min(here or written, key=rank)


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


def sort_key(number: str) -> list[tuple[int, int, str]]:
    """Return a key that sorts test numbers as people do: 1.9, 1.10, 2.1."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in number.split(".")]
