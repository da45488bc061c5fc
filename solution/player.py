"""Question 6, a bonus: a player of your own for Connect Four.

It may use your other files, as it uses question 3 below, and may remember things between moves.
"""

from starter.games import BoardState, Game, Move

from .cutoff import connect_four_heuristic, h_alphabeta_search

### BEGIN SOLUTION what only this player needs
POSITIONS = 5_000  # nodes per move: a count, so that it plays the same on every machine


class Exhausted(Exception):
    """The search has used up its nodes."""


class Horizon:
    """A cutoff test for a depth, which also ends the search after a number of nodes."""

    def __init__(self, depth: int, positions: int) -> None:
        self.depth, self.remaining = depth, positions

    def __call__(self, game: Game, state: BoardState, depth: int) -> bool:
        self.remaining -= 1
        if self.remaining < 0:
            raise Exhausted
        return depth > self.depth


class CentreFirst(Game):
    """The same game with the central columns first: the best moves are often there."""

    def __init__(self, game: Game) -> None:
        self.inner = game

    def actions(self, state: BoardState) -> tuple[Move, ...]:
        centre = (state.shape[1] - 1) / 2
        return tuple(sorted(self.inner.actions(state), key=lambda column: abs(column - centre)))

    def result(self, state: BoardState, move: Move) -> BoardState:
        return self.inner.result(state, move)

    def is_terminal(self, state: BoardState) -> bool:
        return self.inner.is_terminal(state)

    def utility(self, state: BoardState, player: str) -> float:
        return self.inner.utility(state, player)


### END SOLUTION


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
        ### BEGIN SOLUTION any search you like, for instance iterative deepening (with helpers)
        ordered = CentreFirst(game)
        best, depth, left = ordered.actions(state)[0], 0, POSITIONS
        while True:
            depth += 1
            horizon = Horizon(depth, left)
            try:
                value, move = h_alphabeta_search(ordered, state, horizon, connect_four_heuristic)
            except Exhausted:
                return best
            if value > -1:  # else every move loses; the move found before holds out longer
                best = move
            if abs(value) == 1:
                return best
            left = horizon.remaining
        ### END SOLUTION
