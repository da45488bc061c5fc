"""Bad input ends in one clear line, and the rest is graded."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from autograder.checks.ask.finding import Failed
from autograder.checks.ask.session import Ask
from autograder.checks.ask.student_errors import HINT_FACTS, find_hints, read_answers, remove_paths
from autograder.commands import TYPED
from autograder.feedback.messages import fill_in, read_table
from autograder.feedback.page import GENERATOR
from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_FILES, SOLUTION_TEXTS
from autograder.selftest.support.class_factory import write_files
from autograder.selftest.support.commands import run_cli, run_python
from autograder.selftest.support.packagings import write_submission_zip
from autograder.submission import read_submission
from autograder.worker.replies import Raised, Reply, SourceLine

WRITTEN = ["results.json", "results.html"]
MAKEFILES = [ROOT / "Makefile", ROOT / "autograder" / "author" / "student" / "Makefile"]


def refused(*args: str | Path) -> str:
    """Run a command that can't begin; return the one line that says why."""
    done = run_cli(*args)
    assert done.returncode == 2, done.stdout + done.stderr
    (line,) = done.stderr.splitlines()
    assert "Traceback" not in done.stdout + done.stderr
    return line


HOW_TO_ZIP = "submit the question files, or a zip of them (`make submit` writes one)"
LINK = "starter is a link: submit the folder itself, not a link to it"


def zip_a_link(path: Path) -> None:
    link = zipfile.ZipInfo("starter")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "../solution")


