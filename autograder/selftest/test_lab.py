"""The lab: its helpers, with and without the student's functions, and the whole app, headless."""

from __future__ import annotations

import importlib.util
import io
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.inside.mcts import PHASES
from autograder.questions import QUESTION_FILES, ROOT

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')

from lab import boards, concepts, drawing, engines, experiments, play, student, trials, views, watch
from lab.engines import ENGINES, Settings
from lab.jobs import Job, Runner, soon
from lab.student import BadAnswer, NotUsable, Student
from lab.table import HUMAN, Table
from starter.games import FIGURE_5_2, ConnectFour, GameTree, Hex, Othello, TicTacToe
from starter.players import MatchResult, play_game, random_player


@pytest.fixture
def stubs() -> Student:
    return student.read()


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> Student:
    """All functions written; the lab finds them where it looks for the student's."""
    monkeypatch.setattr(engines, "read", lambda: student.read(ROOT / "solution"))
    return student.read(ROOT / "solution")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the stubs that a test may change."""
    for name in QUESTION_FILES:
        shutil.copy(ROOT / "starter" / name, tmp_path)
    return tmp_path


def patient(condition: Callable[[], Any], seconds: float = 20) -> Any:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


# --- Reading the student's files ------------------------------------------------------------------


def test_stubs_are_not_written_yet_and_only_random_can_play(stubs: Student) -> None:
    assert engines.ready(stubs) == ["random"]
    assert stubs.trouble("minimax") == "not written yet: write min_value in minimax.py"
    assert stubs.trouble("minimax", "minimax_search") == ""
    assert ENGINES["MCTS"].trouble(stubs) == "not written yet: write select in mcts.py"


def test_all_engines_can_play_once_everything_is_written(solved: Student) -> None:
    assert engines.ready(solved) == list(ENGINES)
    assert not solved.missing


def test_a_change_on_the_disk_is_read_at_once(folder: Path) -> None:
    assert student.read(folder).trouble("minimax")
    shutil.copy(ROOT / "solution" / "minimax.py", folder)
    assert not student.read(folder).trouble("minimax")


def test_a_broken_file_costs_only_its_own_functions(folder: Path) -> None:
    shutil.copy(ROOT / "solution" / "alphabeta.py", folder)
    (folder / "minimax.py").write_text("def min_value(:\n")
    (folder / "cutoff.py").write_text("import no_such_module\n")
    (folder / "mcts.py").unlink()
    code = student.read(folder)
    assert engines.ready(code) == ["alpha-beta", "random"]
    assert "minimax.py, line 1" in code.trouble("minimax")
    assert "cutoff.py, line 1" in code.trouble("cutoff")
    assert "mcts.py is not in" in code.trouble("mcts")


def test_a_function_that_was_removed_is_asked_for(folder: Path) -> None:
    (folder / "mcts.py").write_text("")
    assert student.read(folder).trouble("mcts") == "mcts.py has no Node: put it back"


def test_an_exception_is_shown_by_the_students_own_lines(folder: Path) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(source.replace("v2 < v", "v2 < v / 0"))
    code, game = student.read(folder), TicTacToe()
    with pytest.raises(ZeroDivisionError) as caught:
        engines.think("minimax", code, game, game.initial)
    told = student.explain(caught.value, folder)
    assert "ZeroDivisionError" in told
    assert "minimax.py" in told
    assert "if v2 < v / 0:" in told
    assert "lab" not in told
    assert len(told.splitlines()) <= 5


def test_an_endless_recursion_is_told_by_its_likely_cause(folder: Path) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(
        source.replace("game.result(state, move), player", "state, player")
    )
    code, game = student.read(folder), TicTacToe()
    with pytest.raises(RecursionError) as caught:
        engines.think("minimax", code, game, game.initial)
    assert "is the terminal test missing?" in student.explain(caught.value, folder)


@pytest.mark.parametrize("answer", [None, 0, (0, (7, 7)), ("much", (0, 0)), (0, None)])
def test_an_answer_that_is_no_value_and_move_is_refused(answer: object) -> None:
    with pytest.raises(BadAnswer):
        student.checked(answer, ((0, 0), (0, 1)), "minimax_search")


# --- Engines --------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_textbook_searches(solved: Student) -> None:
    game = TicTacToe()
    thought = engines.think("alpha-beta", solved, game, game.initial)
    assert (thought.value, thought.counts) == (0, {"positions": 18297, "cut-offs": 4237})


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "random"])
def test_every_engine_takes_a_win_and_values_it(solved: Student, name: str) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "OO.", "..."])
    settings = Settings(plies=3, playouts=300, seed=1)
    thought = engines.think(name, solved, game, state, settings)
    assert thought.move == (0, 2)
    values = engines.estimates(name, solved, game, state, settings)
    assert set(values) == set(game.actions(state))
    assert max(values, key=lambda move: values[move]) == (0, 2)
    assert values[0, 2] == 1


def test_mcts_counts_its_playouts_and_nodes(solved: Student) -> None:
    game = TicTacToe()
    counts = engines.think("MCTS", solved, game, game.initial, Settings(playouts=9)).counts
    assert counts["playouts"] == 9
    assert counts["tree nodes"] == 1 + 9 + 8 * 8  # the first playout starts at the first child


def test_the_cutoff_evaluations_are_counted_and_the_depth_is_in_plies(solved: Student) -> None:
    game = ConnectFour()
    thought = engines.think("heuristic alpha-beta", solved, game, game.initial, Settings(plies=1))
    assert thought.counts["positions"] == 1 + 7
    assert thought.counts["evaluations"] == 7


def test_estimates_are_seen_by_the_player_to_move(solved: Student) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "O..", "O.."], "X")
    values = engines.estimates("alpha-beta", solved, game, state, Settings(plies=9))
    assert values[0, 2] == 1
    state = game.state(["XX.", "O..", ".O."], "O")
    assert engines.estimates("alpha-beta", solved, game, state, Settings(plies=9))[2, 2] == -1


def test_an_engine_that_is_not_written_is_not_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotUsable, match=r"MCTS: not written yet: write select in mcts\.py"):
        engines.usable("MCTS")


# --- Watching -------------------------------------------------------------------------------------


def test_alphabeta_on_figure_5_2_is_followed_step_by_step(solved: Student) -> None:
    game = FIGURE_5_2
    steps = watch.follow(solved.modules["alphabeta"], "alphabeta_search", game, game.initial)
    tree = watch.whole_tree(game, game.initial)
    seen = watch.seen_after(steps, len(steps), tree)
    cut = {path for path in tree if seen[path].status == "cut"}
    assert cut == {("a2", "c2"), ("a2", "c3")}
    assert (seen[()].value, seen[()].alpha) == (3, 3)
    assert (seen["a2",].alpha, seen["a2",].beta, seen["a2",].value) == (3, float("inf"), 2)
    assert sorted(sight.order for sight in seen.values() if sight.order) == list(range(1, 12))
    halfway = watch.seen_after(steps, 3, tree)
    assert halfway["a1", "b1"].status == "open"
    assert halfway["a3",].status == "waiting"


def test_minimax_has_no_bounds_and_cuts_nothing(solved: Student) -> None:
    game = FIGURE_5_2
    steps = watch.follow(solved.modules["minimax"], "minimax_search", game, game.initial)
    assert len(steps) == 2 * 13
    assert all(step.alpha is None for step in steps)


def test_positions_that_come_twice_are_told_apart_by_their_paths(solved: Student) -> None:
    game, root = views.SMALL["tic-tac-toe, 4 squares left"]()
    steps = watch.follow(solved.modules["minimax"], "minimax_search", game, root)
    tree = watch.whole_tree(game, root)
    assert [step.path for step in steps if not step.leaves] == list(tree)


def test_a_search_is_put_back_as_it_was(solved: Student) -> None:
    module = solved.modules["alphabeta"]
    before = module.max_value
    watch.follow(module, "alphabeta_search", FIGURE_5_2, FIGURE_5_2.initial)
    assert module.max_value is before


def test_mcts_grows_by_its_four_phases(solved: Student) -> None:
    game, root = FIGURE_5_2, FIGURE_5_2.initial
    phases = watch.grow(solved.modules["mcts"], game, root, playouts=5, C=1.4, seed=0)
    assert [phase.name for phase in phases[:4]] == list(PHASES)
    select, expand, simulate, backprop = phases[:4]
    assert set(select.tree) == {()}
    assert list(expand.tree) == [(), ("a1",), ("a2",), ("a3",)]
    assert simulate.tree[()].N == 0
    assert backprop.tree[()].N == 1
    assert backprop.tree[()].U + backprop.utility == 0
    assert [phase.tree[()].N for phase in phases[3::4]] == [1, 2, 3, 4, 5]


def test_too_large_a_tree_is_not_drawn() -> None:
    game = TicTacToe()
    with pytest.raises(ValueError, match="too large"):
        watch.whole_tree(game, game.initial)


@pytest.mark.parametrize("name", ["minimax", "alpha-beta", "MCTS"])
@pytest.mark.parametrize("tree", list(views.SMALL))
def test_every_step_of_every_search_can_be_drawn(solved: Student, name: str, tree: str) -> None:
    watched = views.watch(name, views.SMALL[tree](), 6, 1.4)
    for number in range(0, watched.steps + 1, 5):
        assert "<p>" in watched.picture(number)


def test_cut_branches_are_drawn_as_such(solved: Student) -> None:
    watched = views.watch("alpha-beta", views.SMALL["the textbook's figure 5.2"](), 1, 1)
    assert watched.picture(watched.steps).count("node leaf faded") == 2
    assert watched.picture(0).count("node leaf faded") == 0


def test_a_tree_of_ones_own() -> None:
    game, _ = views.own_tree("[[1, 2], 3]")
    assert repr(game) == repr(GameTree([[1, 2], 3]))
    for text in ("[1, 2", "print()", "{1: 2}", "[[]]"):
        with pytest.raises(ValueError, match=r"nested lists|names of moves|without children"):
            views.own_tree(text)


# --- Jobs -----------------------------------------------------------------------------------------


def endless() -> None:
    while True:
        pass


def test_endless_work_can_be_stopped() -> None:
    job = Job(endless)
    job.start()
    assert job.running
    job.stop()
    assert not job.running
    job.thread.join(10)
    assert not job.thread.is_alive()


def test_work_that_does_not_end_soon_is_given_up() -> None:
    with pytest.raises(TimeoutError):
        soon(endless, seconds=0.1)
    assert soon(lambda: 7) == 7


def test_rows_of_one_key_replace_each_other() -> None:
    runner = Runner(lambda: None)
    rows = [{"a": 1, "b": 1}, {"a": 1, "b": 2}, {"a": 2, "b": 1}]
    runner.start(lambda: iter(rows), key=("a",), steps=3)
    assert patient(lambda: not runner.running)
    assert (runner.rows, runner.progress) == (rows[1:], 1)


def test_an_experiment_that_fails_says_why() -> None:
    runner = Runner(lambda: None)
    values = {"game": "tic-tac-toe", "repeats": 5, "C": 1.4}
    trials.EXPERIMENTS["playouts against stability"].start(runner, values)
    assert patient(lambda: runner.problem)
    assert "write select in mcts.py" in trials.progress(runner)


# --- Experiments ----------------------------------------------------------------------------------


def test_the_state_space_of_tic_tac_toe() -> None:
    game = TicTacToe()
    plain, symmetric = (list(experiments.state_space(game, way))[-1] for way in (False, True))
    assert (plain["positions"], plain["paths"], plain["games"]) == (5478, 549946, 255168)
    assert (symmetric["positions"], symmetric["games"]) == (765, 26830)


def test_symmetries_fit_the_board() -> None:
    assert len(boards.all_around(TicTacToe())) == 8
    assert len(boards.all_around(TicTacToe(3, 4, 3))) == 4
    assert len(boards.BY_NAME["Connect Four"].symmetries(ConnectFour())) == 2
    assert len(boards.BY_NAME["Othello"].symmetries(Othello())) == 8
    half_turn = boards.BY_NAME["Hex"].symmetries(Hex(3))[-1]
    assert half_turn(("abc", "def", "ghi")) == ("ihg", "fed", "cba")


def test_a_cache_and_symmetry_save_positions_and_not_the_value(solved: Student) -> None:
    game = TicTacToe(2, 3, 2)
    rows = [
        experiments.cached_minimax(solved, game, cached, symmetric)
        for cached, symmetric in ((False, False), (True, False), (True, True))
    ]
    assert len({row["value"] for row in rows}) == 1
    assert rows[0]["calls"] > rows[1]["calls"] > rows[2]["calls"]


def test_depth_against_cost(solved: Student) -> None:
    game = TicTacToe()
    rows = list(
        experiments.depth_and_cost(solved, game, game.initial, ["minimax", "alpha-beta"], 4)
    )
    assert len(rows) == 8
    last = rows[-1]
    assert last["minimax: positions"] == 1 + 9 + 72 + 504 + 3024
    assert last["alpha-beta: positions"] < last["minimax: positions"] / 10
    assert last["alpha-beta: cut-offs"] > 0
    assert last["minimax: cut-offs"] == 0


def test_choices_of_mcts_are_counted(solved: Student) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "OO.", "..."])
    *_, row = experiments.stability(solved, game, state, [200], repeats=5)
    assert (row["searches"], row["favourite"], row["share"]) == (5, (0, 2), 1)


def test_a_match_can_be_repeated_and_alphabeta_does_not_lose(solved: Student) -> None:
    def last() -> MatchResult:
        how = Settings(plies=9)
        sides = ("random", "alpha-beta")
        *_, result = experiments.match(solved, TicTacToe(), sides, (how, how), games=5)
        return result

    result = last()
    assert result == last()
    assert result.games == 5
    assert result.wins == 0


def test_tuning_goes_through_the_grid(solved: Student) -> None:
    rows = list(
        experiments.tuning(
            solved, TicTacToe(), ("random", Settings()), [5, 10], [0.5, 1.4], games=2
        )
    )
    assert [(row["playouts"], row["C"]) for row in rows[1::2]] == [
        (5, 0.5),
        (5, 1.4),
        (10, 0.5),
        (10, 1.4),
    ]
    assert all(0 <= row["score"] <= 1 for row in rows)


SMALLEST: dict[str, dict[str, Any]] = {
    "depth against cost": {"game": "tic-tac-toe", "engines": ["minimax", "alpha-beta"], "plies": 3},
    "playouts against stability": {"game": "tic-tac-toe", "repeats": 1, "C": 1.4},
    "win rates": {
        "game": "tic-tac-toe",
        "X": "MCTS",
        "O": "random",
        "plies": 2,
        "playouts": 10,
        "games": 3,
    },
    "tuning C and playouts": {"game": "tic-tac-toe", "opponent": "random", "plies": 1, "games": 1},
    "how large is the game": {"game": "tic-tac-toe 2 x 3, 2 in a row"},
}


@pytest.mark.parametrize("name", list(trials.EXPERIMENTS))
def test_every_experiment_runs_to_its_end_and_is_shown(solved: Student, name: str) -> None:
    experiment, runner = trials.EXPERIMENTS[name], Runner(lambda: None)
    assert not any(experiment.picture([]))
    experiment.start(runner, SMALLEST[name])
    assert patient(lambda: not runner.running)
    assert runner.problem is None
    *charts, table = experiment.picture(runner.rows)
    assert "<table" in table if isinstance(table, str) else not charts
    for chart in [part for part in (*charts, table) if not isinstance(part, str)]:
        assert chart.to_dict()  # checked against Vega-Lite's schema


# --- The table at which one plays -----------------------------------------------------------------


def test_a_whole_game_against_alphabeta_is_a_draw_or_lost(solved: Student) -> None:
    table = Table()
    table.configure("alpha-beta", Settings(plies=9), hints=True)
    table.start(TicTacToe(), "X")
    rng = random.Random(3)
    while not table.over:
        assert patient(lambda: table.humans_turn and table.estimates)
        assert max(table.estimates.values()) <= 0
        table.play(rng.choice(table.game.actions(table.state)))
        assert patient(lambda: table.over or table.humans_turn)
    assert table.state.outcome != "X"
    assert table.thought is not None


def test_the_computer_starts_if_asked_to(solved: Student) -> None:
    table = Table()
    table.configure("alpha-beta", Settings(plies=9), hints=False)
    table.start(TicTacToe(), "O")
    assert patient(lambda: table.humans_turn)
    assert len(table.moves) == 1


def test_take_back_gives_the_human_the_move_again() -> None:
    table = Table()
    table.start(TicTacToe(), "X")
    table.take_back()  # nothing to take back
    table.play((1, 1))
    assert patient(lambda: len(table.moves) == 2)
    table.take_back()
    assert (table.moves, table.state) == ([], table.game.initial)
    table.start(TicTacToe(), "O")
    assert patient(lambda: len(table.moves) == 1)
    table.take_back()  # the computer's first move stays
    assert len(table.moves) == 1


def test_two_humans_take_back_one_move_at_a_time() -> None:
    table = Table()
    table.configure(HUMAN, Settings(), hints=True)
    table.play((0, 0))
    table.play((1, 1))
    table.take_back()
    assert table.moves == [(0, 0)]
    assert table.state.to_move == "O"


def test_thinking_can_be_stopped_and_taken_up_again(solved: Student) -> None:
    table = Table()
    table.configure("minimax", Settings(plies=9), hints=False)
    table.start(ConnectFour(), "X")
    table.play(3)
    assert table.thinking
    assert patient(lambda: "positions" in table.progress)
    table.stop()
    assert not table.thinking
    assert table.paused
    table.configure("minimax", Settings(plies=2), hints=False)
    assert patient(lambda: len(table.moves) == 2)


def test_clicks_out_of_turn_do_nothing(solved: Student) -> None:
    table = Table()
    table.configure("minimax", Settings(plies=9), hints=False)
    table.start(ConnectFour(), "X")
    table.play(99)
    assert table.moves == []
    table.play(3)
    table.play(3)
    assert table.moves == [3]
    table.stop()


def test_an_opponent_that_is_not_written_says_what_to_write() -> None:
    table = Table()
    table.configure("minimax", Settings(), hints=True)
    table.start(TicTacToe(), "O")
    assert patient(lambda: table.problem)
    assert "write min_value in minimax.py" in views.whose_turn(table)


# --- Pictures and words ---------------------------------------------------------------------------


def test_squares_that_can_be_clicked_mean_their_move() -> None:
    table = Table()
    table.configure(HUMAN, Settings(), hints=False)
    table.start(TicTacToe(2, 3, 2), "X")
    table.play((0, 1))
    moves = [move for move, _ in views.squares(table)]
    assert moves == [(0, 0), None, (0, 2), (1, 0), (1, 1), (1, 2)]
    table.start(ConnectFour(2, 3, 3), "X")
    assert [move for move, _ in views.squares(table)] == [0, 1, 2, 0, 1, 2]


def test_an_estimate_stands_where_the_stone_would_fall(solved: Student) -> None:
    table = Table()
    table.configure("heuristic alpha-beta", Settings(plies=1), hints=True)
    table.start(ConnectFour(4, 4, 4), "X")
    assert patient(lambda: table.estimates)
    noted = ["empty </" not in picture.replace('"', "</") for _, picture in views.squares(table)]
    assert noted == [False] * 12 + [True] * 4


def test_a_move_that_changes_no_square_has_a_button() -> None:
    table = Table()
    table.configure(HUMAN, Settings(), hints=False)
    game = Othello(4)
    table.start(game, "X")
    assert views.other_moves(table) == []
    table.positions = [game.from_key("OXXX/XXX./XXOO/X.X. O")]
    assert [move for move, _ in views.squares(table) if move is not None] == []
    assert views.other_moves(table) == [("pass", "pass")]
    table.play("pass")
    assert table.state.to_move == "X" and views.other_moves(table) == []


def test_the_board_of_hex_is_slanted() -> None:
    table = Table()
    table.configure(HUMAN, Settings(), hints=False)
    table.start(Hex(2), "X")
    page = views.board(["one", "two", "three", "four"], table)
    assert [part.split("/")[0] for part in page.split("grid-column:")[1:]] == ["1", "3", "2", "4"]
    assert "--columns:5" in page and page.count("top") == page.count("left") == 2
    table.start(TicTacToe(), "X")
    assert "slanted" not in views.board(["one"] * 9, table)


def test_the_depth_to_begin_with_fits_the_board() -> None:
    depths = {
        (name, size): boards.BY_NAME[name].depth(boards.BY_NAME[name].make(*size))
        for name, size in (
            ("tic-tac-toe", (3, 3, 3)),
            ("tic-tac-toe", (4, 4, 4)),
            ("Gomoku", (15, 15, 5)),
            ("Hex", (7,)),
            ("Othello", (4,)),
            ("Othello", (8,)),
        )
    }
    assert list(depths.values()) == [None, 5, 2, 3, None, 4]


def test_typed_positions() -> None:
    game, state = views.typed_position("tic-tac-toe, a fork", "x..\n.o.\n..x\n")
    assert state == TicTacToe().state(["X..", ".O.", "..X"])
    for text in ("", "X.\n.", "XXX\nOO.\n...", "XX.\n...\n..."):
        with pytest.raises(ValueError, match=r"equally long|over|leads"):
            views.typed_position("tic-tac-toe, empty", text)
    for name, rows in views.POSITIONS.items():
        game, state = views.typed_position(name, "\n".join(rows))
        assert not game.is_terminal(state)


def test_the_position_to_block_has_one_move_that_does_not_lose(solved: Student) -> None:
    name = "Connect Four, block or lose"
    game, state = views.typed_position(name, "\n".join(views.POSITIONS[name]))
    values = engines.estimates("alpha-beta", solved, game, state, Settings(plies=2))
    assert [move for move, value in values.items() if value > -1] == [5]


def test_a_search_in_the_playground(solved: Student) -> None:
    game = TicTacToe()
    runner = Runner(lambda: None)
    runner.start(
        lambda: views.one_search("alpha-beta", game, game.initial, Settings(plies=9)), (), 2
    )
    assert patient(lambda: not runner.running)
    shown = views.searched(runner, (game, game.initial))
    for words in ("plays (0, 0)", "18,297", "4,237", "value for X"):
        assert words in shown


def test_the_concept_check_has_an_answer_and_a_reason_for_each_question() -> None:
    assert len(concepts.QUESTIONS) >= 10
    for question in concepts.QUESTIONS:
        assert len(set(question.answers)) == len(question.answers) >= 2
        assert 0 <= question.right < len(question.answers)
        assert "Right" in views.verdict(question, question.answers[question.right])
        assert "Not so" in views.verdict(question, question.answers[question.right - 1])
    assert len({question.right for question in concepts.QUESTIONS}) > 1


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.0, "0"), (-0.0, "0"), (1234, "1,234"), (float("-inf"), "-∞"), (0.256, "0.26"), (None, "")],
)
def test_numbers_are_written_as_a_person_would(value: float | None, words: str) -> None:
    assert drawing.number(value) == words


# --- The terminal ---------------------------------------------------------------------------------


def terminal(monkeypatch: pytest.MonkeyPatch, answers: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    return play.main()


def test_a_game_in_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    every_square = "".join(f"{i // 3} {i % 3}\n" for i in range(9))
    assert terminal(monkeypatch, "99\n\n\n1\n" + 9 * every_square) == 0
    out = capsys.readouterr().out
    assert "minimax: not written yet: write min_value in minimax.py" in out
    assert out.splitlines()[-1] in ("You win.", "You lose.", "A draw.")


@pytest.mark.parametrize("number, name", list(enumerate(boards.BY_NAME, 1)))
def test_every_game_is_played_in_the_terminal(
    number: int, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = boards.BY_NAME[name]
    game = kind.make(*kind.sizes.values())
    players = {side: random_player(seed) for seed, side in enumerate("XO")}
    games = [play_game(game, players) for _ in range(20)]
    moves = dict.fromkeys(move for played in games for move in played.moves)
    again_and_again = len(moves) * "".join(f"{move}\n" for move in moves)
    # Against the only engine that is written: random.
    assert terminal(monkeypatch, f"{number}\n1\n1\n{again_and_again}") == 0
    assert capsys.readouterr().out.splitlines()[-1] in ("You win.", "You lose.", "A draw.")


@pytest.mark.parametrize("answers", ["", "1\n", "1\n1\n1\n", "1\n1\n1\n0 0\n"])
def test_the_end_of_input_ends_the_game_politely(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answers: str
) -> None:
    assert terminal(monkeypatch, answers) == 0
    assert capsys.readouterr().out.endswith("See you.\n")


# --- The whole app --------------------------------------------------------------------------------


@pytest.fixture(params=["stubs", "solved"])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What a student has of it, before and after the work."""
    unneeded = shutil.ignore_patterns("__pycache__", "selftest", "author")
    for name in ("starter", "lab", "autograder"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=unneeded)
    if request.param == "solved":
        for name in QUESTION_FILES:
            shutil.copy(ROOT / "solution" / name, tmp_path / "starter")
    return tmp_path


