"""`python -m bench`: measure the speed of the provided games, and write it to docs/figures.md.

The same searches run on our games, and on OpenSpiel's own games by OpenSpiel's own searches. Every
figure comes from medians of several rounds. In a round, both do each task once, in turn: a slow
spell of the machine then affects both.
"""

import gc
import platform
import sys
from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter

import numpy as np

from autograder.questions import ROOT
from solution.alphabeta import alphabeta_search
from solution.mcts import monte_carlo_tree_search
from solution.minimax import minimax_search
from starter.games import ConnectFour, Game, TicTacToe

ROUNDS = 5
FIGURES = ROOT / "docs" / "figures.md"
BEGIN, END = "<!-- written by make bench -->\n", "<!-- end of make bench -->"
MINIMAX, ALPHABETA = "minimax, empty 3x3", "alpha-beta, empty 3x3"
MCTS = {"MCTS, 1000 playouts, empty 3x3": 1000, "MCTS, 500 playouts, Connect Four": 500}
Work = dict[str, Callable[[], float]]  # does each task once and returns the value found


def make_work() -> Work:
    """Return the solution's searches on the provided games."""
    tic_tac_toe, connect_four = TicTacToe(), ConnectFour()

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


def measure(ours: Work, theirs: Work) -> dict[str, float]:
    """Return how many times longer theirs takes, by task, as a ratio of medians."""
    seconds: dict[str, tuple[list[float], list[float]]] = {task: ([], []) for task in ours}
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
        for task, both in seconds.items():
            values = set()
            for work, taken in zip((ours, theirs), both):
                gc.collect()
                start = perf_counter()
                values.add(float(work[task]()))
                taken.append(perf_counter() - start)
            if task not in MCTS and len(values) > 1:  # playouts differ
                raise SystemExit(f"{task}: no comparison, for the values differ: {values}")
    return {task: median(their) / median(our) for task, (our, their) in seconds.items()}


def main() -> None:
    ratios = measure(make_work(), make_openspiel_work())
    rows = [("work", "OpenSpiel"), ("---", "---")]
    rows += [(task, f"{ratio:.1f}") for task, ratio in ratios.items()]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    place = f"Python {platform.python_version()} on {platform.machine()}"
    before, _, rest = FIGURES.read_text(encoding="utf-8").partition(BEGIN)
    text = f"{before}{BEGIN}\n{table}\n\nMedians of {ROUNDS} interleaved rounds, {place}.\n\n"
    FIGURES.write_text(f"{text}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
