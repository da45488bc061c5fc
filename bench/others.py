"""The same work done by easyAI and OpenSpiel.

Each library uses its own games and searches. Our searches also run on OpenSpiel's games. A function
raises ImportError if its library is missing. Work that a library has no search for is left out.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np

from bench.work import (
    ALPHABETA,
    DEPTH,
    DEPTH_6,
    MCTS_CONNECT_FOUR,
    MCTS_TIC_TAC_TOE,
    MINIMAX,
    Work,
    make_more_games_work,
)
from solution.cutoff import connect_four_heuristic
from starter.games import BoardState, Game, Move, State

Rating = Callable[[Any], float]  # rates a game of the library


def rate_board(rows: Iterable[str], x: str, o: str, player: str) -> float:
    """Rate another library's board by our heuristic.

    rows: from the top
    x, o: the marks of the players
    """
    # Reversed, the text has the first square as its lowest bit. A gap is a bit without a square.
    text = "-".join(rows)[::-1]
    xs, os = (int("".join("01"[mark == stone] for mark in text), 2) for stone in (x, o))
    return connect_four_heuristic(BoardState(xs, os, player, None, (6, 7)), player)


def make_easyai_work() -> Work:
    from easyAI import Negamax
    from easyAI.games import ConnectFour, TicTacToe

    def search(game: object, depth: int, rate: Rating | None = None) -> float:
        negamax = Negamax(depth, rate)
        negamax(game)
        return float(negamax.alpha)

    def rate(game: ConnectFour) -> float:
        if game.lose():
            return -1
        rows = ("".join(map(str, row)) for row in game.board[::-1])
        return rate_board(rows, "1", "2", "XO"[game.current_player - 1])

    return {
        ALPHABETA: lambda: search(TicTacToe([None, None]), 9),
        DEPTH_6: lambda: search(ConnectFour([None, None]), DEPTH, rate),
    }


def make_openspiel_work() -> Work:
    import pyspiel
    from open_spiel.python.algorithms import mcts, minimax

    tic_tac_toe, connect_four = map(pyspiel.load_game, ("tic_tac_toe", "connect_four"))

    def run_minimax() -> float:
        # OpenSpiel's search without pruning is expectiminimax; tic-tac-toe has no chance.
        value, _ = minimax.expectiminimax(tic_tac_toe.new_initial_state(), 9, lambda state: 0, 0)
        return float(value)

    def search_to_depth() -> float:
        def rate(state: pyspiel.State) -> float:
            return rate_board(str(state).split(), "x", "o", "X")

        return float(minimax.alpha_beta_search(connect_four, None, rate, DEPTH)[0])

    def run_mcts(game: pyspiel.Game, playouts: int) -> float:
        rng = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        bot = mcts.MCTSBot(game, 1.4, playouts, evaluator, random_state=rng)
        root = bot.mcts_search(game.new_initial_state())
        best = root.best_child()
        return float(best.total_reward / best.explore_count)

    return {
        MINIMAX: run_minimax,
        ALPHABETA: lambda: minimax.alpha_beta_search(tic_tac_toe)[0],
        DEPTH_6: search_to_depth,
        MCTS_TIC_TAC_TOE: lambda: run_mcts(tic_tac_toe, 1000),
        MCTS_CONNECT_FOUR: lambda: run_mcts(connect_four, 500),
    }


class OpenSpielGame(Game):
    """A game whose states are OpenSpiel's own, in C++."""

    def __init__(self, name: str) -> None:
        import pyspiel

        # The states are not wrapped, because wrappers would slow them down.
        pyspiel.State.to_move = property(lambda state: "XO"[state.current_player()])
        self.initial = pyspiel.load_game(name).new_initial_state()

    def actions(self, state: State) -> tuple[Move, ...]:
        return state.legal_actions()  # type: ignore[no-any-return]

    def result(self, state: State, move: Move) -> State:
        return state.child(move)

    def is_terminal(self, state: State) -> bool:
        return state.is_terminal()  # type: ignore[no-any-return]

    def utility(self, state: State, player: str) -> float:
        return state.player_return("XO".index(player))  # type: ignore[no-any-return]


def make_openspiel_states_work() -> Work:
    import pyspiel  # noqa: F401

    return make_more_games_work(
        partial(OpenSpielGame, "othello"),
        partial(OpenSpielGame, "hex(num_cols=3,num_rows=3)"),
        partial(OpenSpielGame, "hex(num_cols=7,num_rows=7)"),
    )
