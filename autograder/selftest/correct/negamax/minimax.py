from math import inf


def negamax(game, state):
    """Value for the player to move in `state`."""
    me = state.to_move
    if game.is_terminal(state):
        return game.utility(state, me), None
    best, best_move = -inf, None
    for move in game.actions(state):
        value = -negamax(game, game.result(state, move))[0]
        if value > best:
            best, best_move = value, move
    return best, best_move


def minimax_search(game, state):
    return negamax(game, state)


def max_value(game, state, player):
    value, move = negamax(game, state)
    return (value, move) if state.to_move == player else (-value, move)


def min_value(game, state, player):
    value, move = negamax(game, state)
    return (value, move) if state.to_move == player else (-value, move)
