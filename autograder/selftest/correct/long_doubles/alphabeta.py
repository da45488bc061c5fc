import numpy as np

L = np.longdouble


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, L("-inf"), L("inf"))


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return L(game.utility(state, player)), None
    v, best = L("-inf"), None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, max(alpha, v), beta)
        v, best = (v2, move) if v2 > v else (v, best)
        if v >= beta:
            break
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return L(game.utility(state, player)), None
    v, best = L("inf"), None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, min(beta, v))
        v, best = (v2, move) if v2 < v else (v, best)
        if v <= alpha:
            break
    return v, best
