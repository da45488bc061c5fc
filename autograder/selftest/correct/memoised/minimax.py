from functools import cache


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


@cache
def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    best = None
    for move in game.actions(state):
        value = min_value(game, game.result(state, move), player)[0]
        if best is None or value > best[0]:
            best = value, move
    return best


@cache
def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    best = None
    for move in game.actions(state):
        value = max_value(game, game.result(state, move), player)[0]
        if best is None or value < best[0]:
            best = value, move
    return best
