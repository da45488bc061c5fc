"""The timed work: the solution's searches on our games and on NumPy boards."""

from collections.abc import Callable
from random import Random

from bench import numpy_games
from solution.alphabeta import alphabeta_search
from solution.cutoff import Heuristic, connect_four_heuristic, cutoff_depth, h_alphabeta_search
from solution.mcts import monte_carlo_tree_search
from solution.minimax import minimax_search
from starter.games import ConnectFour, Game, Hex, Othello, State, TicTacToe
from starter.games.othello import placements

MINIMAX = "minimax, empty 3x3"
ALPHABETA = "alpha-beta, empty 3x3"
DEPTH_6 = "alpha-beta to depth 6, Connect Four, heuristic"
MCTS_TIC_TAC_TOE = "MCTS, 1000 playouts, empty 3x3"
MCTS_CONNECT_FOUR = "MCTS, 500 playouts, Connect Four"
DEPTH_6_OTHELLO = "alpha-beta to depth 6, Othello, mobility"
MCTS_OTHELLO = "MCTS, 100 playouts, Othello"
ALPHABETA_HEX = "alpha-beta, empty Hex 3x3"
MCTS_HEX = "MCTS, 500 playouts, Hex 7x7"

DEPTH = 6  # the ply at which the heuristic rates positions

GameMaker = Callable[[], Game]
Work = dict[str, Callable[[], float]]  # does the work once and returns the value found


def run_mcts(game: Game, playouts: int) -> float:
    return monte_carlo_tree_search(game, game.initial, playouts, rng=Random(1))[0]


def make_solution_work(tic_tac_toe: Game, connect_four: Game, h: Heuristic) -> Work:
    cutoff = cutoff_depth(DEPTH - 1)
    return {
        MINIMAX: lambda: minimax_search(tic_tac_toe, tic_tac_toe.initial)[0],
        ALPHABETA: lambda: alphabeta_search(tic_tac_toe, tic_tac_toe.initial)[0],
        DEPTH_6: lambda: h_alphabeta_search(connect_four, connect_four.initial, cutoff, h)[0],
        MCTS_TIC_TAC_TOE: lambda: run_mcts(tic_tac_toe, 1000),
        MCTS_CONNECT_FOUR: lambda: run_mcts(connect_four, 500),
    }


def make_more_games_work(
    make_othello: GameMaker, make_hex_3: GameMaker, make_hex_7: GameMaker
) -> Work:
    """Return searches that can run on the games of any library.

    Each search makes a new game, so that it begins without caches.
    """

    def search_othello() -> float:
        game = make_othello()

        def rate_mobility(state: State, player: str) -> float:
            number = len(game.actions(state))
            return (number if state.to_move == player else -number) / 100

        return h_alphabeta_search(game, game.initial, cutoff_depth(DEPTH - 1), rate_mobility)[0]

    def search_hex() -> float:
        game = make_hex_3()
        return alphabeta_search(game, game.initial)[0]

    return {
        DEPTH_6_OTHELLO: search_othello,
        MCTS_OTHELLO: lambda: run_mcts(make_othello(), 100),
        ALPHABETA_HEX: search_hex,
        MCTS_HEX: lambda: run_mcts(make_hex_7(), 500),
    }


def make_our_work() -> Work:
    def make_othello() -> Game:
        placements.cache_clear()
        return Othello()

    return {
        **make_solution_work(TicTacToe(), ConnectFour(), connect_four_heuristic),
        **make_more_games_work(make_othello, lambda: Hex(3), lambda: Hex(7)),
    }


def make_numpy_work() -> Work:
    return make_solution_work(
        numpy_games.NumpyTicTacToe(3, 3, 3),
        numpy_games.CONNECT_FOUR,
        numpy_games.connect_four_heuristic,
    )
