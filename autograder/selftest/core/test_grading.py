"""Grading from end to end: the solution gets everything, the starter nothing."""

import gc
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from autograder.author.grade_batch import Shortened
from autograder.author.graded_tests import best_score, graded_tests, total
from autograder.checks.student import Student
from autograder.feedback.diagnosis import Marks, mark_of
from autograder.feedback.progress import Progress
from autograder.feedback.report import how_to_repeat
from autograder.feedback.results import Outcome, Result
from autograder.grading.grade import grade
from autograder.grading.pytest_plugin import GradedTest, GradedTests
from autograder.questions import QUESTIONS, ROOT
from autograder.selftest.support.commands import ALL_POINTS, run_here, run_python
from autograder.serving.case_files import Cases
from autograder.serving.game_server import GameServer
from autograder.submission import Submission


def test_the_solution_scores_everything(tmp_path):
    done = run_python(
        "-m", "autograder", "grade", "solution", "--results", str(tmp_path / "results.json")
    )
    results = json.loads((tmp_path / "results.json").read_text())
    assert done.stdout.splitlines()[-1] == best_score()
    assert done.returncode == 0
    assert results["score"] == total() + total(bonus=True)
    for key in ("number", "name"):
        values = [test[key] for test in results["tests"]]
        assert len(set(values)) == len(values)


@pytest.mark.slow
def test_every_test_of_the_starter_says_what_to_write(tmp_path):
    results = tmp_path / "results.json"
    done = run_here("grade", "starter", "--results", str(results))
    assert done.stdout.splitlines()[-1] == f"score: 0/{total():g}"
    for test in json.loads(results.read_text())["tests"]:
        assert test["score"] == 0
        what, place, *_ = test["output"].splitlines()
        assert re.search(r"write \w+ in \w+\.py$", what)
        assert re.fullmatch(r"  \w+\.py, line \d+:  raise NotImplementedError\(.+", place)
        assert "Traceback" not in test["output"]


def test_one_case_is_run_alone():
    done = run_here("test", "--case", f"2.3/{Cases().load('2.3')[0].token}", "solution")
    assert "next: this case passes" in done.stdout


@pytest.mark.slow
def test_settings_of_pytest_change_nothing(tmp_path):
    for file in (ROOT / "solution").glob("*.py"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "conftest.py").write_text("raise SystemExit(1)")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    settings = {"PYTEST_ADDOPTS": "--collect-only", "PYTEST_PLUGINS": "no_plugin_of_that_name"}
    done = run_python(
        "-m", "autograder", "test", "-q", "3.8", str(tmp_path), env={**os.environ, **settings}
    )
    assert ALL_POINTS.fullmatch(done.stdout.splitlines()[-1]), done.stderr


# --- how far a test goes --------------------------------------------------------------------------

SOLUTION = {q.file: (ROOT / "solution" / q.file).read_text() for q in QUESTIONS}
SAYS = ["you never cut off", "you do something else"]
NO_CUTOFF_AT_MIN = re.sub(r" +if v <= alpha:\n +return .*\n", "", SOLUTION["alphabeta.py"])


A_FEW = ("2.1", "2.3", "2.4")  # to be quick
ONLY_A_FEW = Shortened(A_FEW, stop_at_first=False)


def judged_cases(
    monkeypatch: pytest.MonkeyPatch, alphabeta: str, known: Marks
) -> tuple[dict[str, int], dict[str, Any]]:
    """Grade a few tests of question 2, with these marks of mistakes known.

    Return how many cases of each test were judged, and the results.
    """
    count: dict[str, int] = {}
    begin, judge_cases = Student.begin, GradedTests.judge_cases
    begun: list[Student] = []

    def counted(self: GradedTests, test: GradedTest, student: Student) -> None:
        judge_cases(self, test, student)
        count[test.result.number] = begun.count(student)

    def noted(student: Student, seconds: float) -> None:
        begun.append(student)
        begin(student, seconds)

    with monkeypatch.context() as patch:
        patch.setattr(GradedTests, "judge_cases", counted)
        patch.setattr(Student, "begin", noted)
        none: Marks = {number: {} for number in Cases().mistakes("2.1")[0]}
        patch.setattr(Cases, "mistakes", lambda self, number: ({**none, **known}, SAYS))
        submission = Submission({"alphabeta.py": alphabeta.encode()})
        report = grade(submission, question="2", progress=ONLY_A_FEW)
    return count, {result.number: result for result in report.results}


