"""`python -m bench`: measure the speed of the provided games, and write it to docs/figures.md.

The same searches run on our games, and on OpenSpiel's own games by OpenSpiel's own searches. Every
figure comes from medians of several rounds. In a round, both do the task once, in turn: a slow
spell of the machine then affects both.
"""

import gc
import platform
import sys
from collections.abc import Callable, Iterator
from functools import partial
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
Search = Callable[[], float]  # returns the value found


def list_tasks() -> Iterator[tuple[str, Search, Search]]:
    """Yield each task, with our search and OpenSpiel's. Raises ImportError without OpenSpiel."""
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax

    tic_tac_toe, their_tic_tac_toe = TicTacToe(), pyspiel.load_game("tic_tac_toe")
    begin = their_tic_tac_toe.new_initial_state
    yield (
        "minimax, empty 3x3",
        lambda: minimax_search(tic_tac_toe, tic_tac_toe.initial)[0],
        # OpenSpiel's search without pruning is expectiminimax; tic-tac-toe has no chance.
        lambda: minimax.expectiminimax(begin(), 9, lambda state: 0, 0)[0],
    )
    yield (
        "alpha-beta, empty 3x3",
        lambda: alphabeta_search(tic_tac_toe, tic_tac_toe.initial)[0],
        lambda: minimax.alpha_beta_search(their_tic_tac_toe)[0],
    )

    def run_ours(game: Game, playouts: int) -> float:
        return monte_carlo_tree_search(game, game.initial, playouts, rng=Random(1))[0]

    def run_theirs(game: pyspiel.Game, playouts: int) -> float:
        rng = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        bot = mcts.MCTSBot(game, 1.4, playouts, evaluator, random_state=rng)
        best = bot.mcts_search(game.new_initial_state()).best_child()
        return float(best.total_reward / best.explore_count)

    for place, playouts, game, theirs in (
        ("empty 3x3", 1000, tic_tac_toe, their_tic_tac_toe),
        ("Connect Four", 500, ConnectFour(), pyspiel.load_game("connect_four")),
    ):
        both = partial(run_ours, game, playouts), partial(run_theirs, theirs, playouts)
        yield f"MCTS, {playouts} playouts, {place}", *both


def measure() -> Iterator[tuple[str, float]]:
    """Yield each task, and how many times longer OpenSpiel takes, as a ratio of medians."""
    for task, *searches in list_tasks():
        print(task, file=sys.stderr)
        seconds: dict[Search, list[float]] = {search: [] for search in searches}
        values = set()
        for _ in range(ROUNDS):
            for search, taken in seconds.items():
                gc.collect()
                start = perf_counter()
                values.add(float(search()))
                taken.append(perf_counter() - start)
        if "playouts" not in task and len(values) > 1:  # playouts differ
            raise SystemExit(f"{task}: no comparison, for the values differ: {values}")
        ours, theirs = map(median, seconds.values())
        yield task, theirs / ours


def main() -> None:
    rows = [("work", "OpenSpiel"), ("---", "---")]
    rows += [(task, f"{ratio:.1f}") for task, ratio in measure()]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    place = f"Python {platform.python_version()} on {platform.machine()}"
    before, _, rest = FIGURES.read_text(encoding="utf-8").partition(BEGIN)
    text = f"{before}{BEGIN}\n{table}\n\nMedians of {ROUNDS} interleaved rounds, {place}.\n\n"
    FIGURES.write_text(f"{text}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
