from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    """MAX is a MIN who looks at everything in the mirror."""
    if game.is_terminal(state):
        return float(game.utility(state, player)), None
    cost, best = inf, None
    low, high = -beta, -alpha
    for move in game.actions(state):
        reply = -min_value(game, game.result(state, move), player, -high, -low)[0]
        if reply < cost:
            cost, best = reply, move
            high = min(high, cost)
        if cost <= low:
            break
    return -cost, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return -1.0 * game.utility(state, player) * -1.0, None
    cost, best = inf, None
    for move in game.actions(state):
        reply = max_value(game, game.result(state, move), player, alpha, beta)[0]
        if reply < cost:
            cost, best = reply, move
            beta = min(beta, cost)
        if cost <= alpha:
            break
    return cost, best
