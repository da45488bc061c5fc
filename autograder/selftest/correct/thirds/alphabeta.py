from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def worth(game, state, player):
    return game.utility(state, player) / 3 * 3


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return worth(game, state, player), None
    value = -inf
    for move in game.actions(state):
        reply, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if reply > value:
            value, best = reply, move
        if value >= beta:
            return value, best
        if value > alpha:
            alpha = value
    return value, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return worth(game, state, player), None
    value = inf
    for move in game.actions(state):
        reply, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if reply < value:
            value, best = reply, move
        if value <= alpha:
            return value, best
        if value < beta:
            beta = value
    return value, best
