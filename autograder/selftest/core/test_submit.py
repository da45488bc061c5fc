"""`make submit`: what it says about the files, and what it packs."""

import shutil
import zipfile

import pytest

from autograder.author.graded_tests import sum_question_points
from autograder.grading import submit
from autograder.grading.submit import look_at
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.commands import run_isolated
from autograder.submission import Submission, read_submission


def change_minimax(text: str | None) -> Submission:
    """Return the stubs with another text in minimax.py; None leaves it out."""
    submission = read_submission(ROOT / "starter")
    if text is None:
        submission.problems["minimax.py"] = "minimax.py is not in the submission"
    submission.files["minimax.py"] = (text or "").encode()
    return submission


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "minimax.py is not in the submission"),
        ("def min_value(:\n", "SyntaxError"),
        ("import os\nos._exit(0)\n", "its process ended with exit status 0"),
        ("def minimax_search(game, state): ...\n", "minimax.py has no function max_value"),
        ("x = '\N{SNOWMAN}\\n'\n" * 3, "minimax.py has no function minimax_search"),
        ("while True: pass\n", "while True: pass"),
    ],
)
def test_faulty_file_is_one_line_and_costs_no_other_file(text, words, monkeypatch):
    monkeypatch.setattr(submit, "LIMIT", 2)
    found = look_at(change_minimax(text))
    line = found.pop("minimax.py")
    assert words in line
    assert "\n" not in line
    assert set(found.values()) == {""}


@pytest.mark.slow
def test_unfinished_files_are_packed_and_scored(student_folder):
    shutil.copy(ROOT / "solution" / "minimax.py", student_folder / "starter")
    (student_folder / "starter" / "mcts.py").write_text("def select(:\n")
    player = student_folder / "starter" / "player.py"
    player.rename(player.with_name("player2.py"))
    done = run_isolated(student_folder, "-m", "autograder", "submit")
    assert done.returncode == 0
    assert "player2.py, but the name must be player.py" in " ".join(done.stdout.split())
    player.with_name("player2.py").unlink()
    assert "SyntaxError" in done.stdout
    assert "minimax.py         can be loaded, with all its functions" in done.stdout
    assert "alphabeta.py       can be loaded; not written yet: max_value, min_value" in done.stdout
    assert "submission.zip is written" in done.stdout
    assert "\nnext: fix mcts.py, player.py, then: make submit\n" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(f"score: {sum_question_points('1'):g}/")
    with zipfile.ZipFile(student_folder / "submission.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    there = [name for name in QUESTION_FILES if name != player.name]
    assert packed == {name: (student_folder / "starter" / name).read_bytes() for name in there}
    assert read_submission(student_folder / "submission.zip").files == packed


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ('def f():\n    x = 1\n    raise NotImplementedError("write f in minimax.py")\n', ["f"]),
        ("class P:\n    def g(self):\n        raise E('write g in minimax.py')", ["g"]),
        ("def f():\n    return 1  # write f in minimax.py\n", []),
        ("def f(:\n", []),
    ],
)
def test_stubs_are_found(source, names):
    assert submit.list_unwritten(change_minimax(source), "minimax.py") == names


@pytest.mark.slow
def test_missing_graded_file_prevents_packing(student_folder):
    (student_folder / "starter" / "cutoff.py").unlink()
    done = run_isolated(student_folder, "-m", "autograder", "submit")
    assert done.returncode == 2
    assert "cutoff.py is not in the submission" in done.stdout
    assert "no submission.zip was written" in done.stdout
    assert not (student_folder / "submission.zip").exists()


@pytest.mark.slow
def test_files_are_packed_untested_if_all_tests_are_hidden(student_folder):
    settings = student_folder / "assignment.toml"
    text = settings.read_text(encoding="utf-8").replace("\nhidden = []", '\nhidden = ["1"]')
    settings.write_text(text.replace("due_date = []", 'due_date = ["2", "3", "4", "5", "6"]'))
    done = run_isolated(student_folder, "-m", "autograder", "submit")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(
        "\nsubmission.zip is written\nall tests are hidden from everybody or until the due date: "
        "your files were loaded, but not tested\nnext: upload submission.zip to Gradescope\n"
    )
    assert (student_folder / "submission.zip").exists()
