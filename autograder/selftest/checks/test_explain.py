"""A failed explanation changes no verdict, and a note reports it."""

from typing import Any

import pytest

from autograder.checks.search import replay
from autograder.feedback.results import Outcome, Report, Result
from autograder.grading import explain
from autograder.grading import pytest_plugin as plugin
from autograder.grading.grade import grade
from autograder.selftest.support.banks import read_wrong_entry

WRONG = read_wrong_entry("alphabeta_min_hands_on_minus_inf").submission


def graded() -> tuple[Report, Result]:
    report = grade(WRONG, question="2.5")
    (result,) = report.results
    return report, result


def raises(*args: Any, **options: Any) -> Any:
    raise KeyError("missing")


@pytest.mark.parametrize(
    ("module", "name"),
    [(explain, "explain_by_calls"), (explain, "name_mistakes"), (plugin, "make_fingerprint")],
)
def test_failed_explanation_changes_no_verdict(monkeypatch, module, name):
    _, before = graded()
    monkeypatch.setattr(module, name, raises)
    report, result = graded()
    assert before.finding and result.finding
    assert (result.outcome, result.finding.code) == (Outcome.FAILED, before.finding.code)
    assert report.problem == ""
    assert any("KeyError: 'missing'" in note and "no verdict" in note for note in report.notes)


def test_error_in_a_later_case_changes_no_verdict(monkeypatch):
    """Cases after the first failure only help to identify the mistake.

    The second case is the first to fail. It is replayed twice: also with the values that the
    search got.
    """
    judged = []
    replayed = replay.Replay.__init__

    def later(self: Any, *args: Any, **options: Any) -> None:
        judged.append(self)
        if len(judged) > 3:
            raise KeyError("missing")
        replayed(self, *args, **options)

    monkeypatch.setattr(replay.Replay, "__init__", later)
    monkeypatch.setattr(explain, "rerun_traced", lambda *args: None)
    report, result = graded()
    assert result.outcome is Outcome.FAILED
    assert len(judged) == 4
    assert "KeyError" in report.notes[0]


def test_explanations_have_a_budget(monkeypatch):
    _, before = graded()
    assert before.finding and "call-window" in before.finding.hint_names
    monkeypatch.setattr(explain, "BUDGET_S", -1.0)
    report, result = graded()
    assert result.finding
    assert (result.outcome, result.finding.code) == (Outcome.FAILED, before.finding.code)
    assert report.notes == []
    assert report.problem == ""
    assert "call-window" not in result.finding.hint_names


def test_what_is_stored_between_searches_is_not_taken_for_chance(monkeypatch):
    wrong = read_wrong_entry("alphabeta_boards_alone").submission

    def first_hint() -> str:
        (result,) = grade(wrong, question="2.2").results
        assert result.finding
        return result.finding.hint_names[0]

    assert first_hint() == "stored-between"
    monkeypatch.setattr(explain, "find_first_failing", lambda *args: 0)  # the test passes now
    assert first_hint() == "fails-by-chance"


def test_wrong_value_on_a_board_is_followed_to_its_call():
    wrong = read_wrong_entry("alphabeta_move_taken_for_false").submission
    (result,) = grade(wrong, question="2.2").results
    assert result.finding
    assert "call-max-of" in result.finding.hint_names
