"""The lab without a browser: the student's files, the engines and the pages."""

import queue
import signal
import socket
import subprocess
import threading
from fractions import Fraction
from http.client import HTTPConnection
from math import inf
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_TEXTS, change_solution
from autograder.selftest.support.browser import copy_student_tree, run_lab
from autograder.selftest.support.commands import run_python
from lab import engines, student, trace
from lab.__main__ import open_browser
from lab.engines import CHANCE_ENGINE, ENGINES, Task
from lab.student import StudentCode, Unusable
from starter.games import FIGURE_5_2, ConnectFour, Game, Pig, State, TicTacToe


def test_written_engines_can_play() -> None:
    assert engines.list_playable_engines(student.read_code(ROOT / "solution")) == list(ENGINES)
    stubs = student.read_code()
    assert engines.list_playable_engines(stubs) == ["perfect", "random"]
    assert stubs.explain_missing("minimax") == "not written yet: write min_value in minimax.py"
    assert stubs.explain_missing("minimax", "minimax_search") == ""
    assert ENGINES["MCTS"].explain_missing(stubs) == "not written yet: write select in mcts.py"


def test_a_broken_file_costs_only_its_own_functions(folder: Path) -> None:
    (folder / "alphabeta.py").write_text(SOLUTION_TEXTS["alphabeta.py"])
    (folder / "minimax.py").write_text("def min_value(:\n")
    (folder / "cutoff.py").write_text("import no_such_module\n")
    (folder / "mcts.py").unlink()
    code = student.read_code(folder)
    assert engines.list_playable_engines(code) == ["alpha-beta", "perfect", "random"]
    assert "minimax.py, line 1" in code.explain_missing("minimax")
    assert "cutoff.py, line 1" in code.explain_missing("cutoff")
    assert "No such file or directory" in code.explain_missing("mcts")


def test_unreachable_last_line_of_a_stub_may_stay(folder: Path) -> None:
    last = '\n    raise NotImplementedError("write min_value in minimax.py")\n'
    unfinished = change_solution("minimax.py", "    return v, best_move\n    ### END", "    ###")
    why = "not written yet: write min_value in minimax.py"
    for source, missing in ((SOLUTION_TEXTS["minimax.py"], ""), (unfinished, why)):
        (folder / "minimax.py").write_text(source.rstrip() + last)
        assert student.read_code(folder).explain_missing("minimax") == missing


def test_a_heuristic_that_gives_no_number_is_named(folder: Path) -> None:
    nothing = "\n\ndef connect_four_heuristic(state, player):\n    pass\n"
    (folder / "cutoff.py").write_text(SOLUTION_TEXTS["cutoff.py"] + nothing)
    game = ConnectFour()
    task = Task("heuristic alpha-beta", game, game.initial, plies=2)
    with pytest.raises(Unusable, match="the heuristic returned the value None"):
        engines.rate_moves(student.read_code(folder), task)


NO_NUMBERS = ("much", "nan", float("nan"), True)
NO_ANSWERS = [None, 0, (0, (7, 7)), (0, None), *((value, (0, 0)) for value in NO_NUMBERS)]


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_an_answer_that_is_no_value_and_move_is_refused(answer: object) -> None:
    with pytest.raises(Unusable):
        student.check_answer(answer, ((0, 0), (0, 1)), "minimax_search")
    assert student.check_answer([Fraction(1, 2), (0, 1)], ((0, 0), (0, 1)), "f") == (0.5, (0, 1))


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].uses])
def test_every_engine_takes_a_win_and_values_it(solved: StudentCode, name: str) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "OO.", "..."])
    task = Task(name, game, state, plies=3, playouts=300, seed=1)
    result = engines.search(solved, task)
    assert result.move == (0, 2)
    values = engines.rate_moves(solved, task)
    assert set(values) == set(game.actions(state))
    assert max(values, key=lambda move: values[move]) == (0, 2)
    assert values[0, 2] == 1


