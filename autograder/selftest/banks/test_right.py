"""Test that right submissions in any style and packaging get all points.

Only the questions whose files differ are graded.
"""

import shutil
from pathlib import Path

import pytest

from autograder.author.bank import Entry
from autograder.author.grade_batch import GradingJob, grade_job
from autograder.author.platforms import write_files
from autograder.questions import QUESTIONS
from autograder.selftest.support.banks import SOLUTION_FILES, read_right_entries
from autograder.submission import read_submission

BANK = read_right_entries()
JOBS = [(entry, row) for entry in BANK for row in QUESTIONS if row.file in entry.files]


@pytest.mark.parametrize(
    ("entry", "question"),
    [
        # Every fifth one is for `make check-all`, which should end in half an hour.
        pytest.param(
            entry,
            row.number,
            id=f"{entry.name}-{row.name}",
            marks=pytest.mark.nightly if number % 5 else pytest.mark.slow,
        )
        for number, (entry, row) in enumerate(JOBS)
    ],
)
def test_right_submission_gets_every_point(entry: Entry, question: str) -> None:
    verdict = grade_job(GradingJob(entry.submission, question))
    assert not verdict.fault
    assert verdict.failed == [], f"{verdict.words}"


def test_each_question_is_written_in_many_ways() -> None:
    few = {"5": 16, "6": 4}  # the bank also has rewrites of the others
    for question in QUESTIONS:
        files = [entry.files[question.file] for entry in BANK if question.file in entry.files]
        assert SOLUTION_FILES[question.file] not in files
        assert len(files) >= few.get(question.number, 24), f"question {question.number}"


OTHER_FILES = (
    *(".git/config", "data/games.csv", "tests/test_minimax.py", "__pycache__/mcts.py"),
    *("README.md", "games.py", "conftest.py", "minimax_old.py", "notes.ipynb", ".DS_Store"),
)


@pytest.mark.parametrize("prefix", ["", "starter", "adversarial search", "Ada Lovelace/starter"])
@pytest.mark.parametrize("packed", [False, True], ids=["folder", "zip"])
def test_submission_is_found_in_every_packaging(packed: bool, prefix: str, tmp_path: Path) -> None:
    top = tmp_path / "submission"
    write_files(top, dict.fromkeys(OTHER_FILES, b"raise SystemExit('this is not graded')\n"))
    write_files(top / prefix, SOLUTION_FILES)
    forks = {f"._{name}": b"\0\5\26\7" for name in SOLUTION_FILES}  # as macOS adds to zips
    write_files(top / "__MACOSX" / prefix, forks)
    path = Path(shutil.make_archive(str(top), "zip", top)) if packed else top
    submission = read_submission(path)
    assert submission.files == SOLUTION_FILES
    assert submission.problems == {}
