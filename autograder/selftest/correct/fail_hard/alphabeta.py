from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return min(max(game.utility(state, player), alpha), beta), None
    best = None
    for move in game.actions(state):
        value, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if value >= beta:
            return beta, move
        if value > alpha:
            alpha, best = value, move
    return alpha, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return min(max(game.utility(state, player), alpha), beta), None
    best = None
    for move in game.actions(state):
        value, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if value <= alpha:
            return alpha, move
        if value < beta:
            beta, best = value, move
    return beta, best
