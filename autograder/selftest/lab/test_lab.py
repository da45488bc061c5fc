"""The lab: its helpers, with and without the student's functions, and the whole app, headless."""

from __future__ import annotations

import importlib.util
import io
import random
import re
import shutil
import subprocess
import sys
import threading
from fractions import Fraction
from functools import partial
from html import escape
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from autograder.diagram import game_tree
from autograder.errors import GraderFault
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.browser import running_lab, students_tree
from autograder.selftest.support.waiting import PATIENCE, wait_for
from autograder.worker.inside.protocol import PHASES

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')

from autograder.symmetry import all_around
from lab import (
    boards,
    charts,
    concepts,
    drawing,
    engines,
    pages,
    play,
    student,
    watch,
)
from lab.engines import CHANCE, ENGINES, OWN, Settings, Task, SearchResult
from lab.experiments import EXPERIMENTS, sizes
from lab.experiments.experiment import PLAYOUTS, SMALL_BOARDS
from lab.experiments.playouts import CONSTANTS, Judged
from lab.experiments.runs import Run, Runner
from lab.jobs import Job, Page
from lab.truth import SOLVED, truth
from lab.truth import positions as solved_positions
from lab.student import BadAnswer, NotUsable, Student, read
from lab.table import HUMAN, Desk, Table
from lab.trees import MAX_WHOLE, search_rows
from lab.words import number as write_number
from solution.minimax import minimax_search
from starter.games import (
    FIGURE_5_2,
    ConnectFour,
    Game,
    GameTree,
    Hex,
    Nim,
    Othello,
    Pig,
    State,
    TicTacToe,
)
from starter.players import chance_player, play_game, random_player


@pytest.fixture
def stubs() -> Student:
    return student.read()


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> Student:
    """All functions written; the lab finds them where it looks for the student's."""
    monkeypatch.setattr(student, "FOLDER", ROOT / "solution")
    return student.read(ROOT / "solution")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the stubs that a test may change, where the lab looks for the student's files."""
    for name in QUESTION_FILES:
        shutil.copy(ROOT / "starter" / name, tmp_path)
    monkeypatch.setattr(student, "FOLDER", tmp_path)
    return tmp_path


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def table(page: Page) -> Table:
    return Table(page)


def think(
    name: str, code: Student, game: Game, state: State, how: Settings = Settings()
) -> SearchResult:
    return engines.think(code, Task(name, game, state, how))


# --- Reading the student's files ------------------------------------------------------------------


def test_stubs_are_not_written_yet_and_only_random_can_play(stubs: Student) -> None:
    assert engines.available(stubs) == ["random"]
    assert stubs.missing_reason("minimax") == "not written yet: write min_value in minimax.py"
    assert stubs.missing_reason("minimax", "minimax_search") == ""
    assert ENGINES["MCTS"].missing_reason(stubs) == "not written yet: write select in mcts.py"


def test_all_engines_can_play_once_everything_is_written(solved: Student) -> None:
    assert engines.available(solved) == list(ENGINES)
    assert not solved.missing


def test_a_change_on_the_disk_is_read_at_once(folder: Path) -> None:
    assert student.read(folder).missing_reason("minimax")
    shutil.copy(ROOT / "solution" / "minimax.py", folder)
    assert not student.read(folder).missing_reason("minimax")


def test_a_broken_file_costs_only_its_own_functions(folder: Path) -> None:
    shutil.copy(ROOT / "solution" / "alphabeta.py", folder)
    (folder / "minimax.py").write_text("def min_value(:\n")
    (folder / "cutoff.py").write_text("import no_such_module\n")
    (folder / "mcts.py").unlink()
    code = student.read(folder)
    assert engines.available(code) == ["alpha-beta", "random"]
    assert "minimax.py, line 1" in code.missing_reason("minimax")
    assert "cutoff.py, line 1" in code.missing_reason("cutoff")
    assert "mcts.py is not in" in code.missing_reason("mcts")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_a_file_is_read_as_python_reads_it(folder: Path, encoding: str) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text(encoding="utf-8")
    words = f"# coding: {encoding}\n# für MIN\n{source}"
    (folder / "minimax.py").write_bytes(words.encode(encoding))
    assert not student.read(folder).missing_reason("minimax")


def test_a_file_in_another_encoding_is_named(folder: Path) -> None:
    (folder / "minimax.py").write_bytes("# für MIN\n".encode("latin-1"))
    assert "minimax.py" in student.read(folder).missing_reason("minimax")


def test_a_stubs_last_line_may_stay_where_nothing_comes_to_it(folder: Path) -> None:
    last = '\n    raise NotImplementedError("write min_value in minimax.py")\n'
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(source.rstrip() + last)
    assert not student.read(folder).missing_reason("minimax")
    unfinished = source.replace("    return v, best_move\n    ### END", "    ### END")
    (folder / "minimax.py").write_text(unfinished.rstrip() + last)
    assert "not written yet: write min_value" in student.read(folder).missing_reason("minimax")


@pytest.mark.slow
@pytest.mark.parametrize("plies", [1, 2])
def test_a_heuristic_that_gives_no_number_is_told(folder: Path, page: Page, plies: int) -> None:
    source = (ROOT / "solution" / "cutoff.py").read_text()
    source += "\n\ndef connect_four_heuristic(state, player):\n    pass\n"
    (folder / "cutoff.py").write_text(source)
    table = Table(page)
    table.configure("heuristic alpha-beta", Settings(plies=plies), hints=True)
    table.start(ConnectFour(), "X")
    wait_for(lambda: table.problem)
    assert "the heuristic returned the value None, which is no number" in table.problem


@pytest.mark.slow
def test_the_matches_can_be_set_up_whatever_is_written(stubs: Student) -> None:
    marimo = pytest.importorskip("marimo")
    for file in ("player", "expectiminimax"):
        if file in student.FUNCTIONS:
            written = {key: why for key, why in stubs.missing.items() if key[0] != file}
            EXPERIMENTS["win rates"].controls(marimo, Student({}, written))


def test_a_search_without_the_four_functions_is_not_taken_for_a_player(
    folder: Path, page: Page
) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    own = "\n\n_select, _expand, _simulate, _backprop = select, expand, simulate, backprop\n"
    for name in PHASES:
        source = re.sub(rf"(\n        .*[ =]){name}\(", rf"\1_{name}(", source)
    (folder / "mcts.py").write_text(source + own)
    desk = desk_with(page, "MCTS", "two moves", Settings(playouts=6))
    assert desk.thought and not desk.steps
    assert "calls none of its functions select, expand" in pages.watch.watched(desk, 0)


def test_a_file_that_opens_what_is_not_there_is_not_missing_itself(folder: Path) -> None:
    (folder / "minimax.py").write_text('open("no such file")\n')
    trouble = student.read(folder).missing_reason("minimax")
    assert "No such file" in trouble and "minimax.py, line 1" in trouble


def test_a_function_that_was_removed_is_asked_for(folder: Path) -> None:
    (folder / "mcts.py").write_text("")
    assert student.read(folder).missing_reason("mcts") == "mcts.py has no Node: put it back"


def test_an_exception_is_shown_by_the_students_own_lines(folder: Path) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(source.replace("v2 < v", "v2 < v / 0"))
    code, game = student.read(folder), TicTacToe()
    with pytest.raises(ZeroDivisionError) as caught:
        think("minimax", code, game, game.initial)
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
        think("minimax", code, game, game.initial)
    assert "is the terminal test missing?" in student.explain(caught.value, folder)


NO_NUMBERS = ("much", "nan", float("nan"), True)
NO_ANSWERS = [None, 0, (0, (7, 7)), (0, None), *((value, (0, 0)) for value in NO_NUMBERS)]


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_an_answer_that_is_no_value_and_move_is_refused(answer: object) -> None:
    with pytest.raises(BadAnswer):
        student.checked(answer, ((0, 0), (0, 1)), "minimax_search")


def test_what_is_an_answer_to_the_grader_is_one_here() -> None:
    assert student.checked([Fraction(1, 2), (0, 1)], ((0, 0), (0, 1)), "f") == (0.5, (0, 1))


# --- Engines --------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_textbook_searches(solved: Student) -> None:
    game = TicTacToe()
    thought = think("alpha-beta", solved, game, game.initial)
    assert (thought.value, thought.counts) == (0, {"positions": 18297, "cut-offs": 4237})


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].uses])
def test_every_engine_takes_a_win_and_values_it(solved: Student, name: str) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "OO.", "..."])
    settings = Settings(plies=3, playouts=300, seed=1)
    thought = think(name, solved, game, state, settings)
    assert thought.move == (0, 2)
    values = engines.estimates(solved, Task(name, game, state, settings))
    assert set(values) == set(game.actions(state))
    assert max(values, key=lambda move: values[move]) == (0, 2)
    assert values[0, 2] == 1


