"""What is said about a failure can fail itself: the verdict stands, and a note says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from autograder.checks import replay
from autograder.checks.student import Student
from autograder.feedback import diagnosis
from autograder.feedback.messages import words
from autograder.feedback.results import Outcome, Report, Result
from autograder.grading import explain, pytest_plugin
from autograder.grading.grade import grade
from autograder.selftest.support.banks import read_wrong
from autograder.worker.sandbox import Sandbox

(WRONG,) = (wrong for wrong in read_wrong() if wrong.name == "alphabeta_min_hands_on_minus_inf")


def graded(number: str = "2.5") -> tuple[Report, Result]:
    report = grade(WRONG.submission, question=number)
    (result,) = report.results
    return report, result


CALLED = "was called with alpha = "  # as only a search that was watched can tell


def said(result: Result) -> str:
    assert result.finding
    message = words(result.finding)
    return " ".join([message.message, *message.hints])


def raises(*args: Any, **options: Any) -> Any:
    raise KeyError("missing")


def test_a_failure_is_explained() -> None:
    report, result = graded()
    assert result.outcome is Outcome.FAILED
    assert "was called with alpha = " in said(result)
    assert report.notes == []


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (explain, "explained"),
        (explain, "name_mistakes"),
        (pytest_plugin, "fingerprint"),
        (diagnosis, "rounded"),
        (Student, "trace_of_case"),
    ],
)
def test_an_explanation_that_fails_changes_no_verdict(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    _, before = graded()
    monkeypatch.setattr(module, name, raises)
    report, result = graded()
    assert before.finding and result.finding
    assert (result.outcome, result.finding.code) == (Outcome.FAILED, before.finding.code)
    assert report.problem == ""
    assert any("KeyError: 'missing'" in note and "no verdict" in note for note in report.notes)


def test_a_case_after_the_failure_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is run only to tell more of the mistake."""
    judged = []
    replayed = replay.Replay.__init__

    def later(self: Any, *args: Any, **options: Any) -> None:
        judged.append(self)
        if len(judged) > 1:
            raise KeyError("missing")
        replayed(self, *args, **options)

    monkeypatch.setattr(replay.Replay, "__init__", later)
    monkeypatch.setattr(explain, "rerun_traced", lambda *args: None)
    report, result = graded("2.5")
    assert result.outcome is Outcome.FAILED
    assert len(judged) == 2
    assert "KeyError" in report.notes[0]


def test_explanations_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    start: Callable[[Sandbox], Any] = Sandbox.start

    def noted(sandbox: Sandbox) -> Any:
        started.append(sandbox)
        return start(sandbox)

    monkeypatch.setattr(Sandbox, "start", noted)
    _, before = graded()
    count = len(started)
    monkeypatch.setattr(explain, "BUDGET_S", -1.0)
    report, result = graded()
    assert before.finding and result.finding
    assert (result.outcome, result.finding.code) == (Outcome.FAILED, before.finding.code)
    assert report.notes == []
    assert report.problem == ""
    assert CALLED not in said(result)
    assert len(started) == 2 * count, "none is started that is not refused"
