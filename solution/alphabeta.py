"""Question 2: alpha-beta search.

Source: Russell and Norvig, 4th edition, figure 5.7.

Alpha-beta finds the value that minimax finds, without searching nodes that cannot change it. Two
bounds are passed down the tree:

alpha: the largest value that MAX is sure of, on the path from the root to this node ("at least")
beta:  the smallest value that MIN is sure of, on the same path ("at most")

As soon as `v >= beta` at a max node, or `v <= alpha` at a min node, its other children cannot
matter: prune them, that is, return at once. Equality is enough. Write both functions.
"""

from math import inf

from starter.games import Game, Move, State


def alphabeta_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value for the player to move, and a best move.

    At a terminal state the move is None.
    """
    player = state.to_move
    return max_value(game, state, player, -inf, inf)


def max_value(
    game: Game, state: State, player: str, alpha: float, beta: float
) -> tuple[float, Move]:
    """Return `(value, move)` of a node where MAX is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the node; MAX is to move
    player: MAX: every value is `player`'s
    alpha:  MAX is sure of this much, here or nearer to the root
    beta:   MIN is sure of this much, nearer to the root

    Moves are tried in the order of `game.actions(state)`, and none is tried once `v >= beta`.
    A value between alpha and beta is exact; a value outside them is a bound.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    ### BEGIN SOLUTION minimax's max_value, which also raises alpha, and prunes once v >= beta
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best_move = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            return v, best_move
    return v, best_move
    ### END SOLUTION


def min_value(
    game: Game, state: State, player: str, alpha: float, beta: float
) -> tuple[float, Move]:
    """Return `(value, move)` of a node where MIN is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the node; MIN, the opponent of `player`, is to move
    player: still MAX: every value is `player`'s
    alpha:  MAX is sure of this much, nearer to the root
    beta:   MIN is sure of this much, here or nearer to the root

    Moves are tried in the order of `game.actions(state)`, and none is tried once `v <= alpha`.
    A value between alpha and beta is exact; a value outside them is a bound.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    ### BEGIN SOLUTION the mirror image of max_value: lower beta, and prune once v <= alpha
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best_move = v2, move
            beta = min(beta, v)
        if v <= alpha:
            return v, best_move
    return v, best_move
    ### END SOLUTION