@pytest.mark.parametrize("name", [name for name in ENGINES if "plies" in ENGINES[name].uses])
def test_what_a_search_knows_of_each_move_is_true(solved: Student, name: str) -> None:
    game = TicTacToe()
    state = game.state(["XO.", ".X.", "..O"])
    true = {}
    for move in game.actions(state):
        child = game.result(state, move)
        over = game.is_terminal(child)
        true[str(move)] = game.utility(child, "X") if over else -minimax_search(game, child)[0]
    assert set(true.values()) == {0, 1}
    moves = think(name, solved, game, state, Settings(plies=9)).moves
    assert {row["move"] for row in moves} == set(true)
    for row in moves:
        low, high = row["bounds"]
        assert low <= true[row["move"]] <= high, row


def test_mcts_counts_its_playouts_and_nodes(solved: Student) -> None:
    game = TicTacToe()
    counts = think("MCTS", solved, game, game.initial, Settings(playouts=9)).counts
    assert counts["playouts"] == 9
    assert counts["tree nodes"] == 1 + 9 + 8 * 8  # the first playout starts at the first child


def test_the_cutoff_evaluations_are_counted_and_the_depth_is_in_plies(solved: Student) -> None:
    game = ConnectFour()
    thought = think("heuristic alpha-beta", solved, game, game.initial, Settings(plies=1))
    assert thought.counts["positions"] == 1 + 7
    assert thought.counts["evaluations"] == 7


def test_estimates_are_seen_by_the_player_to_move(solved: Student) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "O..", "O.."], "X")
    values = engines.estimates(solved, Task("alpha-beta", game, state, Settings(plies=9)))
    assert values[0, 2] == 1
    state = game.state(["XX.", "O..", ".O."], "O")
    assert engines.estimates(solved, Task("alpha-beta", game, state, Settings(plies=9)))[2, 2] == -1


@pytest.mark.skipif(CHANCE not in ENGINES, reason="its question is off")
def test_expectiminimax_values_both_moves_of_pig(solved: Student) -> None:
    game = Pig(4)
    state = game.from_key("1-3 X 2")  # to hold loses; any die but a 1 wins, and a 1 loses
    values = engines.estimates(solved, Task(CHANCE, game, state, Settings(plies=6)))
    assert values["roll"] == pytest.approx(4 / 6)
    assert values["hold"] < 0


@pytest.mark.parametrize("name", ["MCTS", "alpha-beta"])
def test_who_knows_no_chance_rates_no_moves(solved: Student, name: str) -> None:
    game = Pig(4)
    with pytest.raises(NotUsable, match=f"{name} knows no chance"):
        engines.estimates(solved, Task(name, game, game.initial))


def test_an_engine_that_is_not_written_is_not_usable(stubs: Student) -> None:
    game = TicTacToe()
    with pytest.raises(NotUsable, match=r"MCTS: not written yet: write select in mcts\.py"):
        think("MCTS", stubs, game, game.initial)


@pytest.mark.parametrize("name", ["minimax", "alpha-beta", "heuristic alpha-beta"])
def test_a_search_tells_what_it_knows_of_each_move(solved: Student, name: str) -> None:
    game = FIGURE_5_2
    moves = think(name, solved, game, game.initial).moves
    assert [row["move"] for row in moves] == ["a1", "a2", "a3"]
    least = 2 if name == "minimax" else -inf
    assert [row["bounds"] for row in moves] == [(3, 3), (least, 2), (2, 2)]


def test_the_move_that_mcts_plays_comes_first_then_those_visited_most(solved: Student) -> None:
    game = TicTacToe()
    for seed in range(10):
        thought = think("MCTS", solved, game, game.initial, Settings(playouts=30, seed=seed))
        visits = [row["N"] for row in thought.moves]
        assert thought.moves[0]["move"] == str(thought.move)
        assert thought.moves[0]["U/N"] == thought.value
        assert visits == sorted(visits, reverse=True)
        assert sum(visits) == 30


def test_cutoffs_are_counted_whatever_the_order_of_questions() -> None:
    """A search that generates all children before it looks at the first."""

    def min_value(game: Game, state: State, alpha: float) -> float:
        best = inf
        for child in [game.result(state, move) for move in game.actions(state)]:
            best = min(best, game.utility(child, "X"))
            if best <= alpha:
                return best
        return best

    watched = watch.Trace(FIGURE_5_2, FIGURE_5_2.initial)
    children = [watched.result(watched.initial, move) for move in watched.actions(watched.initial)]
    alpha = -inf
    for child in children:
        alpha = max(alpha, min_value(watched, child, alpha))
    watched.over()
    assert watched.positions == 13
    assert {name: visit.bounds for name, visit in watched.moves.items()} == {
        "a1": (3, 3),
        "a2": (-inf, 2),
        "a3": (2, 2),
    }


# --- Watching -------------------------------------------------------------------------------------


def steps_of(code: Student, name: str, game: Game, state: State, plies: int = 9) -> list[Any]:
    settings = Settings(plies, playouts=5, seed=0)
    return engines.think(code, Task(name, game, state, settings, watched=True)).steps


def sentences(steps: list[Any], game: Game, root: State) -> list[str]:
    """Every step in words."""
    return [pages.watch.step_in_words(steps[:n], game, root) for n in range(1, len(steps) + 1)]


def drawn_after(steps: list[Any], game: Game, root: State, count: int | None = None) -> str:
    """The pictures of all nodes after so many steps, or after all."""
    rows = search_rows(game, root, steps, len(steps) if count is None else count, {})
    return "".join(row["svg"] for row in rows)


def test_alphabeta_on_figure_5_2_is_followed_step_by_step(solved: Student) -> None:
    game = FIGURE_5_2
    steps = steps_of(solved, "alpha-beta", game, game.initial)
    seen = {path: status for step in steps for path, status in step.seen.items()}
    assert {("a2", "c2"), ("a2", "c3")}.isdisjoint(seen) and len(seen) == 11
    assert (seen[()].v, seen[()].low, seen[()].high) == (3, 3, 3)
    assert (seen["a2",].v, seen["a2",].low, seen["a2",].high) == (2, -inf, 2)
    assert (seen["a2",].alpha, seen["a2",].beta) == (3, 2)
    assert sorted(status.order for status in seen.values()) == list(range(1, 12))
    assert [step.path for step in steps if step.name == "cut"] == [("a2",)]
    assert steps[2].seen["a1", "b1"].status == "open"


def test_every_step_is_told_with_bounds_and_with_the_reason_of_each_cut(solved: Student) -> None:
    game = FIGURE_5_2
    steps = steps_of(solved, "alpha-beta", game, game.initial)
    told = sentences(steps, game, game.initial)
    assert told[:4] == [
        "The search enters the root, MAX to move, with alpha = -∞ and beta = ∞.",
        "The search enters a1, MIN to move, with alpha = -∞ and beta = ∞.",
        "The search enters a1/b1, where the game is over.",
        "a1/b1 is worth 3 to MAX. At a1 v becomes 3, beta becomes 3.",
    ]
    assert [words for step, words in zip(steps, told) if step.name == "cut"] == [
        "v = 2 <= alpha = 3 at a2: cut off. Never looked at: c2, c3. a2 is at most 2 for "
        "MAX. At the root v stays 3."
    ]
    assert told[-1] == "the root is worth 3 to MAX."


@pytest.mark.parametrize(
    ("name", "file", "right", "instead"),
    [
        ("alpha-beta", "alphabeta.py", "player, alpha, beta", "player, -inf, inf"),
        ("heuristic alpha-beta", "cutoff.py", "alpha, beta, depth + 1", "-inf, inf, depth + 1"),
    ],
)
def test_bounds_that_are_not_handed_down_show(
    folder: Path, name: str, file: str, right: str, instead: str
) -> None:
    source = (ROOT / "solution" / file).read_text()
    wrong = source.replace(f"{right})", f"{instead})", 1)
    assert wrong != source
    (folder / file).write_text(wrong)
    game = FIGURE_5_2
    steps = steps_of(student.read(folder), name, game, game.initial)
    told = sentences(steps, game, game.initial)
    assert (
        "The search enters a2, MIN to move, with alpha = -∞ and beta = ∞, where those above are 3 "
        "and ∞." in told
    )
    assert not any("cut off" in words for words in told)


def test_the_heuristic_search_is_watched_on_a_board_of_ones_own(solved: Student) -> None:
    game, state = pages.positions.typed_position("Connect Four, empty", "....\n....\n.O..\nXX..")
    assert repr(game) == "ConnectFour(4, 4, 4)"
    steps = steps_of(solved, "heuristic alpha-beta", game, state, plies=2)
    drawn = drawn_after(steps, game, state)
    assert max(len(step.path) for step in steps) == 2
    assert drawn.count('"node leaf') == 16
    assert drawn.count("faded") > 0 < drawn.count("h = ")


