"""Make cases from board positions and their values."""

from collections.abc import Callable
from random import Random
from typing import Any

from autograder.author.cases.trees import compute_values, find_best
from autograder.checks.play.matches import draw_opening
from autograder.serving.case import Case
from autograder.serving.cases import (
    CutoffCase,
    PositionsCase,
    ValuedPosition,
    make_square_heuristic,
)
from autograder.worker.inside.protocol import make_game
from solution.cutoff import cutoff_depth, h_alphabeta_search
from starter.games import Game, State, TicTacToe

TTT: list[Any] = ["TicTacToe", 3, 3, 3]
C4: list[Any] = ["ConnectFour", 6, 7, 4]


def solve_position(game: Game, state: State) -> ValuedPosition:
    """Return a position with its value and best moves."""
    values = compute_values(game, state, state.to_move)
    return state.key, values[state], find_best(game, state, values)


def solve_all_positions(game: Game) -> list[ValuedPosition]:
    """Return all undecided positions, the fullest boards first, with values and best moves."""
    values = compute_values(game, game.initial, "X")
    layers = [[game.initial]]  # by plies
    while layers[-1]:
        after = (game.result(state, move) for state in layers[-1] for move in game.actions(state))
        layers.append(list(dict.fromkeys(one for one in after if not game.is_terminal(one))))
    sign = {"X": 1, "O": -1}
    return [
        (state.key, sign[state.to_move] * values[state], find_best(game, state, values))
        for layer in reversed(layers)
        for state in layer
    ]


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


def cut_board(spec: list[Any], state: State, depth: int, squares: list[int]) -> CutoffCase:
    """Return a search of a board to that depth, with a stone's worth on each square."""
    game, h = make_game(spec), make_square_heuristic(squares)
    values = compute_values(
        game, state, state.to_move, lambda node, at: h(node) if at > depth else None
    )
    return CutoffCase(
        game=spec,
        state=state.key,
        value=values[state],
        best=find_best(game, state, values),
        values={node.key: v for node, v in values.items() if not game.is_terminal(node)},
        depth=depth,
        squares=squares,
    )


def find_best_to_depth(
    game: Game, state: State, depth: int, h: Callable[[State, str], float] = lambda *_: 0
) -> list[int]:
    """Return the indices of the best moves of a search to that depth."""
    replies = [
        h_alphabeta_search(game, game.result(state, move), cutoff_depth(depth - 1), h)[0]
        for move in game.actions(state)
    ]
    return [i for i, reply in enumerate(replies) if reply == min(replies)]