@pytest.mark.slow
def test_known_mistake_is_named_from_all_cases(monkeypatch):
    count, results = judged_cases(monkeypatch, NO_CUTOFF_AT_MIN, {})
    assert results["2.3"].outcome is Outcome.FAILED
    assert results["2.3"].case.name.startswith("2.3/")
    assert count["2.3"] == len(Cases().load("2.3")) == len(results["2.3"].traces)
    assert not results["2.3"].diagnosis

    mark = mark_of(results["2.3"].traces)
    _, results = judged_cases(monkeypatch, NO_CUTOFF_AT_MIN, {"2.3": {mark: [0]}})
    assert results["2.3"].diagnosis == "you never cut off"
    assert not results["2.1"].diagnosis, "it is passed"

    _, results = judged_cases(monkeypatch, NO_CUTOFF_AT_MIN, {"2.3": {mark: [0, 1]}})
    assert results["2.3"].diagnosis == "you never cut off, or if you do something else"
    known = {"2.3": {mark: [0, 1]}, "2.4": {"another mark": [1]}}
    _, results = judged_cases(monkeypatch, NO_CUTOFF_AT_MIN, known)
    assert results["2.3"].diagnosis == "you never cut off", "the other one would fail 2.4"


@pytest.mark.slow
def test_diagnosis_is_limited_to_its_test_if_another_failure_is_unexplained(monkeypatch):
    odd = SOLUTION["alphabeta.py"].replace("if v <= alpha:", "if v <= alpha + 31:")
    _, results = judged_cases(monkeypatch, odd, {})
    failed = [n for n, result in results.items() if result.outcome is Outcome.FAILED]
    mark = mark_of(results[failed[0]].traces)
    _, results = judged_cases(monkeypatch, odd, {failed[0]: {mark: [0]}})
    assert [n for n, result in results.items() if result.diagnosis] == failed[:1] != failed
    assert results[failed[0]].named_mistake == (
        "In this test, this is what you would get if you never cut off."
    )


@pytest.mark.slow
def test_state_leaking_between_searches_is_reported(monkeypatch):
    source = SOLUTION["alphabeta.py"].replace(
        "    player = state.to_move\n", "    player = state.to_move\n    SEEN.append(state)\n"
    )
    late = "    if len(SEEN) > 9:\n        return 99, None\n    return max_value("
    source = source.replace("    return max_value(", late)
    _, results = judged_cases(monkeypatch, f"SEEN = []\n{source}", {})
    finding = results["2.1"].finding
    assert finding.hints[0].name == "passes-alone"
    assert not finding.reproducible
    assert how_to_repeat(results["2.1"]) == [("this test alone", "make test Q=2.1")]
    assert f"of {len(Cases().load('2.1'))} cases fail" in results["2.1"].failing


@pytest.mark.slow
def test_searches_are_released_when_their_test_ends() -> None:
    """A record may take 80 MB, so the grader has room for the last one only."""
    counts = []

    def alive() -> list[GameServer]:
        gc.collect()
        return [one for one in gc.get_objects() if isinstance(one, GameServer)]

    class Counts(Progress):
        def finished(self, result: Result) -> None:
            counts.append(len(alive()) - len(others))

    others = alive()  # of other tests
    source = NO_CUTOFF_AT_MIN.encode()
    grade(Submission({"alphabeta.py": source}), question="2", progress=Counts())
    assert len(counts) == len(graded_tests("2")) and max(counts) <= 1


@pytest.mark.slow
def test_endless_function_is_waited_for_once(monkeypatch):
    count, results = judged_cases(monkeypatch, "while True: pass\n", {})
    assert set(count.values()) == {1}
    assert {result.outcome for result in results.values()} == {Outcome.FAILED}
    assert not any(result.finding.diagrams for result in results.values()), "it never was called"


# --- as any suite is run --------------------------------------------------------------------------


def suite(*args: str, submission: Path | None = None) -> subprocess.CompletedProcess[str]:
    where = ["--submission", str(submission)] if submission else []
    env = {**os.environ, "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # to start fast
    return run_python("-m", "pytest", *where, *args, env=env)


@pytest.fixture
def wrong(tmp_path):
    """A submission of question 2 alone that never cuts off at min nodes."""
    (tmp_path / "alphabeta.py").write_text(NO_CUTOFF_AT_MIN)
    return tmp_path


MIN_NODES = "tests/test_2_alphabeta.py::test_cutoff_at_min_nodes"


@pytest.mark.slow
def test_failing_test_shows_the_students_message(wrong):
    done = suite(MIN_NODES, submission=wrong)
    assert done.returncode == 1
    assert "make test CASE=2.3/" in done.stdout
    assert "autograder/checks" not in done.stdout
    assert f"FAILED {MIN_NODES} - Failed: " in done.stdout


@pytest.mark.slow
def test_suite_runs_on_the_starter_by_default():
    done = suite("tests", "-k", "1.3", "-q")
    assert "write min_value in minimax.py" in done.stdout


def test_suite_says_in_one_line_that_there_is_nothing_to_grade(tmp_path):
    done = suite("tests", submission=tmp_path)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is nothing to grade in" in done.stderr
    assert "Traceback" not in done.stderr