def test_what_the_heuristic_says_is_told_as_such(solved: Student) -> None:
    game = ConnectFour()
    steps = steps_of(solved, "heuristic alpha-beta", game, game.initial, plies=1)
    assert pages.watch.step_in_words(steps[:3], game, game.initial).startswith(
        "h says 0.23 of 0. At the root v"
    )


def test_minimax_has_no_bounds_and_cuts_nothing(solved: Student) -> None:
    game = FIGURE_5_2
    steps = steps_of(solved, "minimax", game, game.initial)
    assert len(steps) == 2 * 13
    assert all(sight.alpha is None for step in steps for sight in step.seen.values())


def test_positions_that_come_twice_are_told_apart_by_their_paths(solved: Student) -> None:
    name = "tic-tac-toe, 4 squares left"
    game, root = pages.positions.typed_position(name, pages.positions.POSITIONS[name])
    steps = steps_of(solved, "minimax", game, root)
    entered = [step.path for step in steps if step.name == "enter"]
    nodes = list(game_tree(game, root).root.walk())
    assert [str(path[-1]) for path in entered[1:]] == [node.name for node in nodes[1:]]
    assert len(set(entered)) == len(entered)


@pytest.mark.question("expectiminimax")
def test_chance_is_watched(solved: Student, page: Page) -> None:
    desk = desk_with(page, "expectiminimax", "a tree with chance", Settings())
    game, root = pages.positions.typed_position(
        "a tree with chance", pages.positions.POSITIONS["a tree with chance"]
    )
    words = sentences(desk.steps, game, root)
    assert "The search enters risky, chance to move." in words
    assert "risky/lucky is worth 12 to MAX. At risky v becomes 3." in words
    assert "risky is worth 3.75 to MAX. At the root v stays 4." in words
    last = drawn_after(desk.steps, game, root)
    assert last.count("<circle") == 1 and ">3.75<" in last
    assert desk.thought and (desk.thought.value, desk.thought.move) == (4, "safe")
    assert desk.thought.counts["cut-offs"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax", "alpha-beta", "heuristic alpha-beta", "MCTS"])
def test_who_knows_no_chance_says_so(solved: Student, page: Page, name: str) -> None:
    desk = desk_with(page, name, "a tree with chance", Settings())
    assert f"{name} knows no chance: choose expectiminimax" in desk.problem


def test_where_chance_begins_there_is_nothing_to_search() -> None:
    with pytest.raises(ValueError, match="chance moves first here"):
        pages.positions.typed_position("two moves", "{'chance': [(0.5, 1), (0.5, 2)]}")


@pytest.mark.parametrize("name", ["alpha-beta", "MCTS"])
def test_a_search_is_put_back_as_it_was(solved: Student, name: str) -> None:
    modules = {file: dict(vars(module)) for file, module in solved.modules.items()}
    steps_of(solved, name, FIGURE_5_2, FIGURE_5_2.initial)
    assert modules == {file: dict(vars(module)) for file, module in solved.modules.items()}


def test_mcts_grows_by_its_four_phases(solved: Student) -> None:
    phases = steps_of(solved, "MCTS", FIGURE_5_2, FIGURE_5_2.initial)
    assert [phase.name for phase in phases[:4]] == list(PHASES)
    select, expand, simulate, backprop = phases[:4]
    assert set(select.tree) == {()}
    assert list(expand.tree) == [(), ("a1",), ("a2",), ("a3",)]
    assert simulate.tree[()].N == 0
    assert backprop.tree[()].N == 1
    assert backprop.tree[()].U + backprop.utility == 0
    assert [phase.tree[()].N for phase in phases[3::4]] == [1, 2, 3, 4, 5]


@pytest.mark.slow
def test_of_many_playouts_the_first_are_kept(solved: Student) -> None:
    game = TicTacToe()
    settings = Settings(playouts=100, seed=1)
    thought = engines.think(solved, Task("MCTS", game, game.initial, settings, watched=True))
    assert thought.counts["playouts"] == 100
    assert thought.steps[-1].playout == watch.MOST_PLAYOUTS


def test_statistics_of_any_type_can_be_watched(folder: Path, page: Page) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    head, start, rest = source.partition("class Node")
    own = "class Sum(float):\n    __add__ = lambda self, other: Sum(1)\n"
    (folder / "mcts.py").write_text(head + own + start + rest.replace("U = 0.0", "U = Sum()"))
    desk = desk_with(page, "MCTS", "two moves", Settings(playouts=9, seed=1))
    assert desk.problem == ""
    assert all(pages.watch.watched(desk, number) for number in range(len(desk.steps) + 1))


def test_moves_of_a_class_of_the_students_own_are_told_and_not_waited_for(
    folder: Path, page: Page
) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    head, start, rest = source.partition("class Node")
    own = "class Own(str):\n    pass\n\n\n"
    changed = rest.replace("self.move = move", "self.move = Own(move)")
    assert changed != rest
    (folder / "mcts.py").write_text(head + own + start + changed)
    desk = desk_with(page, "MCTS", "two moves", Settings(playouts=9, seed=1))
    assert "can't be shown" in desk.problem and "Own" in desk.problem


def test_the_result_is_that_of_the_steps(solved: Student) -> None:
    task = Task("MCTS", FIGURE_5_2, FIGURE_5_2.initial, Settings(playouts=20, seed=4))
    thought = engines.think(solved, task._replace(watched=True))
    last = thought.steps[-1].tree
    assert {row["move"]: row["N"] for row in thought.moves} == {
        path[0]: stats.N for path, stats in last.items() if len(path) == 1
    }
    unwatched = engines.think(solved, task)
    assert unwatched.steps == []
    assert unwatched._replace(seconds=0) == thought._replace(seconds=0, steps=[])


def desk_with(page: Page, name: str, position: str, how: Settings) -> Desk:
    """A desk at which that has been searched."""
    desk = Desk(page)
    game, state = pages.positions.typed_position(position, pages.positions.POSITIONS[position])
    desk.ask(Task(name, game, state, how), "this")
    wait_for(lambda: not desk.running)
    return desk


def test_what_is_not_written_is_told_beside_the_position(page: Page) -> None:
    desk = desk_with(page, "alpha-beta", "the textbook's figure 5.2", Settings())
    for shown in (pages.watch.watched(desk, 0), pages.playground.searched(desk)):
        assert "write max_value in alphabeta.py" in shown
        assert shown.count("<svg") == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", list(pages.positions.POSITIONS))
def test_every_position_can_be_watched_at_its_own_depth(
    solved: Student, page: Page, name: str
) -> None:
    """However large the tree is, what is drawn of it stays small and holds the active node."""
    desk = desk_with(page, "alpha-beta", name, Settings(pages.positions.fitting_depth(name)))
    if desk.problem:
        assert "knows no chance" in desk.problem
        return
    for number in range(1, len(desk.steps) + 1, max(1, len(desk.steps) // 50)):
        rows = pages.watch.rows(desk, number)
        assert [row["active"] for row in rows].count(True) == 1
        assert len(rows) <= 2 * MAX_WHOLE
        assert all(row["parent"] < place for place, row in enumerate(rows) if place)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Connect Four, empty", "tic-tac-toe, empty"])
def test_a_long_search_of_mcts_can_be_watched(solved: Student, page: Page, name: str) -> None:
    desk = desk_with(page, "MCTS", name, Settings(playouts=100, seed=1))
    rows = pages.watch.rows(desk, len(desk.steps))
    assert len(rows) <= MAX_WHOLE
    assert rows[0]["scale"] == 1.5 > max(row["scale"] for row in rows[1:])
    assert "The first 60 of 100 playouts" in pages.watch.legend(desk, 1)
    drawn = "".join(row["svg"] for row in rows)
    below = sum(map(int, re.findall(r"\((\d+) below\)", drawn)))
    assert len(rows) + below == len(desk.steps[-1].tree)


def test_of_many_children_those_beside_the_path_are_drawn() -> None:
    wide = GameTree({f"m{i}": {"a": i, "b": i} for i in range(40)})
    steps = [
        watch.Step("enter", path, {path: watch.NodeStatus("open", order)})
        for order, path in enumerate([(), ("m30",)], 1)
    ]
    drawn = drawn_after(steps, wide, wide.initial)
    assert ">m24<" in drawn and ">m35<" in drawn and ">m30 #1<" in drawn
    assert ">24 more<" in drawn and ">4 more<" in drawn


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].uses])
@pytest.mark.parametrize(
    "position",
    [*list(pages.positions.POSITIONS)[:3], "tic-tac-toe, 4 squares left", "Nim, two piles"],
)
def test_every_step_of_every_search_can_be_drawn(
    solved: Student, page: Page, name: str, position: str
) -> None:
    desk = desk_with(page, name, position, Settings(plies=9, playouts=6, seed=1))
    assert not desk.problem
    for number in range(0, len(desk.steps) + 1, 5):
        assert "<p" in pages.watch.watched(desk, number)
        assert pages.watch.rows(desk, number) or not number
    next_, stops = pages.watch.stops(desk)
    if name == "MCTS":
        assert (next_, len(stops)) == ("next playout", 6)
    elif position == "a deeper tree":
        assert (next_, bool(stops)) == ("next cut", name not in ("minimax", "expectiminimax"))


