"""Grading from end to end: the solution gets everything, the starter nothing."""

import gc
import json
import os
import re

import pytest

from autograder.author.grade_batch import SelectiveProgress
from autograder.author.graded_tests import format_best_score, read_graded_tests, sum_points
from autograder.author.handout import copy_grader
from autograder.feedback.results import Outcome, Progress, Result
from autograder.grading.grade import grade
from autograder.selftest.support.banks import change_solution
from autograder.selftest.support.commands import run_cli, run_python
from autograder.serving.case_files import Cases
from autograder.serving.game_server import GameServer
from autograder.submission import Submission


def test_the_solution_scores_everything(tmp_path):
    file = tmp_path / "results.json"
    done = run_python("-m", "autograder", "grade", "solution", "--results", file)
    results = json.loads(file.read_text())
    assert done.stdout.splitlines()[-1] == format_best_score()
    assert done.returncode == 0
    assert results["score"] == sum_points() + sum_points(bonus=True)
    for key in ("number", "name"):
        values = [test[key] for test in results["tests"]]
        assert len(set(values)) == len(values)


@pytest.mark.slow
def test_every_test_of_the_starter_says_what_to_write(tmp_path):
    results = tmp_path / "results.json"
    done = run_cli("grade", "starter", "--results", str(results))
    assert done.stdout.splitlines()[-1] == f"score: 0/{sum_points():g}"
    for test in json.loads(results.read_text())["tests"]:
        assert test["score"] == 0
        what, place, *_ = test["output"].splitlines()
        assert re.search(r"write \w+ in \w+\.py$", what)
        assert re.fullmatch(r"  \w+\.py, line \d+:  raise NotImplementedError\(.+", place)
        assert "Traceback" not in test["output"]


def test_one_case_is_run_alone():
    done = run_cli("test", "--case", f"2.3/{Cases().load('2.3')[0].token}", "solution")
    assert "next: this case passes" in done.stdout


@pytest.mark.slow
def test_settings_of_pytest_change_nothing(tmp_path):
    settings = {"PYTEST_ADDOPTS": "--collect-only", "PYTEST_PLUGINS": "no_plugin_of_that_name"}
    command = ("-m", "autograder", "test", "-q3.8", "solution")
    folder = copy_grader(tmp_path, "solution")
    done = run_python(*command, cwd=folder, env=os.environ | settings)
    assert re.fullmatch(r"score: (?!0/)(\S+)/\1", done.stdout.splitlines()[-1]), done.stderr


@pytest.mark.slow
def test_searches_are_released_when_their_test_ends():
    """A record may be large, so the grader has room for the last one only."""
    counts = []

    class Counts(Progress):
        def finished(self, result: Result | None) -> None:
            gc.collect()
            counts.append(sum(isinstance(one, GameServer) for one in gc.get_objects()))

    Counts().finished(None)  # those of other tests
    source = change_solution("minimax.py", "if v2 < v:", "if v2 > v:").encode()
    grade(Submission({"minimax.py": source}), question="1", progress=Counts())
    assert len(counts) == len(read_graded_tests("1")) + 1 and max(counts) <= counts[0] + 1


@pytest.mark.slow
def test_endless_function_is_waited_for_once():
    few = SelectiveProgress(("2.1", "2.3", "2.4"), stop_at_first=False)
    report = grade(Submission({"alphabeta.py": b"while True: pass\n"}), question="2", progress=few)
    assert [len(result.traces) for result in report.results] == [1, 1, 1]
    assert {result.outcome for result in report.results} == {Outcome.FAILED}
    diagrams = [result.finding.diagrams for result in report.results if result.finding]
    assert diagrams == [()] * 3, "it never was called"


NOWHERE = "--submission=nowhere"


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (("-k", "1.3"), 1, "write min_value in minimax.py"),  # of the starter
        (("-k", "2.1", "--submission=solution"), 0, "1 passed"),  # and not 2.10
        (("--help", NOWHERE), 0, "usage: "),  # no test is run, so no submission is read
        (("--collect-only", NOWHERE), 0, "::test_"),
        (("--submission=docs",), pytest.ExitCode.USAGE_ERROR, "there is nothing to grade in"),
    ],
)
def test_suite_is_run_by_pytest_and_answers_in_one_line(args, status, said):
    env = {**os.environ, "COLUMNS": "200", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # to start fast
    done = run_python("-m", "pytest", "tests", "-q", *args, env=env)
    assert done.returncode == status
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "deselected" not in done.stdout and "autograder/checks" not in done.stdout
