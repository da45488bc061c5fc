"""Progress and the last lines on a terminal, and the targets of make."""

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder import command_line
from autograder.feedback import report, terminal
from autograder.feedback.report import UPLOAD
from autograder.feedback.results import Outcome, Report, Result
from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.commands import run_cli
from autograder.submission import Submission

LABEL = "The true value and a best move on undecided tic-tac-toe positions"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which `submit` and `next` find and write their files."""
    monkeypatch.setattr(command_line, "SUBMISSION_ZIP", tmp_path / "submission.zip")
    monkeypatch.setattr(report, "LAST_STEP", tmp_path / ".next-step")
    monkeypatch.setattr(report, "TESTED", [tmp_path / "minimax.py"])
    (tmp_path / "minimax.py").touch()
    return tmp_path


def test_running_test_shows_its_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    result = Result("1.6", LABEL, 3)
    progress = terminal.LineByLine()
    progress.starts(result)
    progress.case_judged(3, 20)
    result.outcome = Outcome.PASSED
    progress.finished(result)
    seen = re.split(r"[\r\n]", capsys.readouterr().out)
    assert any(line.rstrip().endswith(" 3/20") for line in seen)
    assert all(len(line) <= 80 for line in seen)
    assert any("pass     3/3" in line for line in seen)


def test_the_last_screen_lists_all_failing_tests_and_the_next_step(project: Path) -> None:
    source = SOLUTION_FILES["minimax.py"]
    for_x = source.replace(b"    player = state.to_move", b"    player = 'X'")
    (project / "minimax.py").write_bytes(for_x)
    lines = run_cli("test", "-q", "1", project).stdout.splitlines()
    failing = [
        line.split()[0] for line in lines if re.match(r" +1\.\d .* (FAIL|after 1\.\d) ", line)
    ]
    assert len(failing) > 1
    assert f"failing: {', '.join(failing)}" in lines[-5:]
    step = run_cli("next").stdout.splitlines()
    assert step[0].startswith(f"next: fix {failing[0]} ") and set(step) < set(lines[-5:])


def test_no_test_passes_without_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*args: object, **options: object) -> None:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(subprocess, "Popen", fails)
    done = run_cli("test", "-q", "1", ROOT / "solution")
    assert done.returncode == 3
    assert "passes" not in done.stdout
    assert "the grader failed, not your code: " in done.stdout
    assert "next: tell your instructor that the grader fails; it is not your fault" in done.stdout


def test_submit_prints_a_summary_and_ends_in_the_upload(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_line, "read_submission", lambda path: Submission(SOLUTION_FILES))
    monkeypatch.setattr(
        command_line, "look_at", lambda submission: dict.fromkeys(SOLUTION_FILES, "")
    )

    def graded(submission: Submission, progress: terminal.CurrentTest) -> Report:
        results = [
            Result(f"{q}.{n}", LABEL, 3, outcome=Outcome.PASSED) for q in (1, 2) for n in (1, 2)
        ]
        for result in results:
            progress.starts(result)
            progress.finished(result)
        return Report(results=results)

    monkeypatch.setattr(command_line, "grade", graded)
    lines = run_cli("submit").stdout.splitlines()
    assert LABEL not in "".join(lines)
    assert "question 1: 6/6   question 2: 6/6" in lines
    assert lines[-3] == UPLOAD and lines[-1] == "score: 12/12"
    assert (project / "submission.zip").exists()
    assert run_cli("next").stdout.strip() == UPLOAD


def test_next_step_after_a_change_is_to_test_again(project: Path) -> None:
    report.store_step(UPLOAD)
    assert run_cli("next").stdout.strip() == UPLOAD
    os.utime(project / "minimax.py", (time.time() + 10,) * 2)
    assert run_cli("next").stdout.strip() == "next: make test"


def test_next_step_is_about_the_files_in_starter(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    report.store_step(UPLOAD)
    monkeypatch.setattr(command_line, "PAGE", tmp_path / "results.html")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "minimax.py").write_text("x = 1\n")
    run_cli("test", "-q", "1.1", tmp_path / "other")
    assert run_cli("next").stdout.strip() == UPLOAD


@pytest.mark.parametrize("goals", [["test", "1"], ["test", "1.2/3"], ["2"]])
@pytest.mark.parametrize("place", [".", "starter"])
def test_a_number_in_place_of_q_is_explained_before_anything_runs(
    tmp_path: Path, goals: list[str], place: str
) -> None:
    (tmp_path / "starter").mkdir()
    for target, source in (
        ("Makefile", "autograder/author/student/Makefile"),
        ("starter/Makefile", "starter/Makefile"),
    ):
        (tmp_path / target).write_text((ROOT / source).read_text(encoding="utf-8"))
    done = subprocess.run(["make", *goals], cwd=tmp_path / place, capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert "make test Q=1, a case like this: make test CASE=1.2/3" in done.stderr
