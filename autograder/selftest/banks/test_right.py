"""Test that right submissions in any style and packaging get all points.

Only the questions whose files differ are graded; one full run stands for the rest.
"""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.author.grade_batch import Job, verdict_on
from autograder.author.graded_tests import best_score
from autograder.questions import QUESTION_FILES, QUESTIONS, ROOT, question_of
from autograder.selftest.support.banks import SOLUTION_FILES, jobs_of, read_right
from autograder.submission import read_submission

BANK = read_right()


@pytest.mark.slow
@pytest.mark.parametrize(
    "job",
    [
        pytest.param(job, id=f"{entry.name}-{question_of(job.question or '').name}")
        for entry in BANK
        for job in jobs_of(entry)
    ],
)
def test_right_submission_gets_every_point(job: Job) -> None:
    verdict = verdict_on(job)
    assert not verdict.fault
    assert verdict.failed == [], f"{verdict.words}"


def test_every_file_of_an_entry_differs_from_the_solution() -> None:
    for entry in BANK:
        for file, content in entry.files.items():
            assert content != SOLUTION_FILES[file], entry.name


def test_each_question_is_written_in_many_ways() -> None:
    few = {"5": 16, "6": 4}  # of the others there are rewrites besides
    for question in QUESTIONS:
        least = few.get(question.number, 24)
        written = sum(question.file in entry.files for entry in BANK)
        said = f"question {question.number}: {written} of {least}, or name it here"
        assert written >= least, said


@pytest.mark.slow
def test_full_run_of_one_right_submission(tmp_path: Path) -> None:
    """All questions at once, by the command, as a zip in which everything differs."""
    (classes,) = (entry for entry in BANK if entry.name == "classes")
    with zipfile.ZipFile(tmp_path / "a submission.zip", "w") as file:
        for name, content in classes.submission.files.items():
            file.writestr(f"my work/starter/{name}", content)
    command = [sys.executable, "-m", "autograder", "grade", str(tmp_path / "a submission.zip")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == best_score()


# --- handed in ------------------------------------------------------------------------------------


def extra_files(folder: Path) -> None:
    """What lies about in a student's folder."""
    for name in (".git/config", "data/games.csv", "tests/test_minimax.py", "__pycache__/mcts.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("raise SystemExit('this is not graded')\n")
    for name in (
        "README.md",
        "games.py",
        "conftest.py",
        "minimax_old.py",
        "notes.ipynb",
        ".DS_Store",
    ):
        (folder / name).write_text("raise SystemExit('this is not graded')\n")


def folder(tmp_path: Path, prefix: str, extra: bool = False) -> Path:
    top = tmp_path / "submission"
    (top / prefix).mkdir(parents=True)
    for name, content in SOLUTION_FILES.items():
        (top / prefix / name).write_bytes(content)
    if extra:
        extra_files(top)
    return top


def packed(tmp_path: Path, prefix: str, extra: bool = False) -> Path:
    top = folder(tmp_path, prefix, extra)
    return Path(shutil.make_archive(str(tmp_path / "submission"), "zip", top))


def packed_on_a_mac(tmp_path: Path, prefix: str, extra: bool = False) -> Path:
    """A zip with the resource forks that macOS adds beside every file."""
    path = packed(tmp_path, prefix, extra)
    with zipfile.ZipFile(path, "a") as file:
        for name in QUESTION_FILES:
            file.writestr(os.path.join("__MACOSX", prefix, f"._{name}"), b"\0\5\26\7")
    return path


@pytest.mark.parametrize("extra", [False, True])
@pytest.mark.parametrize("prefix", ["", "starter", "adversarial search", "Ada Lovelace/starter"])
@pytest.mark.parametrize("pack", [folder, packed, packed_on_a_mac])
def test_submission_is_found_in_every_packaging(
    pack: Callable[[Path, str, bool], Path], prefix: str, extra: bool, tmp_path: Path
) -> None:
    """Every way gives the grader the same files, byte by byte, so the score is the same."""
    submission = read_submission(pack(tmp_path, prefix, extra))
    assert submission.files == SOLUTION_FILES
    assert submission.problems == {}