def test_expectiminimax_values_both_moves_of_pig(solved: StudentCode) -> None:
    game = Pig(4)
    state = game.from_key("1-3 X 2")  # to hold loses; any die but a 1 wins, and a 1 loses
    values = engines.rate_moves(solved, Task(CHANCE_ENGINE, game, state, plies=6))
    assert values["roll"] == pytest.approx(4 / 6)
    assert values["hold"] < 0


def test_the_move_that_mcts_plays_comes_first_then_those_visited_most(solved: StudentCode) -> None:
    game = TicTacToe()
    for seed in range(10):
        task = Task("MCTS", game, game.initial, playouts=30, seed=seed)
        result = engines.search(solved, task)
        visits = [found["N"] for _, found in result.moves]
        (first, found), *_ = result.moves
        assert first == result.move and result.value == found["U/N"]
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == result.counts["playouts"] == 30


def test_prunes_are_counted_if_all_children_are_generated_first() -> None:
    def list_children(game: Game, state: State) -> list[State]:
        return [game.result(state, move) for move in game.actions(state)]

    watched, alpha = trace.Trace(FIGURE_5_2, FIGURE_5_2.initial), -inf
    for child in list_children(watched, watched.initial):
        v = inf
        for leaf in list_children(watched, child):
            v = min(v, watched.utility(leaf, "X"))
            if v <= alpha:
                break
        alpha = max(alpha, v)
    watched.finish()
    assert watched.positions == 13
    assert {name: visit.bounds for name, visit in watched.moves.items()} == {
        "a1": (3, 3),
        "a2": (-inf, 2),
        "a3": (2, 2),
    }


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return copy_student_tree(tmp_path, solved=False)


def test_missing_marimo_is_named(tree: Path) -> None:
    script = (
        "import runpy, sys; sys.modules['marimo'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name: None if name == 'marimo' else find(name)\n"
        "runpy.run_module('lab', run_name='__main__')"
    )
    done = run_python("-c", script, cwd=tree)
    assert done.returncode == 2
    assert done.stderr == 'The lab needs marimo, altair and anywidget: pip install ".[lab]"\n'


@pytest.mark.slow
def test_ctrl_c_ends_the_lab_without_a_traceback(tree: Path) -> None:
    with run_lab(tree, stderr=subprocess.STDOUT) as lab:
        urlopen(lab.entry).close()
        lab.process.send_signal(signal.SIGINT)
        assert lab.process.stdout and "Traceback" not in lab.process.stdout.read()
        assert lab.process.wait() == 0


@pytest.mark.slow
def test_lab_refuses_visitors_without_its_token(tree: Path) -> None:
    """The lab runs the student's code, and every user can reach its port."""
    with run_lab(tree) as lab:
        token = lab.entry.rpartition("=")[2]
        assert len(token) > 20

        def reached(address: str) -> str:
            with build_opener(HTTPCookieProcessor()).open(address) as page:
                assert isinstance(page.url, str)
                return page.url.removeprefix(lab.address)

        assert reached(lab.address).startswith("/auth/login")
        assert reached(f"{lab.address}/?access_token=guessed").startswith("/auth/login")
        assert not reached(lab.entry).startswith("/auth/login")
        with pytest.raises(HTTPError, match=r"401|403"):
            urlopen(f"{lab.address}/api/version")
        words = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
        assert "-m lab" in words and token not in words


def test_the_address_in_the_browsers_command_line_works_once(monkeypatch):
    opened: queue.Queue[str] = queue.Queue()
    monkeypatch.setattr("webbrowser.open", opened.put)
    with socket.create_server(("127.0.0.1", 0)) as lab:
        port = lab.getsockname()[1]
        address = f"http://127.0.0.1:{port}/?access_token=secret"
        opener = threading.Thread(target=open_browser, args=[port, address])
        opener.start()
        once = opened.get()
        server, _, path = once.removeprefix("http://").partition("/")
        answers = []
        for asked in ("guessed", path):
            connection = HTTPConnection(server)
            connection.request("GET", f"/{asked}")
            with connection.getresponse() as answer:
                answers.append((answer.status, answer.headers["Location"]))
            connection.close()
        opener.join()
    assert "secret" not in once
    assert answers == [(404, None), (302, address)]
    with pytest.raises(URLError):
        urlopen(once)
