"""Question 2."""

from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def true_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player)
    values = [true_value(game, game.result(state, move), player) for move in game.actions(state)]
    return max(values) if state.to_move == player else min(values)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = -inf, None
    for move in game.actions(state):
        v2 = true_value(game, game.result(state, move), player)
        if v2 > v:
            v, best = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            break
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = inf, None
    for move in game.actions(state):
        v2 = true_value(game, game.result(state, move), player)
        if v2 < v:
            v, best = v2, move
            beta = min(beta, v)
        if v <= alpha:
            break
    return v, best
