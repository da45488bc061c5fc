"""Rate the positions of games for which students write no heuristic.

Each function rates an undecided state for X, strictly between a loss and a win. `make_heuristic`
makes it the `h(state, player)` that a search calls.
"""

from collections.abc import Callable
from typing import Any

from starter.games import BoardState, Hex, Othello, State, TicTacToe
from starter.games.othello import placements

Heuristic = Callable[[State, str], float]
RatingForX = Callable[[Any, State], float]  # called with a game and one of its states


def make_heuristic(for_x: RatingForX, game: Any) -> Heuristic:
    """Return a heuristic for both players: the rating for O is minus that for X."""
    return lambda state, player: for_x(game, state) if player == "X" else -for_x(game, state)


def squeeze(score: float, scale: float) -> float:
    """Squeeze a score into (-1, 1): `scale` becomes one half."""
    return score / (scale + abs(score))


def rate_open_lines(game: TicTacToe, state: BoardState) -> float:
    """Rate tic-tac-toe of any size by the lines that only one side has stones on.

    One stone in a line counts 1. Each further stone triples the count.
    """
    worth = [0, *(3**stones for stones in range(game.k))]
    x, o, score = state.x, state.o, 0
    for line in game.lines:
        if line & o:
            if not line & x:
                score -= worth[(line & o).bit_count()]
        elif line & x:
            score += worth[(line & x).bit_count()]
    return squeeze(score, 10)


def rate_mobility_and_corners(game: Othello, state: BoardState) -> float:
    """Rate Othello by the numbers of moves and of corners.

    Stones can be turned over; those in a corner never are.
    """
    size = game.height
    corners = sum(
        1 << row * (size + 1) + column for row in (0, size - 1) for column in (0, size - 1)
    )

    def compute_lead(x: int, o: int) -> int:
        return x.bit_count() - o.bit_count()

    moves = compute_lead(placements(state.x, state.o, size), placements(state.o, state.x, size))
    return squeeze(moves + 8 * compute_lead(state.x & corners, state.o & corners), 16)


def rate_connections(game: Hex, state: BoardState) -> float:
    """Rate Hex by the stones that each player needs if the opponent adds none."""
    x, o = count_stones_needed(game, state, "X"), count_stones_needed(game, state, "O")
    return (o - x) / (o + x + 1)


def count_stones_needed(game: Hex, state: BoardState, player: str) -> int:
    """Return the smallest number of stones with which the player joins the two sides.

    It is the number of all squares if the opponent has joined theirs.
    """
    first, last = game.sides[player]
    mine, theirs = {"X": (state.x, state.o), "O": (state.o, state.x)}[player]
    reached, stones = game.reached(first, mine), 0
    while not reached & last:
        # Add a stone on each free square next to those reached, and all stones connected to it.
        further = (game.near(reached) | first) & game.full & ~theirs
        further = game.reached(further, further | mine)
        if further == reached:
            return game.full.bit_count()
        reached, stones = further, stones + 1
    return stones
