import numpy as np

SMALLEST, LARGEST = np.iinfo(np.int64).min, np.iinfo(np.int64).max


def scalar(value):
    return np.int64(value) if value == int(value) else np.float64(value)


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, np.int64(SMALLEST), np.int64(LARGEST))


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return scalar(game.utility(state, player)), None
    v, best = np.int64(SMALLEST), None
    for move in game.actions(state):
        reply, _ = min_value(game, game.result(state, move), player, max(alpha, v), beta)
        if reply > v:
            v, best = reply, move
        if v >= beta:
            return v, best
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return scalar(game.utility(state, player)), None
    v, best = np.int64(LARGEST), None
    for move in game.actions(state):
        reply, _ = max_value(game, game.result(state, move), player, alpha, min(beta, v))
        if reply < v:
            v, best = reply, move
        if v <= alpha:
            return v, best
    return v, best
