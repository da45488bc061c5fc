"""Watched searches: their steps in words, their trees, and the true values."""

import io
import json
import re
import xml.etree.ElementTree as ET
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from autograder.author.bank import Entry
from autograder.diagram import describe_tree
from autograder.selftest.lab.make_recordings import make_recordings
from autograder.selftest.support.banks import (
    SOLUTION_FILES,
    SOLUTION_TEXTS,
    change_solution,
    read_right_entries,
)
from autograder.worker.inside.protocol import PHASES
from lab import engines, positions, recordings, student, trees
from lab.engines import ENGINES, SearchResult, Task
from lab.student import StudentCode
from lab.trees import MAX_WHOLE
from lab.visits import SearchStep
from starter.games import FIGURE_5_2, GameTree, TicTacToe

FIGURE = "the textbook's figure 5.2"


def searched(code: StudentCode, engine: str, position: str, **settings: Any) -> tuple[Task, Any]:
    game, state = positions.read_typed_position(position, positions.POSITIONS[position])
    task = Task(engine, game, state, **settings, recorded=True)
    return task, engines.search(code, task)


def drawn_after(task: Task, result: SearchResult, count: int | None = None) -> str:
    """Return the pictures of all nodes after `count` steps, or after all."""
    rows = trees.make_rows_at_step(task, result, len(result.steps) if count is None else count)
    return "".join(row["svg"] for row in rows)


def change(folder: Path, file: str, right: str, instead: str) -> StudentCode:
    (folder / file).write_text(change_solution(file, right, instead))
    return student.read_code(folder)


def test_a_search_without_the_four_functions_is_not_taken_for_a_player(folder: Path) -> None:
    source = SOLUTION_TEXTS["mcts.py"]
    own = "\n\n_select, _expand, _simulate, _backprop = select, expand, simulate, backprop\n"
    for name in PHASES:
        source = re.sub(rf"(\n        .*[ =]){name}\(", rf"\1_{name}(", source)
    (folder / "mcts.py").write_text(source + own)
    assert not searched(student.read_code(folder), "MCTS", "two moves", playouts=6)[1].steps


def test_leaves_that_alphabeta_never_looks_at_are_drawn_faded(solved: StudentCode) -> None:
    """Another test compares the steps themselves, with recordings.json."""
    found = searched(solved, "alpha-beta", FIGURE)
    last = drawn_after(*found)
    assert last.count("node leaf faded") == 2
    assert "&lt;= 2" in last and "v = 2 &lt;= alpha = 3" in last
    assert drawn_after(*found, 0).count("node leaf faded") == 0


@pytest.mark.parametrize(
    ("name", "file", "right", "instead"),
    [
        ("alpha-beta", "alphabeta.py", "player, alpha, beta", "player, -inf, inf"),
        ("heuristic alpha-beta", "cutoff.py", "alpha, beta, depth + 1", "-inf, inf, depth + 1"),
    ],
)
def test_bounds_that_are_not_passed_down_are_named(folder, name, file, right, instead):
    _, result = searched(change(folder, file, f"{right})", f"{instead})"), name, FIGURE)
    lines = [step.words for step in result.steps]
    assert (
        "The search enters a2, MIN to move, with alpha = -inf and beta = inf, where those above "
        "are 3 and inf." in lines
    )
    assert not any("pruned" in words for words in lines)


def test_equal_positions_are_distinguished_by_their_paths(solved: StudentCode) -> None:
    task, result = searched(solved, "minimax", "tic-tac-toe, 4 squares left")
    entered = [step.path for step in result.steps if step.name == "enter"]
    nodes = list(describe_tree(task.game, task.state).root.walk())
    assert [str(path[-1]) for path in entered[1:]] == [node.name for node in nodes[1:]]
    assert len(set(entered)) == len(entered)


