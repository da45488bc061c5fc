"""Grading from end to end: the solution gets everything, the starter nothing, results are valid."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def run(*args: str, **options) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "autograder", *args]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The solution's grading: what was printed, and results.json."""
    results = tmp_path_factory.mktemp("results") / "results.json"
    done = run("grade", "solution", "--results", str(results))
    return done, json.loads(results.read_text())


def test_the_solution_scores_everything(graded):
    done, results = graded
    assert done.stdout.splitlines()[-1] == "score: 100/100"
    assert done.returncode == 0
    assert results["score"] == 100


def test_the_points_of_the_questions_are_those_of_the_handout(graded):
    _, results = graded
    points: dict[str, float] = {}
    for test in results["tests"]:
        question = test["number"].split(".")[0]
        points[question] = points.get(question, 0) + test["max_score"]
    assert points == {"1": 15, "2": 25, "3": 20, "4": 40}


def test_numbers_and_labels_are_unique(graded):
    _, results = graded
    for key in ("number", "name"):
        values = [test[key] for test in results["tests"]]
        assert len(set(values)) == len(values)


def test_the_untouched_starter_scores_nothing_and_every_test_says_what_to_write(tmp_path):
    results = tmp_path / "results.json"
    done = run("grade", "starter", "--results", str(results))
    assert done.stdout.splitlines()[-1] == "score: 0/100"
    for test in json.loads(results.read_text())["tests"]:
        assert test["score"] == 0
        assert re.match(r"not written yet: write \w+ in \w+\.py", test["output"])
        assert "Traceback" not in test["output"]


def test_one_question_and_one_case_can_be_run_alone():
    done = run("test", "--question", "2", "solution")
    assert done.stdout.splitlines()[-1] == "score: 25/25"
    done = run("test", "--case", "2.3/2", "solution")
    assert done.stdout.splitlines()[-1] == "score: 3/3"


def test_a_secret_case_can_be_run_at_home_from_its_name():
    from autograder.cases import Cases

    token = Cases().load("2.3")[0].token
    done = run("test", "--case", f"2.3/{token}", "solution")
    assert done.stdout.splitlines()[-1] == "score: 3/3"


def test_settings_around_the_grader_change_nothing(tmp_path):
    """Neither pytest's environment variables nor a conftest.py in the submission have a say."""
    for file in (ROOT / "solution").glob("*.py"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "conftest.py").write_text("raise SystemExit(1)")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --collect-only\n")
    env = {**os.environ, "PYTEST_ADDOPTS": "--collect-only -k nothing"}
    done = run("test", "-q", "3", str(tmp_path), env=env)
    assert done.stdout.splitlines()[-1] == "score: 20/20"


@pytest.mark.parametrize(
    "settings",
    [{"PYTEST_PLUGINS": "no_plugin_of_that_name"}, {"PYTEST_ADDOPTS": "--collect-only"}],
)
def test_settings_from_outside_change_nothing(settings):
    done = run("test", "-q", "3.8", "solution", env={**os.environ, **settings})
    assert done.stdout.splitlines()[-1] == "score: 1/1", done.stderr
