"""Make cases from board positions and their values."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

from autograder.author.cases.trees import best_moves
from autograder.checks.matches import opening
from autograder.serving.case import Case
from autograder.serving.cases import CutoffCase, PositionsCase, ValuedPosition, by_squares
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from starter.games import ConnectFour, Game, Move, State, TicTacToe, other

TTT: list[Any] = ["TicTacToe", 3, 3, 3]
C4: list[Any] = ["ConnectFour", 6, 7, 4]


def judged_position(game: Game, state: State) -> ValuedPosition:
    """Return a position with its value and best moves."""
    value, _ = alphabeta_search(game, state)
    return state.key, value, best_moves(game, state, value)


def all_positions(game: Game) -> list[State]:
    """Return all reachable undecided positions, the fullest boards first."""
    seen = {game.initial}
    layers = [[game.initial]]
    while layers[-1]:
        layer = []
        for state in layers[-1]:
            for move in game.actions(state):
                child = game.result(state, move)
                if child not in seen and not game.is_terminal(child):
                    seen.add(child)
                    layer.append(child)
        layers.append(layer)
    return [state for layer in reversed(layers) for state in layer]


def solved_positions(game: Game) -> list[ValuedPosition]:
    """Return `all_positions` with values for the player to move, and best moves."""
    values = board_values(game, game.initial)  # X's

    def worth(state: State, player: str) -> float:
        x_value = game.utility(state, "X") if game.is_terminal(state) else values[state.key]
        return x_value if player == "X" else -x_value

    solved: list[ValuedPosition] = []
    for state in all_positions(game):
        value = worth(state, state.to_move)
        children = (game.result(state, move) for move in game.actions(state))
        best = [i for i, child in enumerate(children) if worth(child, state.to_move) == value]
        solved.append((state.key, value, best))
    return solved


def perfect_play() -> dict[str, tuple[float, list[int]]]:
    """Return X's value and best moves of undecided tic-tac-toe positions, by rows."""
    return {
        rows: (value if rows.count("X") == rows.count("O") else -value, best)
        for rows, value, best in solved_positions(TicTacToe())
    }


def drawn_positions(rng: Random) -> list[Case]:
    """Return drawn tic-tac-toe positions in which some move loses.

    They are so many that no fixed order of squares is likely to draw them all.
    """
    by_plies: dict[int, list[str]] = {}
    for rows, value, best in solved_positions(TicTacToe()):
        if value == 0 and len(best) < rows.count("."):
            by_plies.setdefault(9 - rows.count("."), []).append(rows)
    plies = [1, *[2] * 5, *[3] * 7, *[4] * 7]
    return [Case(game=TTT, state=rng.choice(by_plies[count])) for count in plies]


class WithoutColumn0(ConnectFour):
    """Connect Four in which one side plays column 0 only where it has no other move."""

    def __init__(self, side: str, *size: int) -> None:
        super().__init__(*size)
        self.side = side

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        return tuple(filter(None, moves)) or moves if state.to_move == self.side else moves


def board_case(
    rng: Random,
    spec: list[Any],
    count: int,
    plies: tuple[int, int],
    first: bool = False,
    reply: bool = False,
) -> PositionsCase:
    """Return a case of positions after so many plies, in descending order of plies.

    first: only positions whose only best move is the first one. In Connect Four that may be column
           0, which Python takes for false.
    reply: only positions of Connect Four whose value depends on a reply in column 0
    """
    game = make_game(spec)
    positions: list[ValuedPosition] = []
    while len(positions) < count:
        number = plies[1] - len(positions) * (plies[1] - plies[0]) // max(1, count - 1)
        state = opening(game, rng, number)
        rows, value, best = judged_position(game, state)
        if first and (best != [0] or rows.split("/")[0][0] != "."):
            continue
        if reply:
            without = WithoutColumn0(other(state.to_move), *spec[1:])
            if alphabeta_search(without, state)[0] == value:
                continue
        positions.append((rows, value, best))
    return PositionsCase(game=spec, positions=positions)


def board_values(
    game: Game, root: State, depth: float = inf, h: Callable[[State], float] | None = None
) -> dict[str, float]:
    """Return values for the root's player down to `depth` + 1, where h is used."""
    values: dict[str, float] = {}
    sign = 1 if root.to_move == "X" else -1

    def visit(state: State, level: int) -> float:
        if game.is_terminal(state):
            return game.utility(state, root.to_move)
        key = state.key
        if key not in values:
            if h is not None and level > depth:
                values[key] = sign * h(state)
            else:
                best = max if level % 2 == 0 else min
                moves = game.actions(state)
                values[key] = best(visit(game.result(state, move), level + 1) for move in moves)
        return values[key]

    visit(root, 0)
    return values


def best_by_values(game: Game, root: State, values: dict[str, float]) -> list[int]:
    """Return the indices of the root's best moves, by values from `board_values`."""
    children = [game.result(root, move) for move in game.actions(root)]
    worth = [
        game.utility(child, root.to_move) if game.is_terminal(child) else values[child.key]
        for child in children
    ]
    return [i for i, value in enumerate(worth) if value == values[root.key]]


def cut_board(spec: list[Any], state: State, depth: int, squares: list[int]) -> CutoffCase:
    """Return a search of a board to that depth, with a stone's worth on each square."""
    game = make_game(spec)
    values = board_values(game, state, depth, by_squares(squares))
    return CutoffCase(
        game=spec,
        state=state.key,
        value=values[state.key],
        best=best_by_values(game, state, values),
        values=values,
        depth=depth,
        squares=squares,
    )


def has_an_order(game: Game, state: State) -> bool:
    """Would trying the centre first change the order of the moves?"""
    return 3 in game.actions(state)[1:]


def winning(game: Game, state: State) -> list[int]:
    """Return the moves that win at once for the player to move."""
    return [
        i
        for i, move in enumerate(game.actions(state))
        if game.utility(game.result(state, move), state.to_move) == 1
    ]
