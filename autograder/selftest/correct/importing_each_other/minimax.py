from math import inf


def leaf(game, state, player):
    return game.utility(state, player), None


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return leaf(game, state, player)
    return max(((min_value(game, game.result(state, m), player)[0], m) for m in game.actions(state)), key=by_value)


def min_value(game, state, player):
    if game.is_terminal(state):
        return leaf(game, state, player)
    return min(((max_value(game, game.result(state, m), player)[0], m) for m in game.actions(state)), key=by_value)


def by_value(pair):
    return pair[0]
