"""The autograder set up and run in a stand-in for Gradescope's container."""

import contextlib
import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]
import pytest

from autograder.author.graded_tests import sum_points
from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.container import (
    ENVIRONMENT,
    STILL_RUNNING,
    Unavailable,
    open_container,
)

pytestmark = pytest.mark.slow

SCHEMA = json.loads((ROOT / "docs" / "results.schema.json").read_text())
PROBE = b"""
import os
seen = [p for p in ("source", "submission", "results", "submission_metadata.json")
        if os.access("/autograder/" + p, os.R_OK)]
raise RuntimeError(f"user {os.getuid()}, sees {seen}")
"""


@pytest.fixture(scope="module")
def box(request):
    """Yield a container with the autograder's zip, set up twice."""
    with contextlib.ExitStack() as stack:
        try:
            zips = request.getfixturevalue("zips")
            box = stack.enter_context(open_container(zips / "autograder.zip"))
        except Unavailable as reason:
            pytest.skip(f"no container like Gradescope's: {reason}")
        for done in (box.set_up(), box.set_up()):
            assert done.returncode == 0, done.stderr
            assert done.stdout.startswith("the autograder is set up, on Python 3.")
        for folder in ("usr/lib", "usr/local/lib"):  # the system's Python stays as it is
            assert not list((box.written / folder).glob("python3*/**/*.py"))
        yield box


def test_solution_scores_everything_and_leaves_nothing(box):
    results, done = box.grade(SOLUTION_FILES)
    assert [test["output"] for test in results["tests"] if test["status"] != "passed"] == []
    assert results["score"] == sum_points() + sum_points(bonus=True)
    jsonschema.validate(results, SCHEMA)
    assert (done.returncode, done.stderr) == (0, "")
    for folder in ("tmp", "var/tmp"):
        if (box.written / folder).exists():
            assert list((box.written / folder).iterdir()) == []
    left = [path.name for path in (box.home / "results").iterdir()]
    assert all(name.startswith("results.") for name in left), left
    assert done.stdout.split(STILL_RUNNING)[1].split() == ["sh"]


def test_student_code_runs_as_a_user_who_sees_nothing(box):
    results, _ = box.grade({"minimax.py": PROBE})
    assert "a separate user" not in results["output"]
    said = results["tests"][0]["output"]
    assert "RuntimeError: user " in said
    assert "user 0," not in said
    assert "sees []" in said


def test_empty_submission_is_reported(box):
    results, done = box.grade({"notes.txt": b"sorry"})
    jsonschema.validate(results, SCHEMA)
    assert results["score"] == 0
    assert results["output"].startswith("there is nothing to grade in ")
    assert done.returncode == 0


def test_failed_start_still_writes_failing_results(box):
    environment = box.written / ENVIRONMENT
    environment.rename(f"{environment}.away")
    try:
        results, done = box.grade(SOLUTION_FILES)
    finally:
        Path(f"{environment}.away").rename(environment)
    assert "score" not in results
    assert "not your fault" in results["output"]
    assert done.returncode == 0
