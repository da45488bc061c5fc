"""The provided heuristics: fair to both sides, never as large as a win, and of some use."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from autograder.questions import ROOT

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')

from lab import boards, engines, student
from lab.engines import Settings, Task
from lab.heuristics import (
    ForX,
    for_both,
    mobility_and_corners,
    open_lines,
    shortest_connection,
    stones_needed,
)
from starter.games import Game, Hex, Othello, State, TicTacToe
from starter.players import play_game, random_player

# Every game that has a provided heuristic, in each size that the lab offers; and odd sizes.
CASES: list[tuple[Any, ForX]] = [
    (kind.make(*sizes), kind.provided)
    for kind in boards.CATEGORIES
    if kind.provided
    for sizes in sorted(
        {tuple(kind.sizes.values()), *kind.measured.values(), *kind.counted.values()}
    )
]
CASES += [
    (TicTacToe(4, 5, 4), open_lines),
    (TicTacToe(1, 1, 1), open_lines),
    (Othello(10), mobility_and_corners),
    (Hex(1), shortest_connection),
    (Hex(2), shortest_connection),
    (Hex(5), shortest_connection),
    (Hex(9), shortest_connection),
]


def name(one: object) -> str:
    return str(getattr(one, "__name__", repr(one)))


def positions(game: Game, games: int) -> Iterator[State]:
    """The positions of random games, to their ends."""
    rng = Random(7)
    for _ in range(games):
        state = game.initial
        yield state
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(game.actions(state)))
            yield state


@pytest.mark.parametrize("game, for_x", CASES, ids=name)
def test_heuristic_is_antisymmetric(game: Any, for_x: ForX) -> None:
    h = for_both(for_x, game)
    for state in positions(game, 3):
        assert -1 < h(state, "X") < 1
        assert h(state, "X") == -h(state, "O")


def exchanged(game: Any, state: State) -> State:
    """The same position with X and O exchanged; on a board of Hex their sides, too."""
    rows = [row.translate(str.maketrans("XO", "OX")) for row in state.rows]
    if isinstance(game, Hex):
        rows = ["".join(column) for column in zip(*rows)]
    return game.state(rows, "O" if state.to_move == "X" else "X")


@pytest.mark.parametrize("game, for_x", CASES, ids=name)
def test_both_sides_are_judged_equally(game: Any, for_x: ForX) -> None:
    for state in positions(game, 2):
        assert for_x(game, exchanged(game, state)) == -for_x(game, state)


@pytest.mark.parametrize("rows, score", [
    ("... ... ...", 0),
    ("... .X. ...", 4),  # four lines with one X
    ("X.. ... ...", 3),
    ("X.. .O. ...", 2 - 3),  # a line of both counts for neither
    ("XX. ... ..O", 3 + 1 + 1 - 1 - 1),  # the row; both columns; O's row and column
])  # fmt: skip
def test_open_lines_are_counted(rows: str, score: int) -> None:
    game = TicTacToe()
    state = game.state(rows.split(), "X" if rows.count("X") <= rows.count("O") else "O")
    assert open_lines(game, state) == score / (10 + abs(score))


@pytest.mark.parametrize("rows, score", [
    ("X.... .....", 1), ("XX... O....", 3 - 1), ("XXX.. OO...", 9 - 3), ("XXXX. OOO..", 27 - 9),
])  # fmt: skip
def test_each_further_stone_counts_three_times_as_much(rows: str, score: int) -> None:
    game = TicTacToe(2, 5, 5)  # its rows are its only lines
    assert open_lines(game, game.state(rows.split(), "O")) == score / (10 + abs(score))


def test_othello_likes_corners_and_moves() -> None:
    game = Othello()
    assert mobility_and_corners(game, game.initial) == 0
    empty = "." * 8
    corner = ["X" + "." * 7, *[empty] * 2, "...OX...", "...XO...", *[empty] * 3]
    assert mobility_and_corners(game, game.state(corner, "O")) > 0.3
    first = game.result(game.initial, (2, 3))
    assert mobility_and_corners(game, game.result(first, (2, 2))) != 0


def naive_stones_needed(state: State, player: str) -> float:
    """The same by relaxing every square until nothing changes."""
    rows = state.rows if player == "X" else ["".join(column) for column in zip(*state.rows)]
    size, infinite = len(rows), float("inf")
    cost = {
        (r, c): {player: 0, ".": 1}.get(rows[r][c], infinite)
        for r in range(size)
        for c in range(size)
    }
    best = {place: cost[place] if place[0] == 0 else infinite for place in cost}
    for _ in range(size * size):
        for r, c in cost:
            around = [
                (r, c - 1),
                (r, c + 1),
                (r - 1, c),
                (r - 1, c + 1),
                (r + 1, c),
                (r + 1, c - 1),
            ]
            near = min(best.get(place, infinite) for place in around)
            best[r, c] = min(best[r, c], near + cost[r, c])
    return min(best[size - 1, c] for c in range(size))


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_the_shortest_connection(size: int) -> None:
    game = Hex(size)
    for state in positions(game, 5):
        for player in "XO":
            needed = naive_stones_needed(state, player)
            if needed == float("inf"):
                needed = size * size
            assert stones_needed(game, state, player) == needed
    start = game.initial
    assert stones_needed(game, start, "X") == stones_needed(game, start, "O") == size


# --- In the lab -----------------------------------------------------------------------------------


def test_every_game_of_the_lab_has_one_but_piles_and_the_die() -> None:
    solved = student.read(ROOT / "solution")
    games = {kind.name: kind.make(*kind.sizes.values()) for kind in boards.CATEGORIES}
    without = {name for name, game in games.items() if engines.heuristic_for(solved, game) is None}
    assert without == {"Nim", "take-away", "Pig"}


@pytest.mark.parametrize("game", [TicTacToe(4, 4, 4), Othello(6), Hex(4)], ids=repr)
@pytest.mark.parametrize("side", ["X", "O"])
def test_the_search_with_a_cutoff_beats_random_play(game: Game, side: str) -> None:
    solved = student.read(ROOT / "solution")
    name = "heuristic alpha-beta"
    result = engines.search(solved, Task(name, game, game.initial, Settings(plies=2)))
    assert result.counts["evaluations"] > 0
    score = 0.0
    for seed in range(4):
        players = dict.fromkeys("XO", random_player(seed))
        players[side] = engines.player(name, solved, Settings(plies=2))
        score += game.utility(play_game(game, players).state, side)
    assert score > 0