def test_chance_is_watched(solved: StudentCode) -> None:
    task, result = searched(solved, "expectiminimax", "a tree with chance")
    words = [step.words for step in result.steps]
    assert "The search enters risky, chance to move." in words
    assert "risky/lucky is worth 12 to MAX. At risky v becomes 3." in words
    assert "risky is worth 3.75 to MAX. At the root v stays 4." in words
    last = drawn_after(task, result)
    assert last.count("<circle") == 1 and ">3.75<" in last
    assert (result.value, result.move) == (4, "safe")
    assert result.counts["prunes"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Connect Four, empty", "tic-tac-toe, empty"])
def test_a_long_search_of_mcts_can_be_watched(solved: StudentCode, name: str) -> None:
    task, result = searched(solved, "MCTS", name, playouts=100, seed=1)
    steps = result.steps
    rows = trees.make_rows_at_step(task, result, len(steps))
    assert len(rows) <= MAX_WHOLE
    assert "The first 60 of 100 playouts" in trees.make_legend(result, 1, "X")[1]
    drawn = "".join(row["svg"] for row in rows)
    below = sum(map(int, re.findall(r"\((\d+) below\)", drawn)))
    assert len(rows) + below == len(steps[-1].nodes)


def test_wide_node_shows_the_children_beside_the_path() -> None:
    wide = GameTree({f"m{i}": {"a": i, "b": i} for i in range(40)})
    steps = [SearchStep("enter", path, "", [(path, ())]) for path in [(), ("m30",)]]
    task = Task("minimax", wide, wide.initial)
    drawn = drawn_after(task, SearchResult(0, "m0", {}, 0, steps=steps))
    assert ">m24<" in drawn and ">m35<" in drawn and ">m30 #1<" in drawn
    assert ">28 more<" in drawn


def test_a_node_left_without_a_reason_is_no_cut(folder: Path) -> None:
    code = change(folder, "alphabeta.py", "if v <= alpha:", "if v <= alpha + 1:")
    game = GameTree([[3, 12], [4, 6, 5]])
    for recorded in (False, True):
        task = Task("alpha-beta", game, game.initial, recorded=recorded)
        result = engines.search(code, task)
        assert result.counts["prunes"] == 0
    lines = [step.words for step in result.steps]
    assert any("before all its moves were tried, without a reason." in words for words in lines)
    assert not any("pruned" in words for words in lines)


def test_typed_tree_is_read() -> None:
    game, _ = positions.read_typed_tree("[[1, 2], 3]")
    assert repr(game) == repr(GameTree([[1, 2], 3]))
    for text in ("[1, 2", "print()", "{1: 2}", "[[]]"):
        with pytest.raises(ValueError, match=r"nested lists|names of moves|without children"):
            positions.read_typed_tree(text)


def test_typed_position_is_read_or_refused() -> None:
    game, state = positions.read_typed_position("tic-tac-toe, a fork", "x..\n.o.\n..x\n")
    assert state == TicTacToe().state(["X..", ".O.", "..X"])
    with pytest.raises(ValueError, match="chance moves first here"):
        positions.read_typed_position("two moves", "{'chance': [(0.5, 1), (0.5, 2)]}")
    for text in ("", "X.\n.", "XXX\nOO.\n...", "XX.\n...\n..."):
        with pytest.raises(ValueError, match=r"nothing|there must be|over|leads"):
            positions.read_typed_position("tic-tac-toe, empty", text)
    for name, text in positions.POSITIONS.items():
        game, state = positions.read_typed_position(name, text)
        assert not game.is_terminal(state)
    assert repr(positions.read_typed_position(FIGURE, positions.POSITIONS[FIGURE])[0]) == repr(
        FIGURE_5_2
    )


def test_the_recordings_are_those_of_the_solution() -> None:
    """To make them again: python -m autograder.selftest.lab.make_recordings."""
    assert json.loads(recordings.FILE.read_text(encoding="utf-8")) == make_recordings()


DEPTHS = {  # and the plies of a search
    "the textbook's figure 5.2": 9,
    "a tree with chance": 9,
    "tic-tac-toe, 4 squares left": 9,
    "Connect Four, block or lose": 3,
}


@pytest.mark.slow
@pytest.mark.parametrize("entry", read_right_entries(), ids=lambda entry: entry.name)
def test_any_search_is_watched_and_drawn(entry: Entry, tmp_path: Path) -> None:
    for name, content in {**SOLUTION_FILES, **entry.files}.items():
        (tmp_path / name).write_bytes(content)
    with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):
        code = student.read_code(tmp_path)
    for engine in ENGINES.values():
        for name in DEPTHS if engine.uses and f"{engine.file}.py" in entry.files else ():
            text = positions.POSITIONS[name]
            game, state = positions.read_typed_position(name, text)
            task = Task(engine.name, game, state, DEPTHS[name], 6, seed=1, recorded=True)
            if engines.explain_unsupported(engine.name, game):
                continue
            with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")):  # some close it
                result = engines.search(code, task)
            count = len(result.steps)
            for number in [*range(0, count, max(1, count // 7)), count]:
                assert trees.describe_last_step(result.steps[:number])
                for row in trees.make_rows_at_step(task, result, number):
                    ET.fromstring(f"<div>{row['svg']}</div>")  # tags match
