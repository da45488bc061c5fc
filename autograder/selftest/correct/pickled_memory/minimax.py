"""Question 1: minimax search (Russell and Norvig, 4th edition, figure 5.3).

Two players take turns: MAX, who wants the value to be large, and MIN, who wants it to be small.
A value is always seen from one fixed side: `player` is MAX, the player to move at the root, and
stays the same through the whole search, however deep and whoever is to move.

`max_value` is complete and is your worked example. Write `min_value`.
"""

from math import inf

from starter.games import Game, Move, State


def minimax_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value of `state` for the player to move, and a best move.

    The value is the utility that `state.to_move` reaches when both sides play perfectly from here.
    At a terminal state there is no move to make and the move is None.
    """
    player = state.to_move
    return max_value(game, state, player)


def max_value(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` for a `state` in which MAX is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the position to judge; it is `player`'s turn
    player: MAX, from whose side every value is seen

    The value is the largest that any move leads to, and the move is one that leads there.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player)
        if v2 > v:
            v, best_move = v2, move
    return v, best_move


def min_value(game: Game, state: State, player: str) -> tuple[float, Move]:
    """Return `(value, move)` for a `state` in which MIN, the opponent of `player`, is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the position to judge; it is the opponent's turn
    player: still MAX, from whose side every value is seen

    The value is the smallest that any move leads to, and the move is one that leads there.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    ### BEGIN SOLUTION the mirror image of max_value: MIN looks for the smallest value
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player)
        if v2 < v:
            v, best_move = v2, move
    return v, best_move
    ### END SOLUTION


# ======= variant pickle

import pickle
SEEN = set()
def min_value(game, state, player):
    SEEN.add(hash(pickle.dumps(state)))      # count distinct positions
    if game.is_terminal(state): return game.utility(state, player), None
    v, mv = inf, None
    for m in game.actions(state):
        x = max_value(game, game.result(state, m), player)[0]
        if x < v: v, mv = x, m
    return v, mv
