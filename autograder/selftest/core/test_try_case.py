"""`make try`: a case in the student's own Python, outside the sandbox."""

import importlib
import os
from dataclasses import replace
from types import ModuleType

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.author.handout import copy_grader
from autograder.grading import try_case as module
from autograder.grading.try_case import try_case
from autograder.questions import ROOT
from autograder.selftest.support.banks import change_solution
from autograder.selftest.support.commands import run_cli, run_python
from autograder.serving.case_files import Cases
from autograder.serving.cases import PositionsCase

MANY = {"1.6", "2.9", "3.8", "4.4", "4.11", "4.13", "6.2", "6.5"}  # these take seconds


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module, "load_module", lambda file: importlib.import_module(f"solution.{file}")
    )


def write(monkeypatch: pytest.MonkeyPatch, file: str, source: str) -> None:
    written = ModuleType(f"starter.{file}")
    exec(compile(source, str(ROOT / "starter" / f"{file}.py"), "exec"), vars(written))
    monkeypatch.setattr(module, "load_module", lambda name: written)


@pytest.mark.slow
@pytest.mark.usefixtures("solved")
@pytest.mark.parametrize(
    "number", [test.number for test in read_graded_tests() if test.number not in MANY]
)
def test_every_case_can_be_tried(number, capsys):
    cases = Cases().load(number)
    for case in (cases[0], cases[-1]):
        try_case(Cases(chosen=case))
        printed = capsys.readouterr().out
        assert printed.splitlines()[-1] == "this case passes", printed
        assert "calling " in printed
        assert ("a tree that this test fills itself" in printed) == (number == "4.8")


def test_try_prints_the_call_and_the_verdict(monkeypatch, capsys):
    write(monkeypatch, "minimax", "def minimax_search(game, state):\n    return 7, 'a'\n")
    assert run_cli("try", "1.1/3").returncode == 0
    try_case(Cases().only("1.1/3"))
    lines = capsys.readouterr().out.splitlines()
    assert "calling minimax_search(game, state)" in lines and "  got:      7" in lines


@pytest.mark.usefixtures("solved")
def test_position_is_replayed_with_its_search_options(capsys):
    case = Cases().load("3.10")[0]
    assert isinstance(case, PositionsCase)
    one = replace(case, index=None, positions=[case.positions[-3]])
    try_case(Cases(chosen=one))
    printed = capsys.readouterr().out
    assert f"cutoff=cutoff_depth({case.depth}), h=connect_four_heuristic" in printed
    assert printed.splitlines()[-1] == "this case passes"


SEARCH = "def minimax_search(game, state):\n    "


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("", ["minimax.py has no minimax_search"]),
        (f"{SEARCH}raise NotImplementedError('write it')\n", ["not written yet: write it"]),
        (
            f"{SEARCH}print('here')\n    return game.result(state, 9)\n",
            ["here", 'minimax.py", line 3, in minimax_', "ValueError: 9 is not a legal move here"],
        ),
        (
            f"{SEARCH}return minimax_search(game, state)\n",
            ["calls deep, the last of them:", "RecursionError"],
        ),
    ],
    ids=["nothing", "stub", "illegal", "endless"],
)
def test_what_goes_wrong_is_shown_with_the_students_lines_only(source, said, monkeypatch, capsys):
    write(monkeypatch, "minimax", source)
    try_case(Cases().only("1.1/3"))
    printed = capsys.readouterr().out
    assert all(words in printed for words in said)
    assert "served.py" not in printed and "try_case.py" not in printed
    assert len(printed.splitlines()) < 40


@pytest.mark.parametrize(
    ("key", "end"), [("c", "this case passes"), ("q", "the debugger has ended")]
)
def test_breakpoint_starts_the_debugger(tmp_path, key, end):
    copy_grader(tmp_path)
    line = "    player = state.to_move\n"
    source = change_solution("minimax.py", line, f"    breakpoint()\n{line}")
    (tmp_path / "starter" / "minimax.py").write_text(source)
    env = {**os.environ, "PYTHONPATH": ""}
    keys = f"p state.to_move\n{key}\n"
    done = run_python("-m", "autograder", "try", "1.1/3", cwd=tmp_path, env=env, input=keys)
    assert "(Pdb) 'X'" in done.stdout and done.stdout.splitlines()[-1].endswith(end)