def test_cut_branches_are_drawn_as_such(solved: Student, page: Page) -> None:
    desk = desk_with(page, "alpha-beta", "the textbook's figure 5.2", Settings(plies=9))
    game, root = FIGURE_5_2, FIGURE_5_2.initial
    last = drawn_after(desk.steps, game, root)
    assert last.count("node leaf faded") == 2
    assert "&lt;= 2" in last and "v = 2 &lt;= alpha = 3" in last
    assert drawn_after(desk.steps, game, root, 0).count("node leaf faded") == 0


def test_a_node_left_without_a_reason_is_no_cut(folder: Path) -> None:
    source = (ROOT / "solution" / "alphabeta.py").read_text()
    wrong = source.replace("if v <= alpha:", "if v <= alpha + 1:")
    assert wrong != source
    (folder / "alphabeta.py").write_text(wrong)
    game = GameTree([[3, 12], [4, 6, 5]])
    for watched in (False, True):
        task = Task("alpha-beta", game, game.initial, watched=watched)
        thought = engines.think(student.read(folder), task)
        assert thought.counts["cut-offs"] == 0
    told = sentences(thought.steps, game, game.initial)
    assert any("before all its moves were tried, without a reason." in words for words in told)
    assert not any("cut off" in words for words in told)


def test_a_tree_of_ones_own() -> None:
    game, _ = pages.positions.own_tree("[[1, 2], 3]")
    assert repr(game) == repr(GameTree([[1, 2], 3]))
    for text in ("[1, 2", "print()", "{1: 2}", "[[]]"):
        with pytest.raises(ValueError, match=r"nested lists|names of moves|without children"):
            pages.positions.own_tree(text)
    for digits in (400, 5000):
        with pytest.raises(ValueError, match="too large"):
            pages.positions.own_tree(f"[[{'9' * digits}, 1], [2, 3]]")


# --- Jobs -----------------------------------------------------------------------------------------


WRONG = {
    "a loop without end": ("while True: pass", "so it was stopped"),
    "a long sleep": ("import time; time.sleep(1000)", "so it was stopped"),
    "sys.exit()": ("import sys; sys.exit()", "your functions have ended Python"),
    "os._exit()": ("import os; os._exit(3)", "ended Python, with status 3"),
    "a question": ("input()", "EOFError"),
    "an exception": ("1 / 0", "line 2, in minimax_search: 1 / 0"),
    "an exception that can't be told": (
        "E = type('E', (Exception,), {'__str__': lambda self: 1 / 0}); raise E",
        "E, which can't be shown: division by zero",
    ),
    "no pair": ("return 3", "must return a pair"),
}


@pytest.mark.slow
@pytest.mark.parametrize("wrong", list(WRONG))
def test_nothing_that_a_function_does_ends_the_lab(
    folder: Path, page: Page, wrong: str, capfd: pytest.CaptureFixture[str]
) -> None:
    source, told = WRONG[wrong]
    (folder / "minimax.py").write_text(
        f"def minimax_search(game, state):\n    {source}\nmax_value = min_value = minimax_search\n"
    )
    game = TicTacToe()
    job = Job(page, engines.think, (Task("minimax", game, game.initial),))
    with pytest.raises((TimeoutError, RuntimeError)) as caught:
        job.wait(PATIENCE if "stopped" not in told else 2)
    assert told in str(caught.value)
    assert "Traceback" not in capfd.readouterr().err
    wait_for(lambda: not page.jobs)


@pytest.mark.slow
def test_a_file_that_can_t_be_read_to_its_end_is_told(
    folder: Path, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "mcts.py").write_text("while True: pass\n")
    monkeypatch.setattr(pages.parts, "PATIENCE", 2)
    code = pages.parts.what_can_be_used(page)
    assert engines.available(code) == ["random"]
    assert "no end within 2 seconds" in code.missing_reason("minimax")
    assert 'class="kind">your files can' in pages.parts.what_is_written(code)


def test_what_a_function_prints_goes_to_the_terminal(
    folder: Path, page: Page, capfd: pytest.CaptureFixture[str]
) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(source + "\nprint('hello')\n")
    game = FIGURE_5_2
    assert (
        Job(page, engines.think, (Task("minimax", game, game.initial),)).wait(PATIENCE).value == 3
    )
    assert "hello" in capfd.readouterr().err


def test_work_ends_with_its_page(folder: Path) -> None:
    (folder / "mcts.py").write_text("while True: pass\n")
    begun: list[Job] = []

    def show() -> None:  # the thread that shows a page ends when the page is closed
        begun.append(Job(Page(), student.written))

    shown_by = threading.Thread(target=show)
    shown_by.start()
    shown_by.join()
    wait_for(lambda: not begun[0].running)
    wait_for(lambda: begun[0].process.poll() is not None)


def test_what_could_not_be_sent_any_more_leaves_no_job_waiting(folder: Path, page: Page) -> None:
    (folder / "mcts.py").write_text("while True: pass\n")
    job = Job(page, student.written)
    assert job.process.stdin
    job.process.stdin.write(b"on its way")
    job.process.kill()
    wait_for(lambda: not job.running)
    assert "have ended Python" in job.problem


@pytest.mark.slow
def test_runs_stay_side_by_side_until_they_are_cleared(solved: Student, page: Page) -> None:
    runner = Runner(page, lambda: None)
    for seed in (1, 2, 1):
        values = {"game": "tic-tac-toe", "searches": 3, "C": 1.4, "seed": seed}
        runner.start(EXPERIMENTS["playouts against stability"], values)
        wait_for(lambda: not runner.running)
    first, second, third = runner.runs
    assert first.rows == third.rows != second.rows
    assert "seed 2" in pages.measure.heading_of(second, 2)
    runner.clear()
    assert runner.runs == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["how large is the game", "why a bound is not a value"])
def test_a_stopped_run_says_so_and_draws_no_conclusions(
    solved: Student, page: Page, name: str
) -> None:
    runner = Runner(page, lambda: None)
    runner.start(EXPERIMENTS[name], {"game": next(iter(SMALL_BOARDS)), "seed": 1})
    (run,) = runner.runs
    wait_for(lambda: run.rows)
    runner.stop()
    assert "stopped" in pages.measure.heading_of(run, 1)
    assert "<p>" not in pages.measure.heading_of(run, 1)


def test_a_seed_that_was_cleared_is_0(page: Page) -> None:
    runner = Runner(page, lambda: None)
    runner.start(EXPERIMENTS["depth against breadth"], {"games": 1, "seed": None})
    wait_for(lambda: not runner.running)
    assert runner.runs[0].rows and not runner.runs[0].problem


def test_few_algorithms_are_not_said_to_agree() -> None:
    rows = [{"algorithm": "random", "move": "0", "positions": 0}]
    assert "Write more" in EXPERIMENTS["all algorithms side by side"].says(rows)


@pytest.mark.question("mcts")
def test_rows_of_one_key_replace_each_other() -> None:
    run = Run(EXPERIMENTS["tuning C and playouts"], {"games": 2})
    for playouts, C, games in ((10, 0, 1), (10, 0, 2), (10, 1, 1)):
        run.add({"playouts": playouts, "C": C, "games": games})
    assert [(row["C"], row["games"]) for row in run.rows] == [(0, 2), (1, 1)]


def test_an_experiment_that_fails_says_why(page: Page) -> None:
    runner = Runner(page, lambda: None)
    values = {"game": "tic-tac-toe", "searches": 5, "C": 1.4, "seed": 1}
    runner.start(EXPERIMENTS["playouts against stability"], values)
    wait_for(lambda: not runner.running)
    assert "write select in mcts.py" in pages.measure.heading_of(runner.runs[0], 1)


# --- Experiments ----------------------------------------------------------------------------------


def test_the_state_space_of_tic_tac_toe() -> None:
    game = TicTacToe()
    plain, symmetric = (sizes.state_space(game, way) for way in (False, True))
    assert tuple(plain.values()) == (5478, 549946, 255168)
    assert symmetric["different positions"] == 765 and symmetric["complete games"] == 26830


@pytest.mark.slow
def test_a_position_that_a_pass_leads_back_to_is_counted_once() -> None:
    plain = sizes.state_space(Othello(4), symmetric=False)
    assert tuple(plain.values()) == (62789, 224821, 60060)


def test_symmetries_fit_the_board() -> None:
    assert len(all_around(TicTacToe())) == 8
    assert len(all_around(TicTacToe(3, 4, 3))) == 4
    assert len(boards.BY_NAME["Connect Four"].symmetries(ConnectFour())) == 2
    assert len(boards.BY_NAME["Othello"].symmetries(Othello())) == 8
    half_turn = boards.BY_NAME["Hex"].symmetries(Hex(3))[-1]
    assert half_turn(("abc", "def", "ghi")) == ("ihg", "fed", "cba")


