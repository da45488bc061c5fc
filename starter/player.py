"""Question 6, a bonus: a player of your own for Connect Four.

It may use your other files, as it does with question 3 below, and keep what it likes between moves.
"""

from starter.cutoff import connect_four_heuristic, h_alphabeta_search
from starter.games import Game, Move, State


class Player:
    """Plays Connect Four on a board of any size, from any position on.

    Three more methods are called if you write them: `reset()` when a new game begins,
    `opponent_played(move)` when the opponent has moved, `seed(number)` before the first game: draw
    all random numbers from a generator with that seed.
    """

    def choose(self, game: Game, state: State) -> Move:
        """Return a legal move for `state.to_move`.

        It may take one second of computing, and ten seconds more in a whole game. A player that
        takes longer, makes an illegal move or raises an exception fails the test, and in a
        tournament loses the game.
        """
        # TODO: any search you like, say one that goes ever deeper (helpers are yours)
        raise NotImplementedError("write choose in player.py")
