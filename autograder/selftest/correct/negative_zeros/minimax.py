def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def negamax(game, state, player, sign):
    """The value for who is to move; sign is 1.0 if that is the player."""
    if game.is_terminal(state):
        return sign * game.utility(state, player), None
    value, best = float("-inf"), None
    for move in game.actions(state):
        reply = -1.0 * negamax(game, game.result(state, move), player, -sign)[0]
        if reply > value:
            value, best = reply, move
    return value, best


def max_value(game, state, player):
    return negamax(game, state, player, 1.0)


def min_value(game, state, player):
    value, move = negamax(game, state, player, -1.0)
    return -1.0 * value, move
