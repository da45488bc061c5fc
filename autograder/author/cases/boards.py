"""Make cases from board positions and their values."""

from collections.abc import Callable
from math import inf
from random import Random
from typing import Any

from autograder.author.cases.trees import find_moves_with_value
from autograder.checks.play.matches import draw_opening
from autograder.serving.case import Case
from autograder.serving.cases import (
    CutoffCase,
    PositionsCase,
    ValuedPosition,
    make_square_heuristic,
)
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from starter.games import Game, State, TicTacToe

TTT: list[Any] = ["TicTacToe", 3, 3, 3]
C4: list[Any] = ["ConnectFour", 6, 7, 4]


def solve_position(game: Game, state: State) -> ValuedPosition:
    """Return a position with its value and best moves."""
    value, _ = alphabeta_search(game, state)
    return state.key, value, find_moves_with_value(game, state, value)


def find_all_positions(game: Game) -> list[State]:
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


def solve_all_positions(game: Game) -> list[ValuedPosition]:
    """Return `find_all_positions` with values for the player to move, and best moves."""
    values = compute_board_values(game, game.initial)  # X's

    def worth(state: State, player: str) -> float:
        x_value = game.utility(state, "X") if game.is_terminal(state) else values[state.key]
        return x_value if player == "X" else -x_value

    solved: list[ValuedPosition] = []
    for state in find_all_positions(game):
        value = worth(state, state.to_move)
        children = (game.result(state, move) for move in game.actions(state))
        best = [i for i, child in enumerate(children) if worth(child, state.to_move) == value]
        solved.append((state.key, value, best))
    return solved


def solve_tic_tac_toe() -> dict[str, tuple[float, list[int]]]:
    """Return X's value and best moves of undecided tic-tac-toe positions, by rows."""
    return {
        rows: (value if rows.count("X") == rows.count("O") else -value, best)
        for rows, value, best in solve_all_positions(TicTacToe())
    }


def make_drawn_position_cases(rng: Random) -> list[Case]:
    """Return drawn tic-tac-toe positions in which some move loses.

    There are too many for a fixed order of squares to draw them all by luck.
    """
    by_plies: dict[int, list[str]] = {}
    for rows, value, best in solve_all_positions(TicTacToe()):
        if value == 0 and len(best) < rows.count("."):
            by_plies.setdefault(9 - rows.count("."), []).append(rows)
    plies = [1, *[2] * 5, *[3] * 7, *[4] * 7]
    return [Case(game=TTT, state=rng.choice(by_plies[count])) for count in plies]


def draw_position_case(
    rng: Random, spec: list[Any], plies: tuple[int, int], earlier: list[Any] | None = None
) -> PositionsCase:
    """Return a case of one position, after a number of plies in that range.

    earlier: a game that is searched before, in which the position may have another value
    """
    game = make_game(spec)
    state = draw_opening(make_game(earlier or spec), rng, rng.randint(*plies))
    return PositionsCase(game=spec, earlier=earlier, positions=[solve_position(game, state)])


def draw_board_case(
    rng: Random, spec: list[Any], count: int, plies: tuple[int, int]
) -> PositionsCase:
    """Return a case of `count` positions, from the most plies to the fewest."""
    game = make_game(spec)
    numbers = (plies[1] - i * (plies[1] - plies[0]) // max(1, count - 1) for i in range(count))
    positions = [solve_position(game, draw_opening(game, rng, number)) for number in numbers]
    return PositionsCase(game=spec, positions=positions)


def compute_board_values(
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


def find_best_by_values(game: Game, root: State, values: dict[str, float]) -> list[int]:
    """Return the indices of the root's best moves, by `compute_board_values`."""
    children = [game.result(root, move) for move in game.actions(root)]
    worth = [
        game.utility(child, root.to_move) if game.is_terminal(child) else values[child.key]
        for child in children
    ]
    return [i for i, value in enumerate(worth) if value == values[root.key]]


def cut_board(spec: list[Any], state: State, depth: int, squares: list[int]) -> CutoffCase:
    """Return a search of a board to that depth, with a stone's worth on each square."""
    game = make_game(spec)
    values = compute_board_values(game, state, depth, make_square_heuristic(squares))
    return CutoffCase(
        game=spec,
        state=state.key,
        value=values[state.key],
        best=find_best_by_values(game, state, values),
        values=values,
        depth=depth,
        squares=squares,
    )


def find_winning_moves(game: Game, state: State) -> list[int]:
    """Return the moves that win at once for the player to move."""
    return [
        i
        for i, move in enumerate(game.actions(state))
        if game.utility(game.result(state, move), state.to_move) == 1
    ]
