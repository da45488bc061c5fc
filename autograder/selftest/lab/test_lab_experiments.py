"""The lab's jobs, and the experiments that they run."""

import re
from operator import attrgetter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from autograder.selftest.support.waiting import WAIT_TIMEOUT_S, wait_for
from lab import engines, page, student
from lab.engines import Task
from lab.experiments import CONSTANTS
from lab.jobs import Job, Session
from lab.measure import EXPERIMENTS, Run, show_run
from lab.student import StudentCode, Unusable
from starter.games import ConnectFour, Nim, Othello, TicTacToe

GAME, MISSING = TicTacToe(), attrgetter("missing")

WRONG = {
    "a loop without end": ("while True: pass", "stopped"),
    "a long sleep": ("import time; time.sleep(1000)", "stopped"),
    "sys.exit()": ("import sys; sys.exit()", "your functions have ended Python"),
    "os._exit()": ("import os; os._exit(3)", "ended Python, with status 3"),
    "a question": ("input()", "EOFError"),
    "an exception": ("1 / 0", "line 2, in minimax_search: 1 / 0"),
    "no pair": ("return 3", "must return a pair"),
    "endless recursion": ("return max_value(game, state)", "is the terminal test missing?"),
}


@pytest.mark.slow
@pytest.mark.parametrize("wrong", list(WRONG))
def test_lab_outlives_any_function(folder, wrong, capfd):
    source, words = WRONG[wrong]
    (folder / "minimax.py").write_text(
        f"def minimax_search(game, state):\n    {source}\nmax_value = min_value = minimax_search\n"
    )
    game = TicTacToe()
    job = Job(engines.search, Task("minimax", game, game.initial))
    if not job.wait(2 if words == "stopped" else WAIT_TIMEOUT_S):
        job.stop()
    assert words in job.problem and not job.running
    assert "engines.py" not in job.problem  # the student's own lines alone
    assert "Traceback" not in capfd.readouterr().err
    wait_for(lambda: job.process.poll() is not None)


@pytest.mark.slow
def test_a_file_that_can_t_be_read_to_its_end_is_named(folder, monkeypatch):
    (folder / "mcts.py").write_text("while True: pass\n")
    monkeypatch.setattr(page, "READ_TIMEOUT_S", 2)
    code = page.load_student(Session())
    assert engines.list_playable_engines(code) == ["perfect", "random"]
    assert "no end within 2 seconds" in code.explain_missing("minimax")


def test_another_job_stops_the_one_before(folder: Path) -> None:
    (folder / "minimax.py").write_text("while True: pass\n")
    session = Session()
    first, second = session.run(MISSING), session.run(MISSING)
    assert not first.running and second.running
    wait_for(lambda: first.process.poll() is not None)
    session.stop()
    assert not second.running


def test_run_has_its_settings_and_the_last_row_of_each_key() -> None:
    found = [
        {"playouts": playouts, "C": C, "games": games}
        for playouts, C, games in ((10, 0, 1), (10, 0, 2), (10, 1, 1))
    ]
    values = {"games": 2, "X": side("MCTS"), "searches": ["minimax", "alpha-beta"]}
    run = Run(EXPERIMENTS["tuning C and playouts"], values, cast(Job, SimpleNamespace(rows=found)))
    assert run.settings == "games 2, X MCTS (playouts 10, C 1.4), searches minimax and alpha-beta"
    assert [(row["C"], row["games"]) for row in run.rows] == [(0, 2), (1, 1)]


def rows_of(code: StudentCode, name: str, **values: Any) -> list[dict[str, Any]]:
    """Return the rows of an experiment, with these values in place of the smallest."""
    return list(EXPERIMENTS[name].measure(code, **SMALLEST[name] | values))


def side(engine: str, plies: int = 2, playouts: int = 10) -> dict[str, Any]:
    return {"engine": engine, "plies": plies, "playouts": playouts, "C": 1.4}