def lock_zip(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("minimax.py", b"pass")
    content = bytearray(path.read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        content[content.index(mark) + place] |= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("name", "make", "says"),
    [
        ("folder", Path.mkdir, "nothing to grade in * minimax.py is not in the submission"),
        ("link", lambda path: path.symlink_to(ROOT / "solution"), "link is a link: give the *"),
        ("pipe.zip", os.mkfifo, "pipe.zip is neither a folder nor a zip with the question files"),
        ("x.rar", lambda path: path.write_bytes(b"Rar!"), f"is not a zip * read: {HOW_TO_ZIP}"),
        ("inside/x.tar.gz", Path.touch, f"x.tar.gz is not opened: {HOW_TO_ZIP}"),
        ("inside/starter", lambda path: path.symlink_to(ROOT / "solution"), LINK),
        ("x.zip", zip_a_link, LINK),
        ("x.zip", lock_zip, "is locked with a password"),
    ],
)
def test_what_is_no_submission_is_refused(tmp_path, name, make, says):
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    make(place)
    line = refused("grade", place.parent if name.startswith("inside") else place)
    assert re.search(re.escape(says).replace(r"\*", ".*"), line)


def test_files_of_tools_and_large_ones_hide_no_question_file(tmp_path):
    """A zip lists its files in any order: thousands of files of a tool may be first."""
    made = {f"{it}/{n}.js": b"" for it in ("node_modules", ".venv") for n in range(5_000)}
    made |= {"film.mp4": os.urandom(11_000_000), "minimax.py": b""}
    path = write_submission_zip(tmp_path, made)
    outer = tmp_path / "outer" / "homework.zip"
    outer.parent.mkdir()
    shutil.copy(path, outer)
    for place in (path, outer.parent):
        found = read_submission(place)
        assert set(found.files) == {"minimax.py"}
        assert found.notes[0] == "not used: film.mp4; only the question files are graded"


def test_files_that_are_not_used_are_named(tmp_path):
    others = dict.fromkeys(["games/boards.py", *(f"{number}.txt" for number in range(7))], b"")
    (note,) = read_submission(write_files(tmp_path, SOLUTION_FILES | others)).notes
    assert note.startswith("not used: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt, 2 more; only the")


def test_a_single_file_is_graded_if_its_name_is_right(tmp_path):
    file = tmp_path / "minimax.py"
    file.write_bytes(b"x = 1")
    assert read_submission(file).files == {"minimax.py": b"x = 1"}
    line = "; there is my_minimax.py, but the name must be minimax.py"
    assert line in refused("grade", file.rename(tmp_path / "my_minimax.py"))


def ask(answer: str = "pair") -> Ask:
    request = {"file": "cutoff", "function": "f", "answer": answer, "calls": [{}]}
    return Ask("f", request, None, lambda call: [])


INT = "cannot unpack non-iterable int object"
NEW_NAME = "cannot import name 'batched' from 'itertools'"
NO_NAME = "cannot import name 'Player' from 'starter.games'"


@pytest.mark.parametrize(
    ("kind", "said", "source", "inside", "answer", "hint"),
    [
        ("SyntaxError", "invalid syntax", "type Move = int", "", "pair", "python-version"),
        ("SyntaxError", "invalid syntax", "if v => beta:", "", "pair", ""),
        ("SyntaxError", "f-string: unmatched '['", 'f"{x["a"]}"', "", "pair", "python-version"),
        ("SyntaxError", "expected '('", "def f[T](x):", "", "pair", "python-version"),
        ("SyntaxError", "expected '('", "def f", "", "pair", ""),
        ("SyntaxError", "expected ':'", "if v", "", "pair", ""),
        ("SyntaxError", "'(' was never closed", "f(", "", "pair", ""),
        ("TypeError", INT, "", "min_value", "pair", "pair"),
        ("TypeError", INT, "", "connect_four_heuristic", "pair", ""),
        ("TypeError", INT, "", "", "number", ""),
        ("ValueError", "(0, 1) is not a legal move", "raise ValueError(text)", "f", "pair", ""),
        ("ImportError", NO_NAME, "", "", "pair", ""),
        ("ImportError", NEW_NAME, "", "", "pair", "python-version"),
    ],
)
def test_hint_depends_on_the_line_the_function_and_the_module(
    kind, said, source, inside, answer, hint
):
    assert remove_paths(f"{said} (/tmp/grading-x/stage/starter/games/__init__.py)") == said
    error = Raised(kind, said, "", inside, 0, [SourceLine("cutoff.py", 1, source)], importing=False)
    assert [it.name for it in find_hints(ask(answer), error, said)] == [hint] * bool(hint)


def test_stub_without_a_text_is_to_be_written():
    error = Raised("NotImplementedError", "", "f", "f", 1, [], importing=False)
    with pytest.raises(Failed) as caught:
        read_answers(Reply([], error), ask(), 1.0)
    assert caught.value.finding.facts["what"] == "write f in cutoff.py"


@pytest.mark.parametrize(
    "name",
    ["Minimax.PY", "minimax (1).py", "minimax.ipynb", "my-Minimax_final2.py"],
)
def test_question_file_under_another_name_is_recognised(tmp_path, name):
    write_files(tmp_path, {name: SOLUTION_FILES["minimax.py"], "readme.py": b""})
    says = f"minimax.py is not in the submission; there is {name}, but the name must be minimax.py"
    assert says in refused("grade", tmp_path)


SOURCE = SOLUTION_TEXTS["minimax.py"]
NOT_PYTHON = {
    "notebook": (
        json.dumps({"cells": [{"cell_type": "code", "source": [SOURCE]}], "nbformat": 4}).encode(),
        "minimax.py is a Jupyter notebook: export it as a Python file",
    ),
    "latin-1": (
        f"\n\n# caf\u00e9\n{SOURCE}".encode("latin-1"),
        "minimax.py is not saved as UTF-8 (see line 3): save it as UTF-8",
    ),
    "UTF-16": (
        SOURCE.encode("utf-16"),
        "minimax.py is not saved as UTF-8, but perhaps as UTF-16: save it as UTF-8",
    ),
    "rich text": (b"{\\rtf1 " + SOURCE.encode(), "minimax.py is rich text: save it as plain text"),
    "web page": (
        b"\n<!DOCTYPE html><html>",
        "minimax.py is a web page: save the program itself, not the page that shows it",
    ),
    "declared": (f"# coding: latin-1\n# caf\u00e9\n{SOURCE}".encode("latin-1"), None),
    "UTF-8": ("# a rule: \u2265\n".encode(), None),
    "dictionary": (b'{"cells": 1}\n', None),
    "unknown": (b"# coding: no-such-coding\n", None),
}


@pytest.mark.parametrize("kind", NOT_PYTHON)
def test_kind_of_unreadable_file_is_named(tmp_path, kind):
    content, says = NOT_PYTHON[kind]
    (write_files(tmp_path, SOLUTION_FILES) / "minimax.py").write_bytes(content)
    assert read_submission(tmp_path).problems == ({"minimax.py": says} if says else {})
    if kind == "UTF-16":
        done = run_cli("test", "-q", "1.1", tmp_path)
        assert f"\n{says}\n" in done.stdout and "\nscore: 0/" in done.stdout


def test_last_of_two_entries_is_graded(tmp_path):
    path = tmp_path / "twice.zip"
    with zipfile.ZipFile(path, "w") as archive, pytest.warns(UserWarning, match="Duplicate name"):
        archive.writestr("minimax.py", "raise SystemExit\n")
        archive.writestr("minimax.py", SOLUTION_TEXTS["minimax.py"])
    found = read_submission(path)
    assert found.notes == ["minimax.py is there twice: the last is graded"]
    assert found.files["minimax.py"].decode() == SOLUTION_TEXTS["minimax.py"]


def test_failed_start_replaces_the_results(tmp_path):
    results, page = (tmp_path / name for name in WRITTEN)
    results.write_text("of yesterday")
    page.write_text(GENERATOR)
    (tmp_path / "submitted").mkdir()
    refused("grade", tmp_path / "submitted", "--results", results)
    found = json.loads(results.read_text())
    assert found["score"] == 0 and "there is nothing to grade" in found["output"]
    assert "grading did not begin" in page.read_text()


def test_nothing_of_the_users_is_overwritten(tmp_path):
    results, page = tmp_path / "lecture.json", tmp_path / "lecture.html"
    page.write_text("my lecture")
    results.write_text("my results")
    for submitted, said in ((tmp_path / "misspelt", "does not exist"), ("starter", "is no page")):
        assert said in refused("grade", submitted, "--results", results)
        assert (results.read_text(), page.read_text()) == ("my results", "my lecture")


def one_stub(folder: Path) -> Path:
    (folder / "minimax.py").write_text("x = 1\n")
    return folder


@pytest.mark.slow
def test_results_go_through_no_prepared_link(tmp_path):
    """The submitted folder holds links at every name that could be foreseen."""
    folder = tmp_path / "submitted"
    folder.mkdir()
    one_stub(folder)
    precious = tmp_path / "precious"
    precious.write_text(GENERATOR)
    drafts = [f".{name}.{os.getpid() + i}" for name in WRITTEN for i in range(500)]
    for name in [*WRITTEN, *drafts]:
        (folder / name).symlink_to(precious)
    done = run_cli("grade", folder, "--results", folder / "results.json")
    assert done.stdout.splitlines()[-1].startswith("score: 0/"), done.stderr
    assert precious.read_text() == GENERATOR
    assert json.loads((folder / "results.json").read_text())["score"] == 0
    assert re.search(r"\b0 of \d+ points", (folder / "results.html").read_text())


@pytest.mark.parametrize("name", WRITTEN)
def test_folder_in_place_of_results_is_refused(tmp_path, name):
    (tmp_path / name / "inside").mkdir(parents=True)
    line = refused("grade", one_stub(tmp_path), "--results", tmp_path / "results.json")
    assert f"{name} can't be written: Is a directory" in line
    assert (tmp_path / name / "inside").is_dir()
    line = refused("grade", tmp_path, "--results", tmp_path / "no" / "results.json")
    assert "does not exist: make it first" in line


NAMES = ["a`touch x`", "b$(shell touch x)", "$(error no)", 'a"; touch x; "']
NAMES += ["*", "--", "--results=x", "two\nlines"]


def with_make(folder: Path, makefile: Path, target: str, **values: str) -> list[str]:
    """Run a make target with these names; return Python's arguments.

    The environment is a stand-in, whose Python prints what follows `-m autograder`. Variables that
    change Python are set, and hidden from it.
    """
    if shutil.which("make") is None:
        pytest.skip("no make on this machine")
    (folder / ".venv" / "bin").mkdir(parents=True)
    shutil.copy(makefile, folder / "Makefile")
    (folder / "pyproject.toml").touch()
    for mark in (".python", ".grading", ".class"):
        (folder / ".venv" / mark).touch()
    python = folder / ".venv" / "bin" / "python"
    unset = '[ -z "$PYTHONOPTIMIZE$PYTHONPATH$PYTHONSAFEPATH" ] || exit 9'
    python.write_text(f"#!/bin/sh\n{unset}\nshift 2\nprintf '%s\\0' \"$@\"\n")
    python.chmod(0o755)
    before = set(folder.iterdir())
    command = ["make", target, *(f"{name}={value}" for name, value in values.items())]
    env = {**os.environ, "PYTHONOPTIMIZE": "2", "PYTHONPATH": "/nowhere", "PYTHONSAFEPATH": "1"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(folder.iterdir()) == before, "the name was obeyed"
    return done.stdout.split("\0")[:-1]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_make_passes_names_unchanged(tmp_path, name):
    said = with_make(tmp_path / "grade", MAKEFILES[0], "grade", SUBMISSION=name, RESULTS=name)
    assert said == ["grade", f"--results={name}", "--", name]
    said = with_make(tmp_path / "class", MAKEFILES[0], "class", EXPORT=name, OUT=name)
    graded = ["class", "grade", f"--out={name}", "--", name]
    assert said == [*graded, "class", "report", "--", name, "class", "similar", "--", name]
    for makefile in MAKEFILES:
        said = with_make(tmp_path / makefile.parent.name, makefile, "test", Q=name, CASE=name)
        assert said == ["test", f"--question={name}", f"--case={name}"]


@pytest.mark.parametrize("name", [*NAMES, "x" * 300, "\u2800\u202e\u3164"])
def test_a_name_is_data_and_its_line_is_clean(tmp_path, name):
    line = refused("grade", f"--results={tmp_path / 'results.json'}", "--", name + "/x")
    assert "does not exist" in line or "File name too long" in line
    assert line.isprintable()
    for place in (tmp_path / name / "results.json", tmp_path / f"{name}.txt"):
        assert refused("grade", f"--results={place}", "--", tmp_path).isprintable()


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (("test", "-q", "9"), "name a question, as 2"),
        (("test", "-q", "2.99"), "name a question, as 2"),
        (("test", "-c", "two"), "no test two: name a question, as 2"),
        (("test", "-q", ""), "test: no test is named: name a question, as 2, or a test, as 2.3"),
        (("test", "-q", "2.3/999"), "2.3/1 to 2.3/"),
        (("test", "-c", "2.3/²"), "2.3/1 to 2.3/"),
        (("test", "-c", "nonsense/1"), "no test nonsense"),
        (("test", "-c", "2.3/~eNqrVkpPzE1VslKK"), "copy all of it"),  # the beginning of a token
        (("test", "-c", "2.3/~eJyLBgABFQC5"), "copy all of it"),  # an intact text, an empty list
        (("grade", "starter", "--min", "101"), "--min 101.0 is not a number from 0 to 100"),
        (("test", "2.3"), "there is no folder 2.3: for a test, write -q before it"),
        (("try", "1.1"), "test 1.1 has the cases 1.1/1 to 1.1/"),
        (("try", ""), "no case is named: a case has a name like 2.3/4"),
    ],
)
def test_unknown_name_is_answered_with_a_right_one(typed, says):
    assert says in refused(*typed)


