"""The lab without a browser: how it reads the student's files, what its engines search and record,
and what its pages show."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from importlib.util import find_spec
from math import inf
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPCookieProcessor, build_opener, urlopen

import pytest

from autograder.diagram import game_tree
from autograder.questions import ROOT, ROWS
from autograder.selftest.lab.make_recordings import make
from autograder.selftest.support.browser import running_lab, students_tree
from autograder.selftest.support.waiting import PATIENCE
from autograder.worker.inside.protocol import PHASES
from lab import engines, explain, page, positions, recordings, student, trace, trees
from lab.engines import CHANCE, ENGINES, OWN, SearchResult, Settings, Task
from lab.jobs import Job
from lab.node_status import NodeStatus
from lab.student import BadAnswer, Student
from lab.trees import MAX_WHOLE, search_rows
from lab.truth import SOLVED, truth
from solution.minimax import minimax_search
from starter.games import FIGURE_5_2, ConnectFour, Game, GameTree, Pig, State, TicTacToe


def change(folder: Path, file: str, right: str, instead: str) -> None:
    """Let a student's file be the solution's with one change."""
    source = (ROOT / "solution" / file).read_text()
    assert right in source
    (folder / file).write_text(source.replace(right, instead, 1))


def search(
    name: str, code: Student, game: Game, state: State, how: Settings = Settings()
) -> SearchResult:
    return engines.search(code, Task(name, game, state, how))


# --- Reading the student's files ------------------------------------------------------------------


def test_only_what_is_written_can_play() -> None:
    assert engines.available(student.read(ROOT / "solution")) == list(ENGINES)
    stubs = student.read()
    assert engines.available(stubs) == ["random"]
    assert stubs.missing_reason("minimax") == "not written yet: write min_value in minimax.py"
    assert stubs.missing_reason("minimax", "minimax_search") == ""
    assert ENGINES["MCTS"].missing_reason(stubs) == "not written yet: write select in mcts.py"


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


def test_a_stubs_last_line_may_stay_where_nothing_comes_to_it(folder: Path) -> None:
    last = '\n    raise NotImplementedError("write min_value in minimax.py")\n'
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(source.rstrip() + last)
    assert not student.read(folder).missing_reason("minimax")
    unfinished = source.replace("    return v, best_move\n    ### END", "    ### END")
    (folder / "minimax.py").write_text(unfinished.rstrip() + last)
    assert "not written yet: write min_value" in student.read(folder).missing_reason("minimax")


@pytest.mark.parametrize("plies", [1, 2])
def test_a_heuristic_that_gives_no_number_is_named(folder: Path, plies: int) -> None:
    source = (ROOT / "solution" / "cutoff.py").read_text()
    source += "\n\ndef connect_four_heuristic(state, player):\n    pass\n"
    (folder / "cutoff.py").write_text(source)
    game = ConnectFour()
    task = Task("heuristic alpha-beta", game, game.initial, Settings(plies=plies))
    with pytest.raises(BadAnswer, match="the heuristic returned the value None"):
        engines.estimates(student.read(folder), task)


def test_a_search_without_the_four_functions_is_not_taken_for_a_player(folder: Path) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    own = "\n\n_select, _expand, _simulate, _backprop = select, expand, simulate, backprop\n"
    for name in PHASES:
        source = re.sub(rf"(\n        .*[ =]){name}\(", rf"\1_{name}(", source)
    (folder / "mcts.py").write_text(source + own)
    _, job = searched("MCTS", "two moves", Settings(playouts=6))
    assert job.result and not job.result.steps
    assert "calls none of its functions select, expand" in page.why_no_steps("MCTS")


def test_an_exception_is_shown_by_the_students_own_lines(folder: Path) -> None:
    change(folder, "minimax.py", "v2 < v", "v2 < v / 0")
    code, game = student.read(folder), TicTacToe()
    with pytest.raises(ZeroDivisionError) as caught:
        search("minimax", code, game, game.initial)
    message = student.explain(caught.value, folder)
    assert "ZeroDivisionError" in message
    assert "minimax.py" in message
    assert "if v2 < v / 0:" in message
    assert "lab" not in message
    assert len(message.splitlines()) <= 5


def test_an_endless_recursion_is_told_by_its_likely_cause(folder: Path) -> None:
    source = (ROOT / "solution" / "minimax.py").read_text()
    (folder / "minimax.py").write_text(
        source.replace("game.result(state, move), player", "state, player")
    )
    code, game = student.read(folder), TicTacToe()
    with pytest.raises(RecursionError) as caught:
        search("minimax", code, game, game.initial)
    assert "is the terminal test missing?" in student.explain(caught.value, folder)


NO_NUMBERS = ("much", "nan", float("nan"), True)
NO_ANSWERS = [None, 0, (0, (7, 7)), (0, None), *((value, (0, 0)) for value in NO_NUMBERS)]


@pytest.mark.parametrize("answer", NO_ANSWERS)
def test_an_answer_that_is_no_value_and_move_is_refused(answer: object) -> None:
    with pytest.raises(BadAnswer):
        student.check_answer(answer, ((0, 0), (0, 1)), "minimax_search")
    assert student.check_answer([Fraction(1, 2), (0, 1)], ((0, 0), (0, 1)), "f") == (0.5, (0, 1))


# --- Engines --------------------------------------------------------------------------------------


def test_the_counts_are_those_of_the_textbook_searches(solved: Student) -> None:
    game = TicTacToe()
    result = search("alpha-beta", solved, game, game.initial)
    assert (result.value, result.counts) == (0, {"positions": 18297, "prunes": 4237})


@pytest.mark.parametrize("name", [name for name in ENGINES if ENGINES[name].uses])
def test_every_engine_takes_a_win_and_values_it(solved: Student, name: str) -> None:
    game = TicTacToe()
    state = game.state(["XX.", "OO.", "..."])
    settings = Settings(plies=3, playouts=300, seed=1)
    result = search(name, solved, game, state, settings)
    assert result.move == (0, 2)
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
    moves = search(name, solved, game, state, Settings(plies=9)).moves
    assert {row["move"] for row in moves} == set(true)
    for row in moves:
        low, high = row["bounds"]
        assert low <= true[row["move"]] <= high, row


def test_mcts_counts_its_playouts_and_nodes(solved: Student) -> None:
    game = TicTacToe()
    counts = search("MCTS", solved, game, game.initial, Settings(playouts=9)).counts
    assert counts["playouts"] == 9
    assert counts["tree nodes"] == 1 + 9 + 8 * 8  # the first playout starts at the first child


def test_the_cutoff_evaluations_are_counted_and_the_depth_is_in_plies(solved: Student) -> None:
    game = ConnectFour()
    result = search("heuristic alpha-beta", solved, game, game.initial, Settings(plies=1))
    assert result.counts["positions"] == 1 + 7
    assert result.counts["evaluations"] == 7


@pytest.mark.skipif(CHANCE not in ENGINES, reason="its question is off")
def test_expectiminimax_values_both_moves_of_pig(solved: Student) -> None:
    game = Pig(4)
    state = game.from_key("1-3 X 2")  # to hold loses; any die but a 1 wins, and a 1 loses
    values = engines.estimates(solved, Task(CHANCE, game, state, Settings(plies=6)))
    assert values["roll"] == pytest.approx(4 / 6)
    assert values["hold"] < 0


def test_the_move_that_mcts_plays_comes_first_then_those_visited_most(solved: Student) -> None:
    game = TicTacToe()
    for seed in range(10):
        result = search("MCTS", solved, game, game.initial, Settings(playouts=30, seed=seed))
        visits = [row["N"] for row in result.moves]
        assert result.moves[0]["move"] == str(result.move)
        assert result.moves[0]["U/N"] == result.value
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

    watched = trace.Trace(FIGURE_5_2, FIGURE_5_2.initial)
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
    return engines.search(code, Task(name, game, state, settings, recorded=True)).steps


def sentences(steps: list[Any], game: Game, root: State) -> list[str]:
    """Every step in words."""
    return [explain.describe(steps[:n], game, root) for n in range(1, len(steps) + 1)]


def drawn_after(steps: list[Any], game: Game, root: State, count: int | None = None) -> str:
    """The pictures of all nodes after so many steps, or after all."""
    rows = search_rows(game, root, steps, len(steps) if count is None else count, {})
    return "".join(row["svg"] for row in rows)


def test_alphabeta_on_figure_5_2_is_followed_step_by_step(solved: Student) -> None:
    game = FIGURE_5_2
    steps = steps_of(solved, "alpha-beta", game, game.initial)
    seen = {path: status for step in steps for path, status in step.seen.items()}
    assert {("a2", "c2"), ("a2", "c3")}.isdisjoint(seen) and len(seen) == 11
    assert (seen[()].v, seen[()].bounds) == (3, (3, 3))
    assert (seen["a2",].v, seen["a2",].bounds, seen["a2",].window) == (2, (-inf, 2), (3, 2))
    assert sorted(status.order for status in seen.values()) == list(range(1, 12))
    assert [step.path for step in steps if step.name == "prune"] == [("a2",)]
    last = drawn_after(steps, game, game.initial)
    assert last.count("node leaf faded") == 2
    assert "&lt;= 2" in last and "v = 2 &lt;= alpha = 3" in last
    assert drawn_after(steps, game, game.initial, 0).count("node leaf faded") == 0
    assert steps[2].seen["a1", "b1"].status == "open"
    lines = sentences(steps, game, game.initial)
    assert lines[:4] == [
        "The search enters the root, MAX to move, with alpha = -inf and beta = inf.",
        "The search enters a1, MIN to move, with alpha = -inf and beta = inf.",
        "The search enters a1/b1, where the game is over.",
        "a1/b1 is worth 3 to MAX. At a1 v becomes 3, beta becomes 3.",
    ]
    assert [words for step, words in zip(steps, lines) if step.name == "prune"] == [
        "v = 2 <= alpha = 3 at a2: pruned. Never looked at: c2, c3. a2 is at most 2 for "
        "MAX. At the root v stays 3."
    ]
    assert lines[-1] == "the root is worth 3 to MAX."


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
    change(folder, file, f"{right})", f"{instead})")
    game = FIGURE_5_2
    steps = steps_of(student.read(folder), name, game, game.initial)
    lines = sentences(steps, game, game.initial)
    assert (
        "The search enters a2, MIN to move, with alpha = -inf and beta = inf, where those above "
        "are 3 and inf." in lines
    )
    assert not any("pruned" in words for words in lines)


def test_the_heuristic_search_is_watched_on_a_board_of_ones_own(solved: Student) -> None:
    game, state = positions.typed_position("Connect Four, empty", "....\n....\n.O..\nXX..")
    assert repr(game) == "ConnectFour(4, 4, 4)"
    steps = steps_of(solved, "heuristic alpha-beta", game, state, plies=2)
    drawn = drawn_after(steps, game, state)
    assert max(len(step.path) for step in steps) == 2
    assert explain.describe(steps[:4], game, state).startswith("h says ")
    assert drawn.count('"node leaf') == 16
    assert drawn.count("faded") > 0 < drawn.count("h = ")


def test_positions_that_come_twice_are_told_apart_by_their_paths(solved: Student) -> None:
    name = "tic-tac-toe, 4 squares left"
    game, root = positions.typed_position(name, positions.POSITIONS[name])
    steps = steps_of(solved, "minimax", game, root)
    entered = [step.path for step in steps if step.name == "enter"]
    nodes = list(game_tree(game, root).root.walk())
    assert [str(path[-1]) for path in entered[1:]] == [node.name for node in nodes[1:]]
    assert len(set(entered)) == len(entered)


@pytest.mark.question("expectiminimax")
def test_chance_is_watched(solved: Student) -> None:
    _, job = searched("expectiminimax", "a tree with chance", Settings())
    game, root = positions.typed_position(
        "a tree with chance", positions.POSITIONS["a tree with chance"]
    )
    words = sentences(job.result.steps, game, root)
    assert "The search enters risky, chance to move." in words
    assert "risky/lucky is worth 12 to MAX. At risky v becomes 3." in words
    assert "risky is worth 3.75 to MAX. At the root v stays 4." in words
    last = drawn_after(job.result.steps, game, root)
    assert last.count("<circle") == 1 and ">3.75<" in last
    assert (job.result.value, job.result.move) == (4, "safe")
    assert job.result.counts["prunes"] == 0


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


def test_statistics_of_any_type_can_be_watched(folder: Path) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    head, start, rest = source.partition("class Node")
    own = "class Sum(float):\n    __add__ = lambda self, other: Sum(1)\n"
    (folder / "mcts.py").write_text(head + own + start + rest.replace("U = 0.0", "U = Sum()"))
    task, job = searched("MCTS", "two moves", Settings(playouts=9, seed=1))
    assert job.problem == ""
    steps = job.result.steps
    assert all(trees.rows_after(task, steps, number, {}) for number in range(1, len(steps) + 1))


def test_moves_of_a_class_of_the_students_own_end_the_search_with_a_word(folder: Path) -> None:
    source = (ROOT / "solution" / "mcts.py").read_text()
    head, start, rest = source.partition("class Node")
    own = "class Own(str):\n    pass\n\n\n"
    changed = rest.replace("node.children[move]", "node.children[Own(move)]")
    assert changed != rest
    (folder / "mcts.py").write_text(head + own + start + changed)
    _, job = searched("MCTS", "two moves", Settings(playouts=9, seed=1))
    assert "can't be shown" in job.problem and "Own" in job.problem


def searched(name: str, position: str, how: Settings) -> tuple[Task, Job]:
    """Search a position as a page does, to the end."""
    game, state = positions.typed_position(position, positions.POSITIONS[position])
    task = Task(name, game, state, how, recorded=True)
    job = Job(engines.search, task)
    assert job.wait(PATIENCE)
    return task, job


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in positions.POSITIONS if name not in SOLVED])
def test_every_position_can_be_watched_at_its_own_depth(solved: Student, name: str) -> None:
    """However large the tree is, what is drawn of it stays small and holds the active node."""
    task, job = searched("alpha-beta", name, Settings(positions.fitting_depth(name)))
    if job.problem:
        assert "knows no chance" in job.problem
        return
    steps = job.result.steps
    for number in range(1, len(steps) + 1, max(1, len(steps) // 50)):
        rows = trees.rows_after(task, steps, number, {})
        assert [row["active"] for row in rows].count(True) == 1
        assert len(rows) <= 2 * MAX_WHOLE
        assert all(row["parent"] < place for place, row in enumerate(rows) if place)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Connect Four, empty", "tic-tac-toe, empty"])
def test_a_long_search_of_mcts_can_be_watched(solved: Student, name: str) -> None:
    task, job = searched("MCTS", name, Settings(playouts=100, seed=1))
    steps = job.result.steps
    rows = trees.rows_after(task, steps, len(steps), {})
    assert len(rows) <= MAX_WHOLE
    assert rows[0]["scale"] == 1.5 > max(row["scale"] for row in rows[1:])
    assert "The first 60 of 100 playouts" in explain.legend(job.result, 1, "X")[1]
    drawn = "".join(row["svg"] for row in rows)
    below = sum(map(int, re.findall(r"\((\d+) below\)", drawn)))
    assert len(rows) + below == len(steps[-1].tree)


def test_of_many_children_those_beside_the_path_are_drawn() -> None:
    wide = GameTree({f"m{i}": {"a": i, "b": i} for i in range(40)})
    steps = [
        trace.Step("enter", path, {path: NodeStatus("open", order)})
        for order, path in enumerate([(), ("m30",)], 1)
    ]
    drawn = drawn_after(steps, wide, wide.initial)
    assert ">m24<" in drawn and ">m35<" in drawn and ">m30 #1<" in drawn
    assert ">24 more<" in drawn and ">4 more<" in drawn


def test_a_node_left_without_a_reason_is_no_cut(folder: Path) -> None:
    change(folder, "alphabeta.py", "if v <= alpha:", "if v <= alpha + 1:")
    game = GameTree([[3, 12], [4, 6, 5]])
    for recorded in (False, True):
        task = Task("alpha-beta", game, game.initial, recorded=recorded)
        result = engines.search(student.read(folder), task)
        assert result.counts["prunes"] == 0
    lines = sentences(result.steps, game, game.initial)
    assert any("before all its moves were tried, without a reason." in words for words in lines)
    assert not any("pruned" in words for words in lines)


def test_a_tree_of_ones_own() -> None:
    game, _ = positions.own_tree("[[1, 2], 3]")
    assert repr(game) == repr(GameTree([[1, 2], 3]))
    for text in ("[1, 2", "print()", "{1: 2}", "[[]]"):
        with pytest.raises(ValueError, match=r"nested lists|names of moves|without children"):
            positions.own_tree(text)


needs_player = pytest.mark.skipif(OWN not in ENGINES, reason="its question is off")


@needs_player
def test_the_solved_positions_are_those_of_the_public_cases() -> None:
    assert len(SOLVED) == 48
    game = ConnectFour()
    for name, (key, _) in SOLVED.items():
        state = positions.typed_position(name, positions.POSITIONS[name])[1]
        assert state == game.from_key(key)
        assert set(truth(state)) == set(game.actions(state))
        assert any(true.keeps for true in truth(state).values())
    assert truth(game.initial) == {}


@needs_player
@pytest.mark.parametrize(
    ("place", "words", "right"), [(5, "keeps the win", True), (0, "turns a win into a loss", False)]
)
def test_the_choice_of_ones_own_player_stands_beside_the_truth(
    folder: Path, place: int, words: str, right: bool
) -> None:
    name = next(iter(SOLVED))
    source = "class Player:\n    def choose(self, game, state):\n        return game.actions(state)"
    (folder / "player.py").write_text(f"{source}[{place}]\n")
    task, job = searched(OWN, name, Settings())
    verdict = explain.verdict(job.result, task.state, {})
    assert words in verdict[0] and verdict[1] == right
    rows = explain.ranking(job.result, task.state, {})
    assert len(rows) == len(task.game.actions(task.state))
    assert rows[0]["move"] == str(job.result.move) and "exact score" in rows[0]


def test_typed_positions() -> None:
    game, state = positions.typed_position("tic-tac-toe, a fork", "x..\n.o.\n..x\n")
    assert state == TicTacToe().state(["X..", ".O.", "..X"])
    with pytest.raises(ValueError, match="chance moves first here"):
        positions.typed_position("two moves", "{'chance': [(0.5, 1), (0.5, 2)]}")
    for text in ("", "X.\n.", "XXX\nOO.\n...", "XX.\n...\n..."):
        with pytest.raises(ValueError, match=r"nothing|there must be|over|leads"):
            positions.typed_position("tic-tac-toe, empty", text)
    for name, text in positions.POSITIONS.items():
        game, state = positions.typed_position(name, text)
        assert not game.is_terminal(state)
    figure = "the textbook's figure 5.2"
    assert repr(positions.typed_position(figure, positions.POSITIONS[figure])[0]) == repr(
        FIGURE_5_2
    )


# --- The truth ------------------------------------------------------------------------------------


@pytest.mark.question("mcts")
def test_the_recordings_are_those_of_the_solution() -> None:
    """To make them again: python -m autograder.selftest.lab.make_recordings."""
    assert json.loads(recordings.FILE.read_text(encoding="utf-8")) == make()


@pytest.mark.parametrize("engine", list(recordings.RECORDED))
def test_a_recorded_search_can_be_watched(engine: str) -> None:
    found = recordings.recorded_search(engine)
    assert found
    task, result = found
    assert task.engine == engine and result.move in task.game.actions(task.state)
    for number in range(len(result.steps) + 1):
        assert explain.describe(result.steps[:number], task.game, task.state)
        assert trees.rows_after(task, result.steps, number, {}) or not number
    assert explain.ranking(result, task.state, {})[0]["move"] == str(result.move)


def test_a_wrong_value_is_marked(folder: Path) -> None:
    """Here MIN takes the largest value."""
    source = (ROOT / "solution" / "minimax.py").read_text()
    before, after = source.split("def min_value")
    wrong = after.replace("inf, None", "-inf, None", 1).replace("v2 < v", "v2 > v", 1)
    (folder / "minimax.py").write_text(f"{before}def min_value{wrong}")
    name = "the textbook's figure 5.2"
    task, job = searched("minimax", name, Settings(plies=9))
    values = recordings.true_values(name, positions.POSITIONS[name], 9)
    steps = job.result.steps
    drawn = "".join(row["svg"] for row in trees.rows_after(task, steps, len(steps), values))
    assert job.result.value == 14
    assert re.findall("its moves give ([0-9]+)<", drawn) == ["3", "2", "2"]
    assert re.findall("the true value is ([0-9]+)<", drawn) == [
        "3"
    ]  # of the root, whose MAX is right
    words, right = explain.verdict(job.result, task.state, values)
    assert words == "The search returned 14; the true value is 3." and not right
    assert explain.ranking(job.result, task.state, values)[0]["true value"] == "2 ✗"


def test_right_values_are_not_marked(solved: Student) -> None:
    for name in positions.POSITIONS:
        values = recordings.true_values(name, positions.POSITIONS[name], 9)
        for engine in [name for name in ENGINES if "plies" in ENGINES[name].uses]:
            game, state = positions.typed_position(name, positions.POSITIONS[name])
            if len(values) < 2 or "empty" in name or engines.unsupported_reason(engine, game):
                continue
            task = Task(engine, game, state, Settings(plies=9), recorded=True)
            result = engines.search(solved, task)
            rows = trees.rows_after(task, result.steps, len(result.steps), values)
            assert "true value" not in "".join(row["svg"] for row in rows)
            assert explain.verdict(result, state, values)[1]


def test_no_truth_is_told_of_what_was_changed_or_is_not_searched_to_its_end() -> None:
    name = "a deeper tree"
    text = positions.POSITIONS[name]
    assert recordings.true_values(name, text, 3) and recordings.true_values(name, text, None)
    assert recordings.true_values(name, text, 2) == {}
    assert recordings.true_values(name, text.replace("9", "8"), 9) == {}
    assert recordings.true_values("Connect Four, empty", "", 9) == {}


# --- What is shown --------------------------------------------------------------------------------


def test_every_question_of_the_quiz_has_an_answer_and_a_reason() -> None:
    quiz = json.loads((ROOT / "lab" / "quiz.json").read_text(encoding="utf-8"))
    assert len(quiz) >= 10 and len({question["right"] for question in quiz}) > 1
    for question in quiz:
        assert len(set(question["answers"])) == len(question["answers"]) > question["right"]
        assert question["why"] and question.get("about", "minimax") in {one.name for one in ROWS}


def test_the_first_task_is_question_1(
    stubs: Student, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.feedback.page.PAGE", tmp_path / "results.html")  # none yet
    assert page.next_task(stubs) == "next: question 1: write min_value in minimax.py"
    assert set(page.engines_by_state(stubs)) == {"to write"}


# --- The whole app --------------------------------------------------------------------------------


@pytest.fixture(params=["stubs", pytest.param("solved", marks=pytest.mark.slow)])
def tree(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """What a student has of it, before and after the work."""
    return students_tree(tmp_path, request.param == "solved")


# Runs each notebook, and prints what it shows.
EVERY_PAGE = """
import html, runpy
for name in ("watch", "play", "measure", "quiz"):
    outputs, _ = runpy.run_path(f"lab/notebooks/{name}.py")["app"].run()
    text = html.unescape(html.unescape("".join(getattr(o, "text", "") for o in outputs)))
    print(name + ": " + " ".join(text.split()))
"""


@pytest.mark.slow
@pytest.mark.skipif(find_spec("marimo") is None, reason='no marimo here: pip install ".[lab]"')
def test_every_notebook_runs_headless(tree: Path) -> None:
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
    assert all("next: fix 2.3" in shown[name] for name in ("watch", "play", "measure"))
    assert ("written:" in shown["watch"]) != ("a recorded search" in shown["watch"])
    assert "the position (to change it, type)" in shown["watch"]
    assert "Your move: you are X" in shown["play"]
    assert "How many positions" in shown["measure"]
    assert "A MIN node has three leaves" in shown["quiz"]


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
