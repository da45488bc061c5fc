from starter.games import other


def worth(game, state, player):
    return (game.utility(state, player) - game.utility(state, other(player))) / 2


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return worth(game, state, player), None
    pairs = [(min_value(game, game.result(state, m), player)[0], m) for m in game.actions(state)]
    best = max(value for value, _ in pairs)
    return next(pair for pair in pairs if pair[0] == best)


def min_value(game, state, player):
    if game.is_terminal(state):
        return worth(game, state, player), None
    pairs = [(max_value(game, game.result(state, m), player)[0], m) for m in game.actions(state)]
    best = min(value for value, _ in pairs)
    return next(pair for pair in pairs if pair[0] == best)