TEST = ("-m", "autograder", "test", "-q", "1.1", "solution")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("PYTHONOPTIMIZE", "2", "PYTHONOPTIMIZE or -O is set: unset it"),
        ("PYTHONPATH", "", "random.py hides Python's own module random: give it another name"),
    ],
)
def test_environment_that_changes_python_is_refused(tmp_path, name, value, says):
    (tmp_path / "random.py").write_text("raise RuntimeError")
    done = run_python(*TEST, env={**os.environ, name: value or str(tmp_path)})
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("can't begin: ")
    assert says in line


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("redirected", "status", "says"),
    [
        (">&-", 0, ""),
        ("| true", 0, ""),
        (">&- 2>&-", 0, ""),
        (">/dev/full", 1, "the output can't be written: No space left on device\n"),
    ],
)
def test_output_that_is_closed_or_full_ends_without_a_traceback(redirected, status, says):
    command = f"{shlex.quote(sys.executable)} {' '.join(TEST)} {redirected}"
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (status, says)


@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make here")
@pytest.mark.parametrize("makefile", MAKEFILES)
@pytest.mark.parametrize("folder", ["", "starter"])
@pytest.mark.parametrize("typed", ["test q=1", "test case=1.2/3", "test 1", "test 1.2/3", "2"])
def test_make_explains_how_a_question_is_named_before_anything_runs(
    tmp_path, makefile, folder, typed
):
    shutil.copy(makefile, tmp_path)
    (tmp_path / "starter").mkdir()
    shutil.copy(ROOT / "starter" / "Makefile", tmp_path / "starter")
    command = ["make", *typed.split()]
    done = subprocess.run(command, cwd=tmp_path / folder, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search("make test Q=1, .*make test CASE=1.2/3", done.stderr)


def test_hint_is_the_command_that_the_user_types(tmp_path):
    env = {name: value for name, value in os.environ.items() if name != TYPED}
    done = run_python("-m", "autograder", "test", "-q", "1.1", one_stub(tmp_path), env=env)
    assert ", then: .venv/bin/python -m" in " ".join(done.stdout.split())


def test_code_without_permission_is_reported(tmp_path):
    text = "import logging\n\nlogging.basicConfig(filename='search.log')\n"
    (tmp_path / "minimax.py").write_text(text + SOLUTION_TEXTS["minimax.py"])
    done = run_cli("test", "-q", "1.1", tmp_path)
    if "\nscore: 0/" not in done.stdout:
        pytest.skip("nothing keeps code from writing here")
    hint = fill_in(read_table()["hints"]["confined"], HINT_FACTS)
    assert hint in " ".join(done.stdout.split())