@pytest.mark.parametrize("game", [TicTacToe(2, 3, 2), Hex(2)], ids=repr)
def test_a_cache_and_symmetry_save_positions_and_not_the_value(
    solved: Student, game: TicTacToe | Hex
) -> None:
    rows = [
        sizes.cached_minimax(solved.modules["minimax"], game, cached, symmetric)
        for cached, symmetric in ((False, False), (True, False), (True, True))
    ]
    assert len({row["value"] for row in rows}) == 1
    searched = "positions searched"
    assert rows[0][searched] > rows[1][searched] > rows[2][searched]


def rows_of(code: Student, name: str, **values: Any) -> list[dict[str, Any]]:
    return list(EXPERIMENTS[name].rows(code, {"game": "tic-tac-toe", "seed": 1} | values))


def side(engine: str, plies: int = 2, playouts: int = 10) -> dict[str, Any]:
    return {"engine": engine, "plies": plies, "playouts": playouts, "C": 1.4}


def test_depth_against_cost(solved: Student) -> None:
    searches = ["minimax", "alpha-beta"]
    rows = rows_of(solved, "depth against cost", searches=searches, plies=4)
    assert len(rows) == 8
    minimax, alphabeta = rows[-2:]
    assert minimax["positions"] == 1 + 9 + 72 + 504 + 3024
    assert minimax["positions"] > 10 * alphabeta["positions"]
    assert alphabeta["cut-offs"] > 0 == minimax["cut-offs"]
    times = f"{minimax['positions'] / alphabeta['positions']:.1f} times fewer for alpha-beta"
    assert times in EXPERIMENTS["depth against cost"].says(rows)


@pytest.mark.question("mcts")
def test_choices_of_mcts_are_counted(solved: Student) -> None:
    rows = rows_of(solved, "playouts against stability", searches=3, C=1.4)
    assert [row["playouts"] for row in rows[2::3]] == list(PLAYOUTS)
    assert all(row["share"] >= 1 / row["searches"] for row in rows)
    last = rows[-1]
    says = EXPERIMENTS["playouts against stability"].says(rows[2::3])
    assert f"with 1,000 it was {last['share']:.0%}, and the favourite {last['favourite']}." in says


@pytest.mark.slow
def test_a_match_can_be_repeated_by_its_seed(solved: Student) -> None:
    def rows(seed: int) -> list[dict[str, Any]]:
        return rows_of(solved, "win rates", games=9, seed=seed, X=side("random"), O=side("MCTS"))

    assert rows(1) == rows(1) != rows(2)


@pytest.mark.slow
def test_each_side_of_a_match_has_its_own_settings(solved: Student) -> None:
    sides = {"X": side("alpha-beta", plies=9), "O": side("alpha-beta", plies=1)}
    row = rows_of(solved, "win rates", games=1, **sides)[-1]
    assert row["X won"] == 1
    sides = {"X": side("alpha-beta", plies=9), "O": side("alpha-beta", plies=9)}
    assert rows_of(solved, "win rates", games=1, **sides)[-1]["drawn"] == 1


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0.51, 0.7), "most likely more than half"),
        ((0.1, 0.4), "most likely less than half"),
        ((0.4, 0.6), "don't tell"),
    ],
)
def test_a_match_says_no_more_than_its_interval(interval: tuple[float, float], words: str) -> None:
    row = {"X": "MCTS", "X won": 5, "games": 9, "X's wins": interval}
    assert words in EXPERIMENTS["win rates"].says([row])


@pytest.mark.question("mcts")
def test_tuning_goes_through_the_grid(solved: Student) -> None:
    rows = rows_of(solved, "tuning C and playouts", opponent="random", plies=1, games=2)[1::2]
    grid = [(playouts, C) for playouts in PLAYOUTS[:4] for C in CONSTANTS]
    assert [(row["playouts"], row["C"]) for row in rows] == grid
    best = max(rows, key=lambda row: row["score"])
    assert f"best score, {best['score']:.0%}" in EXPERIMENTS["tuning C and playouts"].says(rows)


def test_the_order_of_moves_changes_the_cost_and_not_the_value(solved: Student) -> None:
    rows = rows_of(solved, "the order of moves", game="Connect Four", plies=4)[-4:]
    assert len({row["value"] for row in rows}) == 1
    cost = {row["order"]: row["positions"] for row in rows}
    assert cost["centre first"] < cost["as given"]
    assert cost["killer moves"] != cost["as given"] != cost["history heuristic"]


@pytest.mark.slow
def test_a_kept_bound_gives_a_wrong_answer(solved: Student) -> None:
    rows = rows_of(solved, "why a bound is not a value")
    right, wrong, whole = rows[-3:]
    assert right["value"] == whole["value"] != wrong["value"]
    game = TicTacToe(3, 4, 3)
    state = game.from_key(right["position"])
    assert think("minimax", solved, game, state).value == right["value"]


@pytest.mark.question("expectiminimax")
def test_squeezing_changes_the_move_under_chance_alone(solved: Student) -> None:
    row = rows_of(solved, "squeezing h under chance", trees=100)[-1]
    assert row["MIN below"] == 0 < row["chance below"]


@pytest.mark.slow
def test_deepening_ends_with_the_time(solved: Student) -> None:
    assert len(rows_of(solved, "deeper until the time is over", seconds=0)) == 1
    rows = rows_of(solved, "deeper until the time is over", seconds=1_000)
    assert rows[-1]["plies"] == 9  # there are no more in tic-tac-toe


def test_breadth_is_that_of_the_game(solved: Student) -> None:
    rows = rows_of(solved, "depth against breadth", games=2)
    first = {row["game"]: row["moves at the start"] for row in rows}
    assert first["tic-tac-toe"] == 9 and first["Connect Four"] == 7


def test_playouts_are_cut_off_and_judged(solved: Student) -> None:
    game = ConnectFour()
    judged = Judged(game, game.initial, 2, lambda state, player: 0.25)
    state = judged.result(judged.result(judged.initial, 3), 3)
    assert judged.is_terminal(state) and judged.actions(state) == ()
    assert judged.utility(state, "X") == 0.25


SMALLEST: dict[str, dict[str, Any]] = {
    "depth against cost": {"searches": ["minimax", "alpha-beta"], "plies": 3},
    "playouts against stability": {"searches": 1, "C": 1.4},
    "win rates": {"games": 3, "X": side("MCTS"), "O": side("random")},
    "tuning C and playouts": {"opponent": "random", "plies": 1, "games": 1},
    "how large is the game": {"game": "tic-tac-toe 2 x 3, 2 in a row"},
    "all algorithms side by side": {"plies": 2, "playouts": 10},
    "the order of moves": {"plies": 2},
    "why a bound is not a value": {},
    "depth against breadth": {"games": 1},
    "deeper until the time is over": {"seconds": 0},
    "playouts cut off by a heuristic": {"playouts": 10, "games": 2},
    "squeezing h under chance": {"trees": 2},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(EXPERIMENTS))
def test_every_experiment_runs_to_its_end_and_is_shown(
    solved: Student, page: Page, name: str
) -> None:
    experiment, runner = EXPERIMENTS[name], Runner(page, lambda: None)
    runner.start(experiment, {"game": "tic-tac-toe", "seed": 1} | SMALLEST[name])
    wait_for(lambda: not runner.running)
    (run,) = runner.runs
    assert run.problem == ""
    assert escape(experiment.says(run.rows)) in pages.measure.heading_of(run, 1)
    assert "<table" in drawing.tables(run.rows)
    if experiment.plot:
        assert charts.chart(experiment.plot, run.rows).to_dict()  # checked by Vega-Lite's schema


# --- The table at which one plays -----------------------------------------------------------------


@pytest.mark.slow
def test_a_whole_game_against_alphabeta_is_a_draw_or_lost(solved: Student, table: Table) -> None:
    table.configure("alpha-beta", Settings(plies=9), hints=True)
    table.start(TicTacToe(), "X")
    rng = random.Random(3)
    while not table.over:
        wait_for(lambda: table.humans_turn and table.estimates)
        assert max(table.estimates.values()) <= 0
        table.play(str(rng.choice(table.game.actions(table.state))))
        wait_for(lambda: table.over or table.humans_turn)
    assert table.state.outcome != "X"
    assert table.thought is not None


def test_the_computer_starts_if_asked_to(solved: Student, table: Table) -> None:
    table.configure("alpha-beta", Settings(plies=9), hints=False)
    table.start(TicTacToe(), "O")
    wait_for(lambda: table.humans_turn)
    assert len(table.moves) == 1


