"""Bad input: each kind ends in one clear line, at the right test, and the rest is graded."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.grade import ROOT
from autograder.submission import read_submission

FILES = ("minimax.py", "alphabeta.py", "cutoff.py", "mcts.py")
SOLUTION = {name: (ROOT / "solution" / name).read_text(encoding="utf-8") for name in FILES}


def run(*args: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "autograder", *map(str, args)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def refused(*args: str | Path) -> str:
    """Run a command that can't begin; return the one line that says why."""
    done = run(*args)
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert "Traceback" not in done.stdout + done.stderr
    return line


def write(folder: Path, **changed: str | None) -> Path:
    """Write the solution as a submission; None leaves a file out."""
    for name, complete in SOLUTION.items():
        text = changed.get(name.removesuffix(".py"), complete)
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def graded(folder: Path, number: str) -> tuple[str, str]:
    """Grade one test; return the first line of its message, and the last line printed."""
    done = run("test", "-q", number, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stdout
    lines = done.stdout.splitlines()
    heading = next(i for i, line in enumerate(lines) if line.startswith(f"{number}  "))
    return lines[heading + 1], lines[-1]


# --- nothing to grade -----------------------------------------------------------------------------


def test_path_that_does_not_exist(tmp_path: Path) -> None:
    assert "does not exist" in refused("grade", tmp_path / "nowhere")


def test_empty_folder(tmp_path: Path) -> None:
    line = refused("grade", tmp_path)
    assert "nothing to grade" in line
    assert "minimax.py is not in the submission" in line


def test_broken_zip(tmp_path: Path) -> None:
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and then nothing of the kind")
    assert "not a zip that can be read" in refused("grade", tmp_path / "broken.zip")


def test_zip_cut_short(tmp_path: Path) -> None:
    whole = tmp_path / "whole.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        for name, text in SOLUTION.items():
            archive.writestr(name, text)
    cut = tmp_path / "cut.zip"
    cut.write_bytes(whole.read_bytes()[:-100])
    assert "not a zip that can be read" in refused("grade", cut)


@pytest.mark.parametrize(
    "name", ["Minimax.PY", "minimax (1).py", "minimax.py.txt", "minimax.ipynb"]
)
def test_a_name_that_is_nearly_right(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SOLUTION["minimax.py"])
    says = f"minimax.py is not in the submission; there is {name}, but the name must be minimax.py"
    assert says in refused("grade", tmp_path)


def test_a_name_that_is_twice_in_a_zip(tmp_path: Path) -> None:
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("minimax.py", "raise SystemExit\n")
        archive.writestr("minimax.py", SOLUTION["minimax.py"])
    submission = read_submission(path)
    assert submission.notes == ["minimax.py is there twice: the last is graded"]
    assert submission.files["minimax.py"].decode() == SOLUTION["minimax.py"]


def test_what_could_not_begin_is_said_in_the_results(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    refused("grade", tmp_path / "nowhere", "--results", results)
    content = json.loads(results.read_text())
    assert content["score"] == 0
    assert "does not exist" in content["output"]


def test_no_page_of_an_earlier_grading_is_left(tmp_path: Path) -> None:
    page = tmp_path / "results.html"
    page.write_text("of yesterday")
    refused("grade", tmp_path / "nowhere", "--results", tmp_path / "results.json")
    assert not page.exists()


# --- questions and cases that do not exist --------------------------------------------------------


@pytest.mark.parametrize("question", ["9", "2.99", "two", "", "-1", "2.", ".", "1.1.1"])
def test_no_such_question(question: str) -> None:
    line = refused("test", f"--question={question}")
    assert "no test" in line
    assert "Q=2" in line


TOKEN = "2.3/~eNqrVkpPzE1VslKK"  # the beginning of one


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ("2.3/999", "2.3/1 to 2.3/"),
        ("2.3/0", "2.3/1 to 2.3/"),
        ("2.3/", "2.3/1 to 2.3/"),
        ("2.3", "2.3/1 to 2.3/"),
        ("2.3/x", "2.3/1 to 2.3/"),
        ("2.3/²", "2.3/1 to 2.3/"),
        ("nonsense", "no test nonsense"),
        ("9.9/1", "no test 9.9"),
        ("../x/1", "no test"),
        ("", "no test"),
        (TOKEN, "copy all of it"),
        ("2.3/~", "copy all of it"),
        ("2.3/~%%%", "copy all of it"),
        ("2.3/~é", "copy all of it"),
        ("2.3/~eJyLBgABFQC5", "copy all of it"),  # an intact text, of an empty list
        ("2.3/~eJyrrgUAAXUA-Q", "copy all of it"),  # of an empty dictionary
    ],
)
def test_no_such_case(case: str, says: str) -> None:
    assert says in refused("test", f"--case={case}")


