from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    return search(game, state, player, alpha, beta, True)


def min_value(game, state, player, alpha, beta):
    return search(game, state, player, alpha, beta, False)


def search(game, state, player, alpha, beta, maximizing):
    if game.is_terminal(state):
        return game.utility(state, player), None
    value = -inf if maximizing else inf
    best = None
    for action in game.actions(state):
        if alpha >= beta:
            break
        v, _ = search(game, game.result(state, action), player, alpha, beta, not maximizing)
        if maximizing:
            if v > value:
                value, best = v, action
            alpha = max(alpha, value)
        else:
            if v < value:
                value, best = v, action
            beta = min(beta, value)
    return value, best
