import numpy as np


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def as_numpy(move):
    """Numbers become NumPy integers, alone or in a tuple; names stay as they are."""
    if isinstance(move, tuple):
        return tuple(np.int64(part) for part in move)
    return np.int64(move) if isinstance(move, int) else np.str_(move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return np.float64(game.utility(state, player)), None
    v, best = np.float64(-np.inf), None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player)
        if v2 > v:
            v, best = v2, move
    return v, as_numpy(best)


def min_value(game, state, player):
    if game.is_terminal(state):
        return np.float64(game.utility(state, player)), None
    v, best = np.float64(np.inf), None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player)
        if v2 < v:
            v, best = v2, move
    return v, as_numpy(best)
