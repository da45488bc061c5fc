"""Student files for the lab's tests."""

import shutil
from pathlib import Path

import pytest

from autograder.questions import QUESTION_FILES, ROOT

pytest.importorskip("marimo", reason='no marimo here: pip install ".[lab]"')

from lab import student
from lab.student import StudentCode


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> StudentCode:
    monkeypatch.setattr(student, "FOLDER", ROOT / "solution")
    return student.read_code(ROOT / "solution")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the stubs, which the lab reads as the student's files."""
    for name in QUESTION_FILES:
        shutil.copy(ROOT / "starter" / name, tmp_path)
    monkeypatch.setattr(student, "FOLDER", tmp_path)
    return tmp_path
