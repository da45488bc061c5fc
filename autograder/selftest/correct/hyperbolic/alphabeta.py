from math import asinh, inf, sinh


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    value, move = bent_max(game, state, player, asinh(alpha), asinh(beta))
    return sinh(value), move


def min_value(game, state, player, alpha, beta):
    value, move = bent_min(game, state, player, asinh(alpha), asinh(beta))
    return sinh(value), move


def bent_max(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return asinh(game.utility(state, player)), None
    v, best = -inf, None
    for move in game.actions(state):
        v2, _ = bent_min(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best, alpha = v2, move, max(alpha, v2)
        if v >= beta:
            break
    return v, best


def bent_min(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return asinh(game.utility(state, player)), None
    v, best = inf, None
    for move in game.actions(state):
        v2, _ = bent_max(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best, beta = v2, move, min(beta, v2)
        if v <= alpha:
            break
    return v, best
