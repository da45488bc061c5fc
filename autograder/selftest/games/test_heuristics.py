"""The provided heuristics are fair to both sides and smaller than a win."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from autograder.questions import ROOT

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')

from lab import boards, engines, student
from lab.boards import BOARDS, SMALL_BOARDS
from lab.heuristics import (
    RatingForX,
    make_heuristic,
    rate_connections,
    rate_mobility_and_corners,
    rate_open_lines,
)
from starter.games import Game, Hex, Othello, State, TicTacToe

# Every game that has a provided heuristic, in each size that the lab offers; and odd sizes.
CASES: list[tuple[Any, RatingForX]] = [
    (game, category.heuristic)
    for game in (
        *map(boards.Category.make_game, boards.CATEGORIES),
        *(BOARDS | SMALL_BOARDS).values(),
    )
    if (category := boards.find_category(game)) and category.heuristic
]
CASES += [
    (TicTacToe(4, 5, 4), rate_open_lines),
    (TicTacToe(1, 1, 1), rate_open_lines),
    (Othello(10), rate_mobility_and_corners),
    (Hex(1), rate_connections),
    (Hex(2), rate_connections),
    (Hex(5), rate_connections),
    (Hex(9), rate_connections),
]


def name(one: object) -> str:
    return str(getattr(one, "__name__", repr(one)))


def positions(game: Game, games: int) -> Iterator[State]:
    """Yield the positions of random games, to their ends."""
    rng = Random(7)
    for _ in range(games):
        state = game.initial
        yield state
        while not game.is_terminal(state):
            state = game.result(state, rng.choice(game.actions(state)))
            yield state


def exchanged(game: Any, state: State) -> State:
    """Return the position with X and O exchanged, and in Hex also their sides."""
    rows = [row.translate(str.maketrans("XO", "OX")) for row in state.rows]
    if isinstance(game, Hex):
        rows = ["".join(column) for column in zip(*rows)]
    return game.state(rows, "O" if state.to_move == "X" else "X")


@pytest.mark.parametrize("game, for_x", CASES, ids=name)
def test_heuristic_is_fair_to_both_sides(game, for_x):
    h = make_heuristic(for_x, game)
    for state in positions(game, 2):
        assert -1 < h(state, "X") < 1
        assert h(state, "X") == -h(state, "O")
        assert for_x(game, exchanged(game, state)) == -for_x(game, state)


def test_a_game_has_a_heuristic_in_the_lab_if_its_row_names_one():
    solved = student.read_code(ROOT / "solution")
    games = {category.name: category.make_game() for category in boards.CATEGORIES}
    having = {name for name, game in games.items() if engines.find_heuristic(solved, game)}
    named = {category.name for category in boards.CATEGORIES if category.heuristic}
    assert having == named | {"Connect Four"}