def test_take_back_gives_the_human_the_move_again(table: Table) -> None:
    table.start(TicTacToe(), "X")
    table.take_back()  # nothing to take back
    table.play(str((1, 1)))
    wait_for(lambda: len(table.moves) == 2)
    table.take_back()
    assert (table.moves, table.state) == ([], table.game.initial)
    table.start(TicTacToe(), "O")
    wait_for(lambda: len(table.moves) == 1)
    table.take_back()  # the computer's first move stays
    assert len(table.moves) == 1


def test_two_humans_take_back_one_move_at_a_time(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=True)
    table.play(str((0, 0)))
    table.play(str((1, 1)))
    table.take_back()
    assert table.moves == [(0, 0)]
    assert table.state.to_move == "O"


@pytest.mark.slow
def test_thinking_can_be_stopped_and_taken_up_again(solved: Student, table: Table) -> None:
    table.configure("minimax", Settings(plies=9), hints=False)
    table.start(ConnectFour(), "X")
    table.play(str(3))
    assert table.thinking
    wait_for(lambda: "positions" in table.progress)
    table.stop()
    assert not table.thinking
    assert table.paused
    table.configure("minimax", Settings(plies=2), hints=False)
    wait_for(lambda: len(table.moves) == 2)


def test_clicks_out_of_turn_do_nothing(solved: Student, table: Table) -> None:
    table.configure("minimax", Settings(plies=9), hints=False)
    table.start(ConnectFour(), "X")
    table.play(str(99))
    assert table.moves == []
    table.play(str(3))
    table.play(str(3))
    assert table.moves == [3]
    table.stop()


def test_an_opponent_that_is_not_written_says_what_to_write(table: Table) -> None:
    table.configure("minimax", Settings(), hints=True)
    table.start(TicTacToe(), "O")
    wait_for(lambda: table.problem)
    assert "write min_value in minimax.py" in pages.play.whose_turn(table, 0)


# --- Chance at the table --------------------------------------------------------------------------


def rolled(page: Page, seed: int) -> Table:
    """A game of Pig between two humans, in which X rolls twice."""
    table = Table(page)
    table.seeds.seed(seed)
    table.configure(HUMAN, Settings(), hints=False)
    table.start(Pig(20), "X")
    for _ in range(2):
        table.play("roll")
    return table


def test_the_die_is_rolled_by_itself_from_the_seed(page: Page) -> None:
    tables = [rolled(page, seed) for seed in (1, 1, 2, 3, 4)]
    moves = [table.moves for table in tables]
    assert all(len(made) == 4 and made[0] == made[2] == "roll" for made in moves)
    assert moves[0] == moves[1]
    assert len({(made[1], made[3]) for made in moves}) > 1
    assert all(table.state.to_move in ("X", "O") for table in tables)


def test_the_die_is_told(page: Page) -> None:
    table = Table(page)
    table.configure(HUMAN, Settings(), hints=False)
    table.start(Pig(20), "X", [0, 3, 1, 0, 0])  # 4, hold, O rolls 1
    assert pages.play.names_of(table)[1:3] == ["the die shows 4", "X holds"]
    told = pages.play.whose_turn(table, 5)
    assert told.startswith("X holds, O rolls, the die shows 1. <span>X is to move.</span>")
    shown = [square["note"] for square in pages.play.squares(table, 5)]
    assert shown == ["X has 4, O has 1 of 20", "0 in this turn", "X to move", "roll"]


def test_what_is_taken_back_falls_out_as_before(page: Page) -> None:
    table = rolled(page, 7)
    before = list(table.moves)
    table.take_back()
    assert table.moves == before[:2]
    table.play("roll")
    assert table.moves == before


@pytest.mark.slow
@pytest.mark.parametrize("engine", [name for name in (CHANCE, "random") if name in ENGINES])
def test_pig_is_played_against_an_engine(solved: Student, page: Page, engine: str) -> None:
    table = Table(page)
    table.seeds.seed(3)
    table.configure(engine, Settings(plies=4), hints=True)
    table.start(Pig(6), "O")
    rated = engine == "random"
    wait_for(lambda: not rated or table.humans_turn)
    assert not (rated and table.estimating)
    while not table.over:
        wait_for(lambda: table.over or (table.humans_turn and (rated or table.estimates)))
        assert table.over or rated or set(table.estimates) == set(table.game.actions(table.state))
        table.play("roll")
    assert "win" in pages.play.whose_turn(table, len(table.moves))


# --- The student's own player ---------------------------------------------------------------------

needs_player = pytest.mark.skipif(OWN not in ENGINES, reason="its question is off")
REMEMBERS = """
class Player:
    def __init__(self):
        self.told = []
    def seed(self, number):
        self.told.append("seed")
    def reset(self):
        self.told.append("reset")
    def opponent_played(self, move):
        self.told.append(f"played {move}")
    def choose(self, game, state):
        print(*self.told, sep=", ")
        return game.actions(state)[-1]
"""


def seated(page: Page, folder: Path, source: str, human: str = "X") -> Table:
    """Connect Four against a player of this source."""
    (folder / "player.py").write_text(source)
    table = Table(page)
    table.configure(OWN, Settings(), hints=False)
    table.start(ConnectFour(), human)
    return table


@needs_player
def test_a_mended_player_goes_on_once_it_is_read_again(folder: Path, page: Page) -> None:
    table = seated(page, folder, REMEMBERS.replace("return", "1 / 0; return"))
    table.play("3")
    wait_for(lambda: table.problem)
    (folder / "player.py").write_text(REMEMBERS)
    table.read_again()
    wait_for(lambda: table.humans_turn)
    assert table.moves == [3, 6] and not table.problem


@needs_player
def test_ones_own_player_is_told_of_the_game_in_one_process(
    folder: Path, page: Page, capfd: pytest.CaptureFixture[str]
) -> None:
    table = seated(page, folder, REMEMBERS)
    for move in (3, 2):
        table.play(str(move))
        wait_for(lambda: table.humans_turn)
    table.take_back()
    table.play("0")
    wait_for(lambda: table.humans_turn)
    assert table.moves == [3, 6, 0, 6]
    said = "seed, reset, played 3"
    assert capfd.readouterr().err.splitlines() == [
        said,
        f"{said}, played 2",
        "seed, reset, played 0",
    ]
    assert "seconds" in pages.play.behind(table)


@pytest.mark.slow
@needs_player
@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("class Player:\n    def choose(self, game, state):\n        return 9", "choose chose 9"),
        (
            "class Player:\n    def choose(self, game, state):\n        1 / 0",
            "line 3, in choose: 1 / 0",
        ),
        ("class Player:\n    def choose(:", "player.py, line 2"),
        ("import sys; sys.exit()", "ended Python"),
        ("", "player.py has no Player"),
    ],
)
def test_a_player_that_fails_is_told_and_another_can_be_chosen(
    folder: Path, page: Page, source: str, told: str
) -> None:
    table = seated(page, folder, source, "O")
    wait_for(lambda: table.problem)
    assert told in table.problem
    assert "choose another opponent" in pages.play.whose_turn(table, 0)
    table.configure("random", Settings(), hints=False)
    wait_for(lambda: table.humans_turn)


@pytest.mark.slow
@needs_player
def test_a_player_that_is_not_written_or_not_there_is_told(folder: Path, page: Page) -> None:
    assert student.read(folder).missing_reason("player") == "not written yet: write choose in player.py"
    table = seated(page, folder, (ROOT / "starter" / "player.py").read_text(), "O")
    wait_for(lambda: "write choose in player.py" in table.problem)
    (folder / "player.py").unlink()
    table.resume()
    wait_for(lambda: "player.py is not in" in table.problem)
    table.start(TicTacToe(), "O")
    shutil.copy(ROOT / "solution" / "player.py", folder)
    table.resume()
    wait_for(lambda: "Connect Four only" in table.problem)


@needs_player
def test_a_player_that_never_ends_is_stopped(folder: Path, page: Page) -> None:
    endless = REMEMBERS.replace("return", "while game: pass\n        return")
    table = seated(page, folder, endless, "O")
    assert table.thinking and page.jobs
    table.stop()
    wait_for(lambda: not page.jobs)
    assert table.paused
    (folder / "player.py").write_text(REMEMBERS)
    table.resume()
    wait_for(lambda: table.humans_turn)


@needs_player
def test_the_solved_positions_are_those_of_the_public_cases() -> None:
    assert len(SOLVED) == 48
    game = ConnectFour()
    for name, (key, _) in SOLVED.items():
        state = pages.positions.typed_position(name, pages.positions.POSITIONS[name])[1]
        assert state == game.from_key(key)
        assert set(truth(state)) == set(game.actions(state))
        assert any(true.keeps for true in truth(state).values())
    assert truth(game.initial) == {}