# Runs the app with each page open, and prints what it shows there.
EVERY_PAGE = """
import html, runpy, types
app = runpy.run_path("lab/app.py")["app"]
for name in ("Play", "Playground", "Watch the search", "Measure", "Check yourself"):
    outputs, _ = app.run(defs={"page": types.SimpleNamespace(value=name)})
    text = html.unescape(html.unescape("".join(getattr(o, "text", "") for o in outputs)))
    print(name + ": " + " ".join(text.split()))
"""


@pytest.mark.skipif(
    importlib.util.find_spec("marimo") is None, reason='no marimo here: pip install ".[lab]"'
)
def test_the_app_runs_headless(tree: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", EVERY_PAGE], cwd=tree, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    shown = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    solved = "All written." in shown["Play"]
    assert "Your move: you are X" in shown["Play"]
    assert "the board: X, O and ." in shown["Playground"]
    assert ("write max_value in alphabeta.py" in shown["Watch the search"]) is not solved
    assert ("The search has not begun" in shown["Watch the search"]) is solved
    assert "How many positions" in shown["Measure"]
    assert "A MIN node has three leaves" in shown["Check yourself"]


def test_without_marimo_the_lab_says_what_to_install(tree: Path) -> None:
    script = (
        "import runpy, sys; sys.modules['marimo'] = None\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name: None if name == 'marimo' else find(name)\n"
        "runpy.run_module('lab', run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tree, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stderr == 'The lab needs marimo and altair: pip install ".[lab]"\n'
