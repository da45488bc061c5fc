"""What is hidden from students appears in no test, total or message."""

import importlib
import json
import re
from pathlib import Path

import pytest

from autograder.author import handout, release
from autograder.author.graded_tests import read_graded_tests, sum_points
from autograder.author.platforms import write_files
from autograder.author.release_check import find_leftovers
from autograder.errors import GraderFault, UsageError
from autograder.feedback.page import make_page
from autograder.feedback.report import format_message
from autograder.feedback.results import Report
from autograder.feedback.results_json import make_json
from autograder.grading.grade import grade, note_what_was_not_run
from autograder.questions import QUESTIONS
from autograder.selftest.support.banks import change_solution
from autograder.selftest.support.commands import run_cli
from autograder.settings import SETTINGS, WHEN_SHOWN


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Return a submission of question 1 that fails 1.1, 1.2, 1.3 and other tests."""
    source = change_solution("minimax.py", "if v2 < v:", "if v2 > v:")  # finds no smaller value
    write_files(tmp_path / "wrong", {"minimax.py": source.encode()})
    return tmp_path / "wrong"


@pytest.mark.parametrize("when", WHEN_SHOWN)
def test_output_does_not_reveal_a_hidden_test(wrong, monkeypatch, when):
    monkeypatch.setitem(SETTINGS.tests, when, ["1.1", "1.3"])
    report = grade(wrong, question="1")
    results = make_json(report)
    by_number = {test["number"]: test for test in results["tests"]}
    hidden = {number for number, test in by_number.items() if test["visibility"] == when}
    assert hidden == {"1.1", "1.3"}
    assert by_number["1.1"]["status"] == "failed"
    assert "expected:" in by_number["1.1"]["output"]
    shown = [r for r in report.results if r.number not in hidden]
    earned, most = sum(r.points for r in shown), sum(r.max_points for r in shown)
    line = f"score: {earned:g}/{most:g} in the tests that are shown"
    assert results["output"].splitlines()[-1] == line
    assert not re.search(r"\b1\.[13]\b", results["output"])
    text = make_page(report)
    assert f"of {most:g} points in the tests that are shown<" in text and "question 1: " in text
    for result in report.results:
        assert (f">{result.number}<" in text) == (result in shown), result.number


def test_hidden_test_is_not_run_at_home_unless_students_get_it(wrong, monkeypatch):
    monkeypatch.setitem(SETTINGS.tests, "after_due_date", ["1.1"])
    said = run_cli("test", "-q", "1", wrong).stdout
    assert "  1.2  " in said and "  1.1  " not in said
    report = grade(wrong, question="1")
    shown = sum(result.max_points for result in report.results if result.number != "1.1")
    assert said.splitlines()[-1].endswith(f"/{shown:g}")


def test_the_instructor_sees_everything(wrong, tmp_path, monkeypatch):
    monkeypatch.setitem(SETTINGS.tests, "hidden", ["1.1"])
    said = run_cli("grade", wrong, "--results", tmp_path / "results.json").stdout
    assert "  1.1  " in said and "hidden from students: 1.1 (assignment.toml)" in said
    assert f"/{sum_points():g}" in said.splitlines()[-1]
    page = (tmp_path / "results.html").read_text(encoding="utf-8")
    assert ">1.2<" in page and ">1.1<" not in page
    said = run_cli("test", "-c", "1.1/5", wrong).stdout
    assert "expected:" in said and "hidden from students: 1.1 (assignment.toml)" in said


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line take this for a student's folder, which has no authors' files."""
    monkeypatch.setattr("autograder.command_line.ROOT", tmp_path)


@pytest.mark.parametrize(
    ("listed", "command"),
    [
        ("1.1", ("test", "-q", "1.1")),
        ("1.1", ("test", "-c", "1.1/2")),
        ("1", ("test", "-q", "1")),
        ("1", ("test", "-q", "1.1")),
        ("1", ("try", "1.1/2")),
    ],
)
def test_hidden_test_is_explained_at_home(at_home, monkeypatch, listed, command):
    monkeypatch.setitem(SETTINGS.tests, "after_due_date", [listed])
    done = run_cli(*command)
    number = command[-1].split("/")[0]
    assert done.stderr == f"{command[0]}: {number} is hidden until the due date\n"
    assert (done.stdout, done.returncode) == ("", 2)