@needs_player
def test_the_truth_is_that_of_a_search_to_the_end(solved: Student) -> None:
    """Where the end is near, the search finds it; a win in n is one within 2n - 1 plies."""
    game, looked = ConnectFour(), 0
    for key, _ in SOLVED.values():
        state = game.from_key(key)
        for move, true in truth(state).items():
            if true.worth == "win" and true.stones <= 2:
                looked += 1
                child, plies = game.result(state, move), 2 * true.stones - 2
                won = game.is_terminal(child) or (
                    plies > 0
                    and think("alpha-beta", solved, game, child, Settings(plies)).value == -1
                )
                assert won and (plies == 0) == game.is_terminal(child)
    assert looked > 3


@needs_player
def test_the_choice_of_ones_own_player_stands_beside_the_truth(folder: Path, page: Page) -> None:
    name, (key, _) = next(iter(SOLVED.items()))
    for place, words in ((-1, "keeps the"), (0, "into a")):
        (folder / "player.py").write_text(REMEMBERS.replace("[-1]", f"[{place}]"))
        shown = pages.playground.searched(desk_with(page, OWN, name, Settings()))
        assert words in shown and "exact score" in shown
        assert shown.count("<tr>") == 1 + len(ConnectFour().actions(ConnectFour().from_key(key)))


@needs_player
def test_without_cases_there_are_no_solved_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: object, number: str) -> None:
        raise GraderFault("the cases can't be read")

    monkeypatch.setattr("autograder.serving.cases.Cases.content", missing)
    assert solved_positions() == {}


# --- Pictures and words ---------------------------------------------------------------------------


