"""Question 1: alpha-beta, for it gives the same values."""

from math import inf


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            break
    return v, best


def min_value(game, state, player, alpha=-inf, beta=inf):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best = v2, move
            beta = min(beta, v)
        if v <= alpha:
            break
    return v, best
