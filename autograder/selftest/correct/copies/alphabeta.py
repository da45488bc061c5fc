"""Question 2: alpha-beta search (Russell and Norvig, 4th edition, figure 5.7).

Alpha-beta finds the value that minimax finds, without looking at positions that can't change it.
Two bounds travel down the tree:

alpha: the best value MAX is already sure of somewhere on the path to the root ("at least")
beta:  the best value MIN is already sure of somewhere on the path to the root ("at most")

As soon as `v >= beta` at a max node, or `v <= alpha` at a min node, the rest of its moves can't
matter: return at once. Equality is enough. Write both functions.
"""

from math import inf

from starter.games import Game, Move, State


def alphabeta_search(game: Game, state: State) -> tuple[float, Move]:
    """Return `(value, move)`: the value of `state` for the player to move, and a best move.

    At a terminal state the move is None.
    """
    player = state.to_move
    return max_value(game, state, player, -inf, inf)


def max_value(
    game: Game, state: State, player: str, alpha: float, beta: float
) -> tuple[float, Move]:
    """Return `(value, move)` for a `state` in which MAX is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the position to judge; it is `player`'s turn
    player: MAX, from whose side every value is seen
    alpha:  MAX already has a choice worth this much, here or nearer to the root
    beta:   MIN already has a choice worth this much, nearer to the root

    Moves are tried in the order of `game.actions(state)`, and none is tried once `v >= beta`.
    A value between alpha and beta is exact; a value outside is a bound, good enough for a cut-off.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    ### BEGIN SOLUTION minimax's max_value, which also raises alpha and stops once v >= beta
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
    """Return `(value, move)` for a `state` in which MIN, the opponent of `player`, is to move.

    game:   knows the rules: `actions`, `result`, `is_terminal`, `utility`
    state:  the position to judge; it is the opponent's turn
    player: still MAX, from whose side every value is seen
    alpha:  MAX already has a choice worth this much, nearer to the root
    beta:   MIN already has a choice worth this much, here or nearer to the root

    Moves are tried in the order of `game.actions(state)`, and none is tried once `v <= alpha`.
    A value between alpha and beta is exact; a value outside is a bound, good enough for a cut-off.
    At a terminal state the value is `player`'s utility and the move is None.
    """
    ### BEGIN SOLUTION the mirror image of max_value: it lowers beta and stops once v <= alpha
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


# ======= variant deepcopy

from copy import deepcopy
def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state): return game.utility(state, player), None
    v, bm = float("-inf"), None
    for m in game.actions(state):
        s = deepcopy(state)
        v2 = min_value(game, game.result(s, m), player, alpha, beta)[0]
        if v2 > v: v, bm = v2, m
        if v >= beta: break
        alpha = max(alpha, v)
    return v, bm
