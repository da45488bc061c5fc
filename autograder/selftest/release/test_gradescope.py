"""On Gradescope: set up and run as the platform does it, in a stand-in for its container."""

import contextlib
import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from autograder.author.graded_tests import graded_tests, total
from autograder.questions import ROOT
from autograder.selftest.support import SUPPORT
from autograder.selftest.support.container import (
    ENVIRONMENT,
    LEFT,
    Container,
    PeakMemory,
    Source,
    Unavailable,
    apt_sources,
    container,
    question_files,
)

pytestmark = pytest.mark.slow

SCHEMA = json.loads((SUPPORT / "results.schema.json").read_text())
MEMORY = 300  # MB for grader and worker together; the smallest container has 750
PROBE = b"""
import os
seen = [p for p in ("source", "submission", "results", "submission_metadata.json")
        if os.access("/autograder/" + p, os.R_OK)]
raise RuntimeError(f"user {os.getuid()}, sees {seen}")
"""


@pytest.fixture(scope="module")
def new_box(request):
    """A container with the autograder's zip."""
    with contextlib.ExitStack() as stack:
        try:
            zips = request.getfixturevalue("zips")
            box = stack.enter_context(container(zips / "autograder.zip"))
        except Unavailable as reason:
            pytest.skip(f"no container like Gradescope's: {reason}")
        yield box


@pytest.fixture(scope="module")
def packages(new_box):
    """The system's own packages, before the set-up."""
    return system_packages(new_box)


@pytest.fixture(scope="module")
def built(new_box, packages):
    """How two set-ups ended."""
    return [new_box.set_up(), new_box.set_up()]


@pytest.fixture(scope="module")
def box(new_box, built):
    """The container, set up."""
    return new_box


@pytest.fixture(scope="module")
def graded(box):
    """The solution's grading: results.json, what the run printed, the peak memory."""
    with PeakMemory() as memory:
        results, done = box.grade(question_files("solution"))
    return results, done, memory.most


def system_packages(box: Container) -> dict[str, str]:
    """Return what the system's Python can import, by a digest of each file."""
    found = {}
    for folder in ("usr/lib", "usr/local/lib"):
        for path in (box.root / folder).glob("python3*/**/*"):
            if path.is_file() and "__pycache__" not in path.parts:
                found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def graded_here(folder: Path, results: Path) -> dict[str, Any]:
    """What `make grade` gives for the same files, on this machine with the public cases."""
    command = [sys.executable, "-m", "autograder", "grade", str(folder), "--results", str(results)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    graded: dict[str, Any] = json.loads(results.read_bytes())
    return graded


def scores(results: dict[str, Any]) -> dict[str, tuple[float, float]]:
    return {test["number"]: (test["score"], test["max_score"]) for test in results["tests"]}


def test_it_can_be_set_up_twice(built):
    for done in built:
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("the autograder is set up, on Python 3.")


def test_the_systems_own_python_stays_as_it_is(box, packages):
    assert packages
    assert system_packages(box) == packages


def test_the_solution_scores_everything(graded):
    results, _, _ = graded
    assert results["score"] == total() + total(bonus=True)
    assert scores(results) == {test.number: (test.points, test.points) for test in graded_tests()}


def test_part_of_the_points_is_the_same_as_here(box, tmp_path):
    files = {
        "minimax.py": question_files("starter")["minimax.py"],
        "alphabeta.py": question_files("solution")["alphabeta.py"].replace(b">= beta", b"> beta"),
        "mcts.py": b"def select(:\n",
    }
    (tmp_path / "submission").mkdir()
    for name, content in files.items():
        (tmp_path / "submission" / name).write_bytes(content)
    here = graded_here(tmp_path / "submission", tmp_path / "results.json")
    results, _ = box.grade(files)
    assert 0 < results["score"] < 25
    assert scores(results) == scores(here)


def test_the_results_are_in_the_platforms_form(graded):
    results, done, _ = graded
    jsonschema.validate(results, SCHEMA)
    assert done.returncode == 0
    assert done.stderr == ""


def test_grading_leaves_no_files_behind(box, graded):
    _, done, _ = graded
    for folder in ("tmp", "var/tmp", "dev/shm"):
        if (box.root / folder).exists():
            assert list((box.root / folder).iterdir()) == []
    left = [path.name for path in (box.home / "results").iterdir()]
    assert all(name.startswith("results.") for name in left), left
    assert done.stdout.split(LEFT)[1].split() == ["sh"]


def test_grader_and_worker_together_need_little_memory(graded):
    *_, most = graded
    assert 20 < most < MEMORY


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
    environment = box.root / ENVIRONMENT
    environment.rename(f"{environment}.away")
    try:
        results, done = box.grade(question_files("solution"))
    finally:
        Path(f"{environment}.away").rename(environment)
    assert results["score"] == 0
    assert "not your fault" in results["output"]
    assert done.returncode == 0


# --- where the container comes from ---------------------------------------------------------------


def test_apts_sources_are_read_in_both_formats(tmp_path):
    (tmp_path / "sources.list.d").mkdir()
    (tmp_path / "sources.list").write_text(
        "# deb http://off.example/debian stable main\n"
        "deb [arch=amd64 signed-by=/k.gpg] http://one.example/debian stable main contrib # ours\n"
        "deb-src http://one.example/debian stable main\n"
    )
    (tmp_path / "sources.list.d" / "more.sources").write_text(
        "Types: deb deb-src\nURIs: http://two.example/debian\n# a remark\n"
        "Suites: stable\n stable-updates\nComponents: main\n\n"
        "Enabled: no\nTypes: deb\nURIs: http://off.example/\nSuites: stable\nComponents: main\n"
    )
    (tmp_path / "sources.list.d" / "old.list.save").write_text(
        "deb http://off.example/ stable main"
    )
    assert apt_sources(tmp_path) == [
        Source("http://one.example/debian", "stable", ("main", "contrib")),
        Source("http://two.example/debian", "stable", ("main",)),
        Source("http://two.example/debian", "stable-updates", ("main",)),
    ]
