import numpy as np


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def values_below(game, state, player, search):
    moves = game.actions(state)
    values = np.empty(len(moves), dtype=np.float32)
    for i, move in enumerate(moves):
        values[i] = search(game, game.result(state, move), player)[0]
    return moves, values


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves, values = values_below(game, state, player, min_value)
    return np.maximum.reduce(values), moves[values.argmax()]


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves, values = values_below(game, state, player, max_value)
    return np.minimum.reduce(values), moves[values.argmin()]
