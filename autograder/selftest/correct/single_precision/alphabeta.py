import numpy as np

INF = np.float32("inf")


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -INF, INF)


def max_value(game, state, player, alpha, beta):
    alpha, beta = np.float32(alpha), np.float32(beta)
    if game.is_terminal(state):
        return np.float32(game.utility(state, player)), None
    v, best = -INF, None
    for move in game.actions(state):
        v2 = min_value(game, game.result(state, move), player, alpha, beta)[0]
        if v2 > v:
            v, best = v2, move
        if v >= beta:
            break
        alpha = max(alpha, v)
    return v, best


def min_value(game, state, player, alpha, beta):
    alpha, beta = np.float32(alpha), np.float32(beta)
    if game.is_terminal(state):
        return np.float32(game.utility(state, player)), None
    v, best = INF, None
    for move in game.actions(state):
        v2 = max_value(game, game.result(state, move), player, alpha, beta)[0]
        if v2 < v:
            v, best = v2, move
        if v <= alpha:
            break
        beta = min(beta, v)
    return v, best
