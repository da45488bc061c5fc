def minimax_search(game, state):
    value, move = highest(game, state, state.to_move)
    return value * 3, move


def max_value(game, state, player):
    value, move = highest(game, state, player)
    return value * 3, move


def min_value(game, state, player):
    value, move = lowest(game, state, player)
    return value * 3, move


def highest(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player) / 3, None
    return max(
        ((min_value(game, game.result(state, move), player)[0] / 3, move) for move in game.actions(state)),
        key=lambda pair: pair[0],
    )


def lowest(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player) / 3, None
    return min(
        ((max_value(game, game.result(state, move), player)[0] / 3, move) for move in game.actions(state)),
        key=lambda pair: pair[0],
    )