def test_squares_that_can_be_clicked_mean_their_move(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(TicTacToe(2, 3, 2), "X")
    table.play("(0, 1)")
    moves = [square["move"] for square in pages.play.squares(table, 1)]
    assert moves == ["(0, 0)", None, "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)"]
    table.start(ConnectFour(2, 3, 3), "X")
    assert [square["move"] for square in pages.play.squares(table, 0)] == [
        "0",
        "1",
        "2",
        "0",
        "1",
        "2",
    ]


def test_pointing_at_a_square_shows_what_a_move_fills(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(ConnectFour(3, 2, 2), "X")
    table.play("0")
    assert [square["fills"] for square in pages.play.squares(table, 1)] == [[2], [5]] * 3
    table.start(Nim([1, 3]), "X")
    fills = [square["fills"] for square in pages.play.squares(table, 0)]
    assert fills == [[0], [], [], [3, 4, 5], [4, 5], [5]]


def test_a_screen_reader_can_say_every_square(solved: Student, table: Table) -> None:
    table.configure("alpha-beta", Settings(plies=9), hints=True)
    table.start(TicTacToe(), "X", [0, 0, 0, 0])  # X on (0, 0) and (0, 2), O on (0, 1) and (1, 0)
    wait_for(lambda: table.estimates)
    says = [square["says"] for square in pages.play.squares(table, 4)]
    assert says[0] == "row 0, column 0: X"
    assert says[3] == "row 1, column 0: O, last"
    assert says[4] == "row 1, column 1: empty, plays (1, 1), worth +1, best"


def test_the_winning_row_is_marked(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(TicTacToe(), "X", [0, 2, 0, 2, 0])
    looks = [square["look"].split() for square in pages.play.squares(table, 5)]
    assert ["won" in look for look in looks] == [True] * 3 + [False] * 6
    assert [square["look"] for square in pages.play.squares(table, 4)].count("won") == 0
    game = ConnectFour()
    falling = game.from_key(
        "/".join(
            [
                *[
                    ".......",
                ]
                * 2,
                "...X...",
                "..XO...",
                ".XOX...",
                "XOOO.X.",
            ]
        )
    )
    assert boards.won(game, falling) == {(2, 3), (3, 2), (4, 1), (5, 0)}
    assert 'class="good"' in drawing.position(game, falling, "X")


def test_the_moves_of_a_game_can_be_walked(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(TicTacToe(), "X", [0, 0])
    walked = pages.play.squares(table, 1)
    assert [square["mark"] for square in walked] == ["X"] + ["."] * 8
    assert not any(square["move"] for square in walked)
    assert "after 1 of 2 moves" in pages.play.whose_turn(table, 1)
    table.start(TicTacToe(), "X")  # while the page still shows the game before
    assert len(pages.play.squares(table, 2)) == 9


def test_a_reload_keeps_the_game(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(ConnectFour(), "O", [3, 3, 0])
    assert (table.moves, table.played) == ([3, 3, 0], [3, 3, 0])
    kept = {"game": "Connect Four", "sizes": "6.8.4", "moves": "3.3.0"}
    assert pages.kept.kept_sizes(kept, boards.BY_NAME["Connect Four"]) == {
        "height": 6,
        "width": 8,
        "k": 4,
    }
    assert pages.kept.kept_sizes(kept, boards.BY_NAME["tic-tac-toe"])["width"] == 3
    for kind in boards.CATEGORIES:
        untouched = {"game": kind.name, "sizes": ".".join(map(str, kind.sizes.values()))}
        assert pages.kept.kept_sizes(untouched, kind) == kind.sizes
    assert pages.kept.kept_moves(kept) == [3, 3, 0]
    assert pages.kept.kept_moves(kept) == []  # the next game begins afresh
    huge = {"game": "Connect Four", "sizes": f"{'9' * 5000}.7.4", "moves": "9" * 5000}
    assert pages.kept.kept_sizes(huge, boards.BY_NAME["Connect Four"])["height"] == 15
    assert len(pages.kept.kept_moves(huge)) == 1


@pytest.mark.parametrize("moves", [[9], [0, 99], [0, 0, 0, 0, 0, 0, 0, 0]])
def test_moves_that_can_t_be_are_refused(table: Table, moves: list[int]) -> None:
    with pytest.raises(ValueError, match="no such move"):
        table.start(ConnectFour(2, 2, 2), "X", moves)
    assert table.state == ConnectFour(2, 2, 2).initial


def test_a_reload_keeps_the_answers() -> None:
    answers = [question.answers[question.right] for question in concepts.QUESTIONS[:-1]]
    text = pages.kept.as_kept(concepts.QUESTIONS, [*answers, None])
    assert pages.kept.kept_answers({"answers": text}, concepts.QUESTIONS) == [*answers, None]
    for odd in ("", "9" * 99, "-x²"):
        assert set(pages.kept.kept_answers({"answers": odd}, concepts.QUESTIONS)) == {None}


def test_an_estimate_stands_where_the_stone_would_fall(solved: Student, table: Table) -> None:
    table.configure("heuristic alpha-beta", Settings(plies=1), hints=True)
    table.start(ConnectFour(4, 4, 4), "X")
    wait_for(lambda: table.estimates)
    notes = [square["note"] != "" for square in pages.play.squares(table, 0)]
    assert notes == [False] * 12 + [True] * 4


def test_a_move_that_no_square_stands_for_has_a_button(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    game = Othello(4)
    table.start(game, "X")
    assert len(pages.play.squares(table, 0)) == 16
    table.positions = [game.from_key("OXXX/XXX./XXOO/X.X. O")]
    *board, other = pages.play.squares(table, 0)
    assert not any(square["move"] for square in board)
    assert (other["move"], other["note"], other["look"]) == ("pass", "pass", "wide")
    table.play("pass")
    assert table.state.to_move == "X"


def test_the_board_of_hex_is_slanted(table: Table) -> None:
    table.configure(HUMAN, Settings(), hints=False)
    table.start(Hex(2), "X", [0, 0])
    assert [square["column"] for square in pages.play.squares(table, 0)] == [1, 3, 2, 4]
    assert (pages.play.columns_of(table), pages.play.width_of(table)) == (5, 2)
    table.play("(1, 0)")
    assert ["won" in square["look"] for square in pages.play.squares(table, 3)] == [True, False] * 2


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
    game, state = pages.positions.typed_position("tic-tac-toe, a fork", "x..\n.o.\n..x\n")
    assert state == TicTacToe().state(["X..", ".O.", "..X"])
    for text in ("", "X.\n.", "XXX\nOO.\n...", "XX.\n...\n..."):
        with pytest.raises(ValueError, match=r"nothing|there must be|over|leads"):
            pages.positions.typed_position("tic-tac-toe, empty", text)
    for name, text in pages.positions.POSITIONS.items():
        game, state = pages.positions.typed_position(name, text)
        assert not game.is_terminal(state)
    figure = "the textbook's figure 5.2"
    assert repr(
        pages.positions.typed_position(figure, pages.positions.POSITIONS[figure])[0]
    ) == repr(FIGURE_5_2)


@pytest.mark.parametrize("name, move", [
    ("Hex, a bridge to save", (2, 2)), ("Othello, a corner to take", (0, 0)),
])  # fmt: skip
def test_there_is_one_best_move(name: str, move: tuple[int, int], solved: Student) -> None:
    game, state = pages.positions.typed_position(name, pages.positions.POSITIONS[name])
    task = Task("heuristic alpha-beta", game, state, Settings(plies=3))
    values = engines.estimates(solved, task)
    assert state.to_move == "X" and move in values
    assert [other for other in values if values[other] >= values[move]] == [move]


def test_the_position_to_block_has_one_move_that_does_not_lose(solved: Student) -> None:
    name = "Connect Four, block or lose"
    game, state = pages.positions.typed_position(name, pages.positions.POSITIONS[name])
    values = engines.estimates(solved, Task("alpha-beta", game, state, Settings(plies=2)))
    assert [move for move, value in values.items() if value > -1] == [5]


@pytest.mark.slow
def test_a_search_in_the_playground(solved: Student, page: Page) -> None:
    desk = desk_with(page, "alpha-beta", "tic-tac-toe, empty", Settings(plies=9))
    shown = pages.playground.searched(desk)
    for words in ("plays (0, 0)", "18,297", "4,237", "value for X", "at most 0"):
        assert words in shown


def test_the_playground_says_when_the_choice_is_not_by_visits() -> None:
    rows = [{"move": "a", "N": 5, "U/N": 1.0}, {"move": "b", "N": 7, "U/N": 0.5}]
    assert "But b was visited more often than a" in pages.playground.choice(
        SearchResult(1, "a", {}, 0, rows)
    )
    assert "But" not in pages.playground.choice(SearchResult(1, "b", {}, 0, rows[::-1]))


def test_the_playground_says_when_the_choice_is_not_by_value() -> None:
    rows = [{"move": "a", "v": 1.0}, {"move": "b", "v": 3.0}]
    assert "But b is worth more than a" in pages.playground.choice(SearchResult(1, "a", {}, 0, rows))
    assert "But" not in pages.playground.choice(SearchResult(3, "b", {}, 0, rows[::-1]))


@pytest.mark.slow
def test_a_search_is_made_again_only_when_something_else_is_asked(
    solved: Student, page: Page
) -> None:
    desk = desk_with(page, "MCTS", "tic-tac-toe, a fork", Settings(playouts=30))
    thought = desk.thought
    desk.ask(desk.task, "this")
    assert desk.thought is thought is not None
    desk.search()
    assert desk.thought is None
    wait_for(lambda: desk.thought)


def test_a_missing_return_is_told_the_same_everywhere(folder: Path, page: Page) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    missing = source.replace("    return v, best_move\n", "    v, best_move\n")
    (folder / "minimax.py").write_text(missing)
    desk = desk_with(page, "minimax", "two moves", Settings(plies=1))
    assert "minimax_search returned None" in desk.problem
    assert "not subscriptable" not in desk.problem


def test_the_concept_check_has_an_answer_and_a_reason_for_each_question() -> None:
    assert len(concepts.ALL) >= 10
    for question in concepts.ALL:
        assert len(set(question.answers)) == len(question.answers) >= 2
        assert 0 <= question.right < len(question.answers)
        assert "Right" in pages.check_yourself.verdict(question, question.answers[question.right])
        assert "Not so" in pages.check_yourself.verdict(
            question, question.answers[question.right - 1]
        )
    assert len({question.right for question in concepts.ALL}) > 1


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1234, "1,234"),
        (float("-inf"), "-∞"),
        (float("nan"), "NaN"),
        (0.256, "0.26"),
        (None, ""),
    ],
)
def test_numbers_are_written_as_a_person_would(value: float | None, words: str) -> None:
    assert write_number(value) == words


def test_a_table_has_a_heading_over_every_column() -> None:
    shown = drawing.table([{"kept": "nothing", "position": "X.."}, {"kept": "values"}])
    assert re.findall("<t[hd]>(.*?)</t[hd]>", shown) == [
        *("kept", "position"),
        *("nothing", "X.."),
        *("values", ""),
    ]


# --- The terminal ---------------------------------------------------------------------------------


def terminal(monkeypatch: pytest.MonkeyPatch, answers: str) -> int:
    """Play with these answers; chance and the engine draw the same each time."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    monkeypatch.setattr(play, "Settings", partial(Settings, seed=1))
    monkeypatch.setattr(play, "chance_player", lambda: chance_player(1))
    return play.main()


def test_a_search_that_ends_python_ends_the_game_with_a_word(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(f"{source}\n\ndef max_value(*args):\n    raise SystemExit\n")
    monkeypatch.setattr(student, "read", lambda: read(folder))
    assert terminal(monkeypatch, "1\n1\n2\n") == 1
    assert "have ended Python" in capsys.readouterr().out


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


def test_the_die_is_told_in_the_terminal_and_falls_by_the_seed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = list(boards.BY_NAME).index("Pig") + 1
    told = []
    for _ in range(2):
        assert terminal(monkeypatch, f"{number}\n\n\n" + 99 * "roll\n") == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    assert "the die shows" in told[0] and "O rolls" in told[0]


@pytest.mark.slow
@needs_player
def test_ones_own_player_plays_in_the_terminal(
    solved: Student, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(student, "read", lambda: solved)
    number = [name for name in ENGINES if not engines.unsupported_reason(name, ConnectFour())].index(OWN) + 1
    columns = 6 * "".join(f"{column}\n" for column in range(7))
    game = list(boards.BY_NAME).index("Connect Four") + 1
    assert terminal(monkeypatch, f"{game}\n{number}\n2\n{columns}") == 0
    out = capsys.readouterr().out
    assert f"{number}  {OWN}" in out and out.splitlines()[-1] == "You lose."


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("heuristic alpha-beta", r"value -?0\.\d\d for X, [\d,]+ positions in \d"),
        ("MCTS", r"value -?0\.\d\d for X, 1,000 playouts in \d"),
    ],
)
def test_the_computers_move_is_told_with_its_reason(
    engine: str,
    reason: str,
    solved: Student,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(student, "read", lambda: solved)
    game = list(boards.BY_NAME).index("Connect Four") + 1
    number = [name for name in ENGINES if not engines.unsupported_reason(name, ConnectFour())].index(engine) + 1
    assert terminal(monkeypatch, f"{game}\n{number}\n2\n3\nq\n") == 0
    out = capsys.readouterr().out
    assert len(re.findall(rf"^X plays \d: {reason}|O plays: X plays \d: {reason}", out, re.M)) == 2
    assert out.endswith("See you.\n")


@pytest.mark.parametrize("before", ["", "1\n", "1\n1\n", "1\n1\n1\n", "1\n1\n1\n0 0\n"])
def test_q_leaves_at_every_prompt(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    assert terminal(monkeypatch, f"{before}q\n1\n1\n1\n") == 0
    assert capsys.readouterr().out.endswith("See you.\n")


@pytest.mark.parametrize("answers", ["", "1\n", "1\n1\n1\n", "1\n1\n1\n0 0\n"])
def test_the_end_of_input_ends_the_game_politely(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answers: str
) -> None:
    assert terminal(monkeypatch, answers) == 0
    assert capsys.readouterr().out.endswith("See you.\n")


# --- The whole app --------------------------------------------------------------------------------


@pytest.fixture(params=["stubs", pytest.param("solved", marks=pytest.mark.slow)])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What a student has of it, before and after the work."""
    return students_tree(tmp_path, request.param == "solved")


# Runs the app with each page open, and prints what it shows there.
EVERY_PAGE = """
import html, runpy, types
app = runpy.run_path("lab/app.py")["app"]
for name in ("Play", "Playground", "Watch the search", "Measure", "Check yourself"):
    outputs, _ = app.run(defs={"page": types.SimpleNamespace(value=name)})
    text = html.unescape(html.unescape("".join(getattr(o, "text", "") for o in outputs)))
    print(name + ": " + " ".join(text.split()))
"""


@pytest.mark.slow
@pytest.mark.skipif(
    importlib.util.find_spec("marimo") is None, reason='no marimo here: pip install ".[lab]"'
)
def test_the_app_runs_headless(tree: Path) -> None:
    (tree / "results.html").write_text('<p id="next"><strong>next: fix 2.3</strong></p>')
    done = subprocess.run(
        [sys.executable, "-c", EVERY_PAGE],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    shown = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert ("✓ minimax" in shown["Play"]) != ("write min_value in minimax.py" in shown["Play"])
    assert "next: fix 2.3" in shown["Play"]
    assert "Your move: you are X" in shown["Play"]
    assert "the position (to change it, type)" in shown["Playground"]
    assert "marimo-anywidget" in shown["Watch the search"]
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
        [sys.executable, "-c", script], cwd=tree, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr == 'The lab needs marimo, altair and anywidget: pip install ".[lab]"\n'


# --- who gets in ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(find_spec("marimo") is None, reason='no marimo: pip install ".[lab]"')
def test_the_lab_lets_nobody_in_without_its_token(tmp_path: Path) -> None:
    """It runs the student's code, and every user of the machine can reach its port."""
    with running_lab(students_tree(tmp_path, solved=False)) as lab:
        assert len(lab.token) > 20

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
        assert "marimo run" in words and lab.token not in words
