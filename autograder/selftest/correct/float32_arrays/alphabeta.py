import numpy as np


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -np.inf, np.inf)


def max_value(game, state, player, alpha, beta):
    return search(game, state, player, np.array([alpha, beta], dtype=np.float32), 0)


def min_value(game, state, player, alpha, beta):
    return search(game, state, player, np.array([alpha, beta], dtype=np.float32), 1)


NARROW = (np.maximum, np.minimum)  # MAX raises window[0], MIN lowers window[1]


def search(game, state, player, window, side):
    if game.is_terminal(state):
        return np.float32(game.utility(state, player)), None
    values = np.array([-np.inf, np.inf], dtype=np.float32)[[side]]
    best = None
    for move in game.actions(state):
        reply, _ = search(game, game.result(state, move), player, window.copy(), 1 - side)
        better = NARROW[side](values[-1], reply)
        if better != values[-1]:
            best = move
        values = np.append(values, better)
        window[side] = NARROW[side](window[side], better)
        if window[0] >= window[1]:
            break
    return values[-1], best
