"""A failed explanation changes no verdict, and a note reports it."""

from unittest.mock import Mock

import pytest

from autograder.checks.ask.finding import Finding, Hint
from autograder.feedback.results import Outcome, Report, Result
from autograder.grading import explain
from autograder.grading import pytest_plugin as plugin
from autograder.grading.grade import grade
from autograder.selftest.support.banks import read_wrong_entry

WRONG = read_wrong_entry("alphabeta_min_hands_on_minus_inf").submission
CODE = "missed-cut/deep"  # of its finding, as the bank shows


def graded() -> tuple[Report, Finding]:
    """Grade the submission; expect its verdict, and return the report and the finding."""
    report = grade(WRONG, question="2.5")
    (result,) = report.results
    assert result.finding
    assert (result.outcome, result.finding.code) == (Outcome.FAILED, CODE)
    return report, result.finding


@pytest.mark.parametrize(
    ("module", "name"),
    [(explain, "explain_by_calls"), (explain, "name_mistakes"), (plugin, "make_fingerprint")],
)
def test_failed_explanation_changes_no_verdict(monkeypatch, module, name):
    monkeypatch.setattr(module, name, Mock(side_effect=KeyError("missing")))
    report, _ = graded()
    assert report.problem == ""
    assert any("KeyError: 'missing'" in note and "no verdict" in note for note in report.notes)


def test_error_in_a_later_case_changes_no_verdict(monkeypatch):
    """Cases after the first failure only help to identify the mistake."""
    found = [Finding(CODE)]
    monkeypatch.setattr(plugin, "find_failure", lambda *args: found.pop())  # then IndexError
    monkeypatch.setattr(explain, "rerun_traced", lambda *args: None)
    report, _ = graded()
    assert "IndexError" in report.notes[0]


def test_explanations_have_a_budget(monkeypatch):
    """In the bank, where there is time, its first hint is call-window."""
    monkeypatch.setattr(explain, "BUDGET_S", -1.0)
    report, finding = graded()
    assert report.notes == []
    assert report.problem == ""
    assert "call-window" not in finding.hint_names


def test_what_fails_in_the_whole_test_only_may_fail_by_chance(monkeypatch):
    """The bank shows its other explanation: what is stored between two searches."""
    monkeypatch.setattr(explain, "find_first_failing", lambda *args: 0)  # the test passes now
    (result,) = grade(read_wrong_entry("alphabeta_boards_alone").submission, question="2.2").results
    assert result.finding
    assert result.finding.hint_names[0] == "fails-by-chance"


@pytest.mark.parametrize("kept", ["negamax, but not turned at its ends", ""])
def test_no_other_mistake_is_named_beside_the_calls_of_negamax(kept):
    finding = Finding("wrong-value", {}, (Hint("call-end-negamax", {}),))
    result = Result("2.1", "label", 1, finding=finding, diagnosis=kept or "only max nodes pruned")
    explain.drop_other_diagnosis(result)
    assert result.diagnosis == kept
