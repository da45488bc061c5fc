"""`make try`: a case as a few lines of Python, run outside the sandbox."""

import contextlib
import importlib
import io
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest

import starter
from autograder import command_line
from autograder.author.graded import graded_tests
from autograder.by_hand import by_hand, file_of
from autograder.cases import Cases, ChoiceCase, PositionsCase, SearchCase
from autograder.grade import grade
from autograder.questions import QUESTIONS, ROOT
from autograder.submission import Submission

MANY = {"1.6", "2.9", "3.8", "4.4"}  # these take seconds, or pages


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The solution stands where the student's files are."""
    with monkeypatch.context() as replaced:
        for question in QUESTIONS:
            module = importlib.import_module(f"solution.{question.name}")
            replaced.setitem(sys.modules, f"starter.{question.name}", module)
            replaced.setattr(starter, question.name, module, raising=False)
        yield


def run(source: str) -> str:
    """Return what it prints. What it replaces, as a final choice does the phases, comes back."""
    printed = io.StringIO()
    with contextlib.ExitStack() as stack:
        for question in QUESTIONS:
            stack.enter_context(patch.dict(vars(sys.modules[f"starter.{question.name}"])))
        stack.enter_context(contextlib.redirect_stdout(printed))
        exec(compile(source, "by hand", "exec"), {})
    return printed.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("number", [test.number for test in graded_tests()])
def test_every_case_can_be_tried(number: str, solved: None) -> None:
    cases = Cases()
    loaded = cases.load(number)
    for case in (loaded[0], loaded[-1]):
        source = by_hand(case, cases)
        compile(source, case.name, "exec")
        if number in MANY:
            continue
        last = run(source).splitlines()[-1]
        if isinstance(case, SearchCase) and "The value is" in source:
            value, _ = eval(last, {"Fraction": Fraction})
            assert float(value) == pytest.approx(case.value)


@pytest.mark.parametrize("number", ["1.6", "1.7", "3.10"])
def test_of_many_positions_the_one_that_failed_is_searched_as_it_was(
    number: str, solved: None
) -> None:
    cases = Cases()
    case = cases.load(number)[0]
    assert isinstance(case, PositionsCase)
    position, value, _ = case.positions[-3]
    source = by_hand(replace(case, index=None, positions=[case.positions[-3]]), cases)
    assert f"state = game.from_key({position!r})" in source
    if case.depth is not None:
        assert f"cutoff=cutoff_depth({case.depth}), h=connect_four_heuristic" in source
    found, _ = eval(run(source).splitlines()[-1])
    assert found == pytest.approx(value)


def test_a_search_of_an_earlier_game_comes_first() -> None:
    cases = Cases()
    for number in ("1.7", "2.2", "5.5"):
        case = next(case for case in cases.load(number) if case.earlier)
        lines = by_hand(case, cases).splitlines()
        searches = [line for line in lines if line.startswith("print(") and "(state)" not in line]
        assert searches[0].replace("(earlier,", "(game,") == searches[1]
        assert f"earlier = {case.game[0]}(" in "\n".join(lines)


@pytest.mark.parametrize("number", ["2.2", "3.10", "4.10", "6.3"])
def test_each_position_is_shown_before_what_is_asked_about_it(number: str) -> None:
    cases = Cases()
    lines = by_hand(cases.load(number)[0], cases).splitlines()
    made = [i for i, line in enumerate(lines) if line.startswith("state = ")]
    assert made and all(lines[i + 1] == "print(state)" for i in made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        ("raise ValueError('late')", "late"),
        ("return inf, None", "(inf, None)"),
        ("return 0, 9", "(0, 9)"),
    ],
)
def test_the_one_of_many_positions_that_has_no_answer_is_tried(
    fault: str, shown: str, solved: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    late = f"    if state.key.count('.') == 5:\n        {fault}\n    player = state.to_move\n"
    source = source.replace("    player = state.to_move\n", late)
    (result,) = grade(Submission({"minimax.py": source.encode()}), question="1.6").results
    assert result.case is not None and len(result.case.name) < 300
    module = ModuleType("starter.minimax")
    exec(source, vars(module))
    monkeypatch.setitem(sys.modules, "starter.minimax", module)
    try:
        said = run(by_hand(result.case, Cases())).splitlines()[-1]
    except ValueError as error:
        said = str(error)
    assert said == shown


@pytest.mark.parametrize("number", ["6.1", "6.3"])
def test_a_player_is_told_of_a_new_game_once(number: str) -> None:
    cases = Cases()
    assert by_hand(cases.load(number)[0], cases).count("player.reset()") == 1


def test_the_final_choice_is_asked_with_the_playouts_of_the_case(solved: None) -> None:
    cases = Cases()
    case = cases.load("4.8")[0]
    assert isinstance(case, ChoiceCase)
    assert f"playouts={case.playouts}, rng" in by_hand(case, cases)


def test_what_stands_in_it_is_short_and_says_what_is_expected() -> None:
    cases = Cases()
    case = cases.load("2.3")[0]
    assert isinstance(case, SearchCase)
    source = by_hand(case, cases)
    assert len(source.splitlines()) <= 12
    assert "from starter.alphabeta import alphabeta_search" in source
    assert f"The value is {case.value}, the move a." in source


def test_it_is_written_once_and_run_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "try_1_1_1.py"
    monkeypatch.setattr(command_line, "file_of", lambda case: file)
    monkeypatch.setattr(sys, "argv", ["autograder", "try", "1.1/1"])
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    command_line.main()
    assert "from starter.minimax import minimax_search" in file.read_text()
    file.write_text("print('mine')\n")
    assert command_line.main() == 0
    assert "mine" in capfd.readouterr().out
    assert file.read_text() == "print('mine')\n"


def test_breakpoint_works_there(tmp_path: Path) -> None:
    cases = Cases()
    source = by_hand(cases.load("2.3")[0], cases)
    file = tmp_path / "try_it.py"
    file.write_text(source.replace("print(state)", "breakpoint()\nprint(state)"))
    done = subprocess.run(
        [sys.executable, file],
        env={"PYTHONPATH": str(ROOT)},
        input="print(state.to_move)\nq\n",
        capture_output=True,
        text=True,
    )
    assert "(Pdb) X" in done.stdout


def test_a_secret_case_has_a_file_of_its_own() -> None:
    (case, *_) = Cases().load("2.3")
    secret = Cases().only(f"2.3/{case.token}").chosen
    assert secret is not None
    assert file_of(case).name == "try_2_3_1.py"
    assert file_of(secret).stem.startswith("try_2_3_") and file_of(secret) != file_of(case)


def test_no_such_case_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["autograder", "try", ""])
    assert command_line.main() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("try can't begin: there is no test")
