"""Question 2."""

from math import inf


KNOWN = {}


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (state, player) in KNOWN:
        return KNOWN[state, player]
    v, best = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            break
    KNOWN[state, player] = v, best
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if (state, player) in KNOWN:
        return KNOWN[state, player]
    v, best = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best = v2, move
            beta = min(beta, v)
        if v <= alpha:
            break
    KNOWN[state, player] = v, best
    return v, best
