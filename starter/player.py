"""Question 6, a bonus: a player of your own for Connect Four.

It may use your other files, as it uses question 3 below, and may remember things between moves.
"""

from starter.cutoff import connect_four_heuristic, h_alphabeta_search
from starter.games import BoardState, Game, Move


class Player:
    """Plays Connect Four on a board of any size, from any state.

    Three more methods are called if you write them: `reset()` when a new game begins,
    `opponent_played(move)` when the opponent has moved, and `seed(number)` before the first game of
    a match: draw all random numbers from this seed.
    """

    def choose(self, game: Game, state: BoardState) -> Move:
        """Return a legal move for `state.to_move`.

        A move may take one second of computing; ten seconds more are for all moves of a game
        together. A player that takes longer, makes an illegal move or raises an exception fails the
        test; in a tournament it loses the game.
        """
        # TODO: any search you like, for instance iterative deepening (with helpers)
        raise NotImplementedError("write choose in player.py")
