"""`python -m bench`: measure the speed of the provided games, and write it to docs/figures.md.

The same searches run on our games, on plain NumPy boards, and on OpenSpiel's own games and
searches. Every figure comes from medians of several rounds. In a round, every contestant does each
task once, in turn: a slow spell of the machine then affects them all.
"""

import gc
import platform
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import median
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from autograder.questions import ROOT
from solution.alphabeta import alphabeta_search
from solution.mcts import monte_carlo_tree_search
from solution.minimax import minimax_search
from starter.games import ConnectFour, Game, Move, TicTacToe

ROUNDS = 5
FIGURES = ROOT / "docs" / "figures.md"
BEGIN, END = "<!-- written by make bench -->\n", "<!-- end of make bench -->"
MINIMAX, ALPHABETA = "minimax, empty 3x3", "alpha-beta, empty 3x3"
MCTS = {"MCTS, 1000 playouts, empty 3x3": 1000, "MCTS, 500 playouts, Connect Four": 500}
Work = dict[str, Callable[[], float]]  # does each task once and returns the value found


@dataclass
class NumpyState:
    board: NDArray[np.int8]  # +1 for X, -1 for O, 0 for an empty square
    to_move: str


class NumpyGame(Game):
    """Tic-tac-toe or Connect Four on NumPy boards, written plainly."""

    def __init__(self, height: int, width: int, k: int, drop: bool) -> None:
        self.initial = NumpyState(np.zeros((height, width), np.int8), "X")
        self.drop = drop
        self.lines = [
            [(row + i * down, column + i * right) for i in range(k)]
            for row in range(height)
            for column in range(width)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if row + (k - 1) * down < height and 0 <= column + (k - 1) * right < width
        ]

    def actions(self, state: NumpyState) -> tuple[Move, ...]:
        if self.drop:
            return tuple(np.flatnonzero(state.board[0] == 0))
        return tuple(zip(*np.nonzero(state.board == 0), strict=True))

    def result(self, state: NumpyState, move: Move) -> NumpyState:
        if move not in self.actions(state):
            raise ValueError(f"{move!r} is not a legal move here")
        board = state.board.copy()
        square = (np.flatnonzero(board[:, move] == 0)[-1], move) if self.drop else move
        board[square] = 1 if state.to_move == "X" else -1
        return NumpyState(board, "O" if state.to_move == "X" else "X")

    def has_line(self, state: NumpyState, stone: int) -> bool:
        return any(all(state.board[square] == stone for square in line) for line in self.lines)

    def is_terminal(self, state: NumpyState) -> bool:
        return self.has_line(state, 1) or self.has_line(state, -1) or bool(state.board.all())

    def utility(self, state: NumpyState, player: str) -> int:
        won = self.has_line(state, 1) - self.has_line(state, -1)
        return won if player == "X" else -won


def make_work(tic_tac_toe: Game, connect_four: Game) -> Work:
    """Return the solution's searches on these games."""

    def run_mcts(game: Game, playouts: int) -> float:
        return monte_carlo_tree_search(game, game.initial, playouts, rng=Random(1))[0]

    first, second = MCTS
    return {
        MINIMAX: lambda: minimax_search(tic_tac_toe, tic_tac_toe.initial)[0],
        ALPHABETA: lambda: alphabeta_search(tic_tac_toe, tic_tac_toe.initial)[0],
        first: lambda: run_mcts(tic_tac_toe, MCTS[first]),
        second: lambda: run_mcts(connect_four, MCTS[second]),
    }


def make_openspiel_work() -> Work:
    """Return OpenSpiel's searches on its own games. Raises ImportError without it."""
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax

    tic_tac_toe, connect_four = map(pyspiel.load_game, ("tic_tac_toe", "connect_four"))

    def run_minimax() -> float:
        # OpenSpiel's search without pruning is expectiminimax; tic-tac-toe has no chance.
        value, _ = minimax.expectiminimax(tic_tac_toe.new_initial_state(), 9, lambda state: 0, 0)
        return float(value)

    def run_mcts(game: pyspiel.Game, playouts: int) -> float:
        rng = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        bot = mcts.MCTSBot(game, 1.4, playouts, evaluator, random_state=rng)
        best = bot.mcts_search(game.new_initial_state()).best_child()
        return float(best.total_reward / best.explore_count)

    first, second = MCTS
    return {
        MINIMAX: run_minimax,
        ALPHABETA: lambda: minimax.alpha_beta_search(tic_tac_toe)[0],
        first: lambda: run_mcts(tic_tac_toe, MCTS[first]),
        second: lambda: run_mcts(connect_four, MCTS[second]),
    }


def measure(works: dict[str, Work]) -> dict[str, dict[str, float]]:
    """Return the median seconds, by task and contestant."""
    seconds: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
        for task in works["ours"]:
            values = set()
            for name, work in works.items():
                gc.collect()
                start = perf_counter()
                values.add(float(work[task]()))
                seconds[task][name].append(perf_counter() - start)
            if task not in MCTS and len(values) > 1:  # playouts differ
                raise SystemExit(f"{task}: no comparison, for the values differ: {values}")
    return {
        task: {name: median(taken) for name, taken in by_name.items()}
        for task, by_name in seconds.items()
    }


def main() -> None:
    works = {
        "ours": make_work(TicTacToe(), ConnectFour()),
        "plain NumPy": make_work(NumpyGame(3, 3, 3, False), NumpyGame(6, 7, 4, True)),
        "OpenSpiel": make_openspiel_work(),
    }
    others = [name for name in works if name != "ours"]
    rows = [["work", *others], ["---"] * len(works)]
    for task, seconds in measure(works).items():
        rows.append([task, *(f"{seconds[name] / seconds['ours']:.1f}" for name in others)])
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    place = f"Python {platform.python_version()} on {platform.machine()}"
    before, _, rest = FIGURES.read_text(encoding="utf-8").partition(BEGIN)
    text = f"{before}{BEGIN}\n{table}\n\nMedians of {ROUNDS} interleaved rounds, {place}.\n\n"
    FIGURES.write_text(f"{text}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
