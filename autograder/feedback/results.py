"""The outcome of a grading: a result for each graded test, and the report that holds them all.

Plain data and its sums. `grading/pytest_plugin.py` fills it in; `report.py` and `page.py` put it
into words.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from autograder.checks.finding import Finding
from autograder.checks.judged_move import JudgedMove
from autograder.questions import is_bonus
from autograder.serving.cases import Case


class Outcome(Enum):
    """What became of a graded test. A fault of the grader's is never the student's."""

    PASSED = "passed"
    FAILED = "failed"
    FAULT = "the grader failed"
    NOT_RUN = "not run"


@dataclass
class Result:
    """One graded test: what it is, and what became of it.

    visibility: when Gradescope shows it, in Gradescope's words
    pass_fail_only: nothing is shown of it but its label and outcome
    finding:   what its first failing case has shown, and that case
    reason:    what is to be said about any other outcome
    diagnosis: completes "This is what you would get if ..."
    in_this_test: the diagnosis explains this test, but not all that fail
    failing:   how many of its cases fail, in words
    traces:    fingerprints of the cases that were run; see `feedback/diagnosis.py`
    printed:   by student code, in the failing case
    moves:     of the student's player, in solved positions
    """

    number: str
    label: str
    most: float
    visibility: str = "visible"
    tags: list[str] = field(default_factory=list)
    pass_fail_only: bool = False
    outcome: Outcome = Outcome.NOT_RUN
    finding: Finding | None = None
    case: Case | None = None
    reason: str = ""
    diagnosis: str = ""
    in_this_test: bool = False
    failing: str = ""
    traces: list[str] = field(default_factory=list)
    printed: str = ""
    moves: list[JudgedMove] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def named_mistake(self) -> str:
        """The diagnosis as a sentence, "" if there is none."""
        if not self.diagnosis:
            return ""
        begin = "In this test, this is" if self.in_this_test else "This is"
        end = "" if self.diagnosis.endswith("?") else "."
        return f"{begin} what you would get if {self.diagnosis}{end}"

    @property
    def question(self) -> str:
        return self.number.split(".")[0]

    @property
    def bonus(self) -> bool:
        """Do its points come on top of the others'?"""
        return is_bonus(self.number)

    @property
    def points(self) -> float:
        """Points are for whole tests: all, or none."""
        return self.most if self.outcome is Outcome.PASSED else 0

    @property
    def stub(self) -> bool:
        return self.finding is not None and self.finding.not_written

    @property
    def explained(self) -> bool:
        """Is it shown what went wrong? Of a stub it always is."""
        return self.stub or not self.pass_fail_only


@dataclass
class Report:
    """What is known of a grading so far.

    chosen:  the number of the one question or test that is wanted, None for all
    name:    whose it is: the submission as it was named
    when:    the moment when grading began
    notes:   lines to be said beside the results
    exposure: in one line, what student code was not held by; "" for nothing
    trouble: why grading ended before it was done, "" if it did not
    fault:   it ended because of the grader itself
    stopped: somebody at the keyboard ended it
    seconds: of the wall clock, that it has taken
    alone:   of the chosen test only one case was run
    """

    chosen: str | None = None
    results: list[Result] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    exposure: str = ""
    trouble: str = ""
    fault: bool = False
    stopped: bool = False
    seconds: float = 0.0
    name: str = ""
    when: datetime = field(default_factory=datetime.now)
    alone: bool = False

    @property
    def shown(self) -> Report:
        """What students may see now: the report without the tests that are hidden from them."""
        return replace(self, results=[r for r in self.results if r.visibility == "visible"])

    @property
    def earned(self) -> float:
        """The points earned, without a bonus."""
        return sum(result.points for result in self.results if not result.bonus)

    @property
    def most(self) -> float:
        """The most there are, without a bonus."""
        return sum(result.most for result in self.results if not result.bonus)

    @property
    def bonus(self) -> float:
        """The points that come on top of those earned."""
        return sum(result.points for result in self.results if result.bonus)

    @property
    def only_bonus(self) -> bool:
        """Is all that was graded a bonus?"""
        return bool(self.results) and all(result.bonus for result in self.results)

    @property
    def faulty(self) -> bool:
        """Did the grader itself fail, on a test or altogether?"""
        return self.fault or any(result.outcome is Outcome.FAULT for result in self.results)

    @property
    def by_question(self) -> dict[str, tuple[float, float]]:
        """The points earned and the most there are, by question."""
        table: dict[str, tuple[float, float]] = {}
        for result in self.results:
            earned, most = table.get(result.question, (0, 0))
            table[result.question] = earned + result.points, most + result.most
        return table

    @property
    def to_look_at(self) -> Result | None:
        """The test to look at first: one that fails on written code, if there is any."""
        failed = [result for result in self.results if result.outcome is Outcome.FAILED]
        return next((result for result in failed if not result.stub), failed[0] if failed else None)


def sort_key(number: str) -> list[tuple[int, int, str]]:
    """Sort the numbers of tests as people do: 1.9, 1.10, 2.1."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in number.split(".")]
