import numpy as np


def scalar(value):
    return np.int64(value) if value == int(value) else np.float64(value)


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return scalar(game.utility(state, player)), None
    v, best = None, None
    for move in game.actions(state):
        v2 = min_value(game, game.result(state, move), player)[0]
        if v is None or v2 > v:
            v, best = v2, move
    return v, best


def min_value(game, state, player):
    if game.is_terminal(state):
        return scalar(game.utility(state, player)), None
    v, best = None, None
    for move in game.actions(state):
        v2 = max_value(game, game.result(state, move), player)[0]
        if v is None or v2 < v:
            v, best = v2, move
    return v, best
