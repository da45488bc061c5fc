def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def best_of(better, game, state, moves, player, reply):
    """The best of a tuple of moves: the first, or the best of the rest if that is better."""
    value = reply(game, game.result(state, moves[0]), player)[0]
    if len(moves) == 1:
        return value, moves[0]
    rest = best_of(better, game, state, moves[1:], player, reply)
    return rest if better(rest[0], value) else (value, moves[0])


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return best_of(lambda a, b: a > b, game, state, game.actions(state), player, min_value)


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return best_of(lambda a, b: a < b, game, state, game.actions(state), player, max_value)