def test_case_of_another_test(tmp_path: Path) -> None:
    wrong = SOLUTION["minimax.py"].replace("game.utility(state, player)", "-1")
    done = run("test", "-q", "1.6", write(tmp_path, minimax=wrong))
    token = next(line.split("1.6/")[1] for line in done.stdout.splitlines() if "CASE=1.6/~" in line)
    assert "copy all of it" in refused("test", f"--case=4.1/{token}")


# --- faults in one file ---------------------------------------------------------------------------

FAULTS = {
    "missing file": (None, "minimax.py is not in the submission"),
    "empty file": ("", "minimax.py has no function minimax_search"),
    "syntax error": ("def min_value(:\n", "minimax.py can't be loaded: SyntaxError"),
    "not text": ("\udcff", "minimax.py can't be loaded: SyntaxError"),
    "import error": ("import nowhere\n", "minimax.py can't be loaded: ModuleNotFoundError"),
    "exit on import": ("raise SystemExit\n", "minimax.py can't be loaded: SystemExit"),
    "parameters": (
        SOLUTION["minimax.py"].replace("(game: Game, state: State)", "(state: State)"),
        "minimax_search raised TypeError: minimax_search() takes 1 positional argument but 2",
    ),
}
RETURNS = {
    "3": "minimax_search should return a pair (value, move)",
    "None": "minimax_search should return a pair (value, move)",
    "(3, None, None)": "minimax_search should return a pair (value, move)",
    "('3', None)": "the value that minimax_search returns should be a finite number",
    "(float('nan'), None)": "the value that minimax_search returns should be a finite number",
    "(float('inf'), None)": "the value that minimax_search returns should be a finite number",
    "(10**400, None)": "the value that minimax_search returns should be a finite number",
    "(__import__('fractions').Fraction(10**400, 3), None)": (
        "the value that minimax_search returns should be a finite number"
    ),
    "(True, None)": "the value that minimax_search returns should be a finite number",
    "(3, 'nowhere')": "minimax_search returned a move that is not legal",
    "(3, [1])": "minimax_search returned a move that is not legal",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_in_a_file(tmp_path: Path, fault: str) -> None:
    text, says = FAULTS[fault]
    if text is not None and "\udcff" in text:
        write(tmp_path)
        (tmp_path / "minimax.py").write_bytes(b"x = '\xff'\n")
    else:
        write(tmp_path, minimax=text)
    line, score = graded(tmp_path, "1.1")
    assert line.startswith(says)
    assert score == "score: 0/3"
    assert run("test", "-q", "2.1", tmp_path).stdout.splitlines()[-1] == "score: 4/4"


@pytest.mark.parametrize("value", RETURNS)
def test_odd_answer(tmp_path: Path, value: str) -> None:
    text = f"def minimax_search(game, state):\n    return {value}\n"
    line, score = graded(write(tmp_path, minimax=text), "1.1")
    assert line == RETURNS[value]
    assert score == "score: 0/3"


def test_illegal_move_in_the_search(tmp_path: Path) -> None:
    text = "def minimax_search(game, state):\n    return 0, game.result(state, 'nowhere')\n"
    line, _ = graded(write(tmp_path, minimax=text), "1.1")
    assert line.startswith("minimax_search raised ValueError: 'nowhere' ")


def test_what_needs_rights_that_code_has_not(tmp_path: Path) -> None:
    text = "import logging\n\nlogging.basicConfig(filename='search.log')\n"
    write(tmp_path, minimax=text + SOLUTION["minimax.py"])
    done = run("test", "-q", "1.1", tmp_path)
    if "score: 3/3" in done.stdout:
        pytest.skip("nothing keeps code from writing here")
    assert "While it is graded, code can't write files" in done.stdout


def test_nodes_without_statistics_that_can_be_set(tmp_path: Path) -> None:
    text = SOLUTION["mcts.py"].replace("        self.N = 0\n", "    N = property(lambda self: 0)\n")
    line, _ = graded(write(tmp_path, mcts=text), "4.5")
    assert line.startswith("a search tree can't be built of your Node: AttributeError")


def test_heuristic_that_is_no_number(tmp_path: Path) -> None:
    text = (
        SOLUTION["cutoff.py"] + "\n\ndef connect_four_heuristic(state, player):\n    return 'x'\n"
    )
    line, _ = graded(write(tmp_path, cutoff=text), "3.8")
    assert line == "connect_four_heuristic should return a finite number"
