import numpy as np

L = np.longdouble


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return L(game.utility(state, player)), None
    replies = [min_value(game, game.result(state, move), player)[0] for move in game.actions(state)]
    i = int(np.argmax(np.array(replies, dtype=L)))
    return replies[i], game.actions(state)[i]


def min_value(game, state, player):
    if game.is_terminal(state):
        return L(game.utility(state, player)), None
    replies = [max_value(game, game.result(state, move), player)[0] for move in game.actions(state)]
    i = int(np.argmin(np.array(replies, dtype=L)))
    return replies[i], game.actions(state)[i]