def test_nothing_is_run_at_home_if_all_is_hidden(at_home, monkeypatch):
    monkeypatch.setitem(SETTINGS.tests, "after_published", [row.number for row in QUESTIONS])
    done = run_cli("test")
    assert done.stdout.startswith("all tests are hidden until the grades are published; ")
    assert (done.stderr, done.returncode) == ("", 0)


def test_hidden_tests_are_no_fault_where_they_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SETTINGS.tests, "hidden", ["1"])
    with pytest.raises(UsageError, match=r"^1\.2 is hidden from everybody$"):
        note_what_was_not_run(Report(chosen="1.2"), False, 1)
    monkeypatch.setitem(SETTINGS.tests, "hidden", [row.number for row in QUESTIONS])
    with pytest.raises(UsageError, match=r"^all tests are hidden from everybody$"):
        note_what_was_not_run(Report(), False, 1)


def test_pass_fail_only_test_shows_its_outcome_only(wrong, monkeypatch):
    (before,) = grade(wrong, question="1.3").results
    message = format_message(before).splitlines()[0]
    monkeypatch.setitem(SETTINGS.tests, "pass_fail_only", ["1"])
    report = grade(wrong, question="1")
    results = json.dumps(make_json(report))
    assert make_json(report)["tests"][2]["output"] == "Failed."
    said = run_cli("test", "-q", "1.3", wrong).stdout
    for text in (results, make_page(report), said):
        assert message not in text and "CASE=" not in text and "expected" not in text
        assert "min_value called directly" in text
    assert "FAIL" in said and "next: fix 1.3 (make test Q=1.3)" in said


def test_students_may_get_hidden_tests_and_then_run_them_at_home(monkeypatch):
    monkeypatch.setitem(SETTINGS.tests, "hidden", ["1.2"])
    monkeypatch.setitem(vars(SETTINGS), "students_get_hidden", True)
    files = release.collect_student_files()
    assert b'@number("1.2")' in files["tests/test_1_minimax.py"]
    assert b"hidden = []" in files["assignment.toml"]


def test_release_finds_what_the_settings_hide_or_deny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SETTINGS.tests, "hidden", ["1.2", "4.1"])  # 4.10 is shown
    monkeypatch.setitem(vars(SETTINGS), "leaderboard", False)
    files = release.collect_student_files()
    assert b'@number("1.6")' in files["tests/test_1_minimax.py"]
    assert b'@number("4.10")' in files["tests/test_4_mcts.py"]
    assert find_leftovers(files) == []
    files["tests/test_4_mcts.py"] += b'# a bonus\n@number("4.1")\n'
    files["handout.md"] += b"on the leaderboard\n"
    assert find_leftovers(files) == [
        "handout.md names the leaderboard",
        "tests/test_4_mcts.py speaks of a bonus, but what it is about is graded",
        "tests/test_4_mcts.py holds test 4.1, which is hidden",
    ]


def test_handout_shows_an_example_that_students_see(monkeypatch: pytest.MonkeyPatch) -> None:
    outputs = {"2": "FAIL", "1": "FAIL\n  this case alone: make test CASE=1.1/5\n"}
    monkeypatch.setattr(handout, "render_transcript", lambda question, mistake: outputs[question])
    monkeypatch.setitem(SETTINGS.tests, "pass_fail_only", ["2.3"])
    assert "CASE=1.1/5" in handout.render_example()
    monkeypatch.setitem(SETTINGS.tests, "hidden", [row.number for row in QUESTIONS])
    assert handout.render_example() == ""


def test_a_decorator_about_showing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tests = importlib.import_module("tests.test_1_minimax")
    first = next(test for test in vars(tests).values() if getattr(test, "__number__", "") == "1.1")
    monkeypatch.setattr(first, "__visibility__", "after_due_date", raising=False)
    with pytest.raises(GraderFault, match=r"1\.1 is hidden by a decorator: use assignment\.toml"):
        read_graded_tests()
