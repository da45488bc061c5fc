from functools import lru_cache

import numpy as np


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def values_of(game, state, player, function):
    return np.array([function(game, game.result(state, m), player)[0] for m in game.actions(state)])


@lru_cache(None)
def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    values = values_of(game, state, player, min_value)
    best = int(np.argmax(values))
    return values[best], game.actions(state)[best]


@lru_cache(None)
def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    values = values_of(game, state, player, max_value)
    return values.min(), game.actions(state)[values.argmin()]
