import numpy as np


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return np.float32(game.utility(state, player)), None
    v, best = np.float32(-np.inf), None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player)
        if v2 > v:
            v, best = v2, move
    return v, best


def min_value(game, state, player):
    if game.is_terminal(state):
        return np.float32(game.utility(state, player)), None
    v, best = np.float32(np.inf), None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player)
        if v2 < v:
            v, best = v2, move
    return v, best
