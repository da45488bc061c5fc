"""The lab's heuristic is fair to both sides and smaller than a win."""

from random import Random

import pytest

from autograder.questions import ROOT

pytest.importorskip("altair", reason='no altair here: pip install ".[lab]"')

from lab import boards, engines, student
from lab.heuristics import rate_open_lines
from starter.games import TicTacToe


@pytest.mark.parametrize("sizes", [(3, 3, 3), (4, 5, 4), (4, 4, 3), (1, 1, 1), (15, 15, 5)])
def test_heuristic_is_fair_to_both_sides(sizes):
    game, rng = TicTacToe(*sizes), Random(7)
    state = game.initial
    while not game.is_terminal(state):
        assert -1 < rate_open_lines(game, state, "X") < 1
        assert rate_open_lines(game, state, "X") == -rate_open_lines(game, state, "O")
        rows = [row.translate(str.maketrans("XO", "OX")) for row in state.rows]
        exchanged = game.state(rows, "O" if state.to_move == "X" else "X")
        assert rate_open_lines(game, exchanged, "O") == rate_open_lines(game, state, "X")
        state = game.result(state, rng.choice(game.actions(state)))


def test_heuristic_likes_the_first_stone():
    game = TicTacToe(4, 4, 3)
    first = game.result(game.initial, (1, 1))
    assert rate_open_lines(game, game.initial, "X") == 0 < rate_open_lines(game, first, "X")


def test_games_with_lines_have_a_heuristic_in_the_lab():
    solved = student.read_code(ROOT / "solution")
    games = {category.name: category.make_game() for category in boards.CATEGORIES}
    having = {name for name, game in games.items() if engines.find_heuristic(solved, game)}
    assert having == {"tic-tac-toe", "Gomoku", "Connect Four"}