def test_tuning_goes_through_the_grid(solved, monkeypatch):
    monkeypatch.setattr("lab.experiments.PLAYOUTS", (10, 150))
    rows = rows_of(solved, "tuning C and playouts", opponent="random", plies=1, games=2)[1::2]
    grid = [(playouts, C) for playouts in (10, 150) for C in CONSTANTS]
    assert [(row["playouts"], row["C"]) for row in rows] == grid
    most = [row["score"] for row in rows if row["playouts"] == 150]
    assert max(most) <= 1 and sum(most) > len(CONSTANTS) / 2, "it beats a random player"


def test_an_experiment_names_the_function_that_it_misses(folder: Path) -> None:
    (folder / "cutoff.py").write_text("def cutoff_depth(d): ...\n")
    with pytest.raises(Unusable, match="h_alphabeta_search"):
        rows_of(student.read_code(folder), "the order of moves")


SMALLEST: dict[str, dict[str, Any]] = {
    "depth against cost": {"game": GAME, "searches": ["minimax", "alpha-beta"], "plies": 3},
    "playouts against stability": {"game": GAME, "searches": 1, "C": 1.4},
    "win rates": {"game": GAME, "games": 3, "X": side("alpha-beta"), "O": side("random")},
    "tuning C and playouts": {"game": GAME, "opponent": "random", "plies": 1, "games": 1},
    "a cache and symmetry": {"game": TicTacToe(2, 3, 2)},
    "all algorithms side by side": {"game": GAME, "plies": 2, "playouts": 10},
    "the order of moves": {"game": GAME, "plies": 2},
}

PASSING = Othello(4)
PASSING.initial = PASSING.state([".XO.", ".XX.", ".XXX", "...."], "O")  # after one move X passes
NIM, TINY = Nim((3, 4)), TicTacToe(2, 3, 2)  # the first player wins
SMALL = (
    ("depth against cost", {"game": TINY, "plies": 2}),
    ("the order of moves", {"game": ConnectFour(), "plies": 3}),
    ("the order of moves", {"game": TicTacToe(4, 2, 2), "plies": 2}),
    ("the order of moves", {"game": PASSING, "plies": 4}),
    ("playouts against stability", {"game": Nim((1,)), "searches": 2}),
    ("a cache and symmetry", {"game": TINY}),
    ("a cache and symmetry", {"game": ConnectFour(2, 3, 3)}),
    ("all algorithms side by side", {"game": TINY}),
    ("win rates", {"game": NIM, "games": 2, "X": side("alpha-beta", 9), "O": side("minimax", 1)}),
    ("win rates", {"game": NIM, "X": side("alpha-beta", 1), "O": side("minimax", 9)}),
    ("win rates", dict.fromkeys("XO", side("heuristic alpha-beta"))),
)


def test_rows_of_small_experiments(solved: StudentCode) -> None:
    """Update the file when an experiment is meant to give other rows."""
    lines = []
    for name, values in SMALL:
        lines.append(f"{name}: {values}")
        for row in rows_of(solved, name, **values):
            left_out = ["move", "value", "positions"] * (row.get("algorithm") in ("MCTS", "random"))
            row = {key: cell for key, cell in row.items() if key not in ["seconds", *left_out]}
            lines.append(f"    {row}")
    with pytest.raises(Unusable, match="choose the searches to be measured"):
        rows_of(solved, "depth against cost", searches=[])
    file = Path(__file__).with_name("small_experiments.txt")
    assert lines == file.read_text("utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_experiment_runs_to_its_end_and_is_shown(solved: StudentCode, name: str) -> None:
    experiment, values = EXPERIMENTS[name], SMALLEST[name]
    assert set(experiment.make_controls(solved)) == set(values)
    run = Run(experiment, values, Session().run(experiment.measure, **values))
    assert run.job.wait(WAIT_TIMEOUT_S)
    assert run.job.problem == "" and run.rows
    assert name in show_run(1, run).text
    if plot := experiment.plot:
        assert plot(run.rows).to_dict()  # checked by Vega-Lite's schema


def test_choices_of_mcts_are_counted(solved: StudentCode) -> None:
    for row in rows_of(solved, "playouts against stability", searches=5):
        counts = [int(count) for count in re.findall(r"× (\d+)", row["moves chosen"])]
        assert row["share"] == max(counts) / sum(counts) and sum(counts) == row["searches"]
