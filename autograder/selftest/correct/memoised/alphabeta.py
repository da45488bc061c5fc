"""Alpha-beta with a transposition table: bounds are kept with the values they came from."""

from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta, table=None):
    table = {} if table is None else table
    if game.is_terminal(state):
        return game.utility(state, player), None
    low, high, move = table.get(state, (-inf, inf, None))
    if low >= beta or low == high:
        return low, move
    if high <= alpha:
        return high, move
    start = alpha
    value, best = -inf, None
    for move in game.actions(state):
        reply, _ = min_value(game, game.result(state, move), player, alpha, beta, table)
        if reply > value:
            value, best = reply, move
        if value >= beta:
            break
        alpha = max(alpha, value)
    table[state] = (value if value > start else low, value if value < beta else high, best)
    return value, best


def min_value(game, state, player, alpha, beta, table=None):
    table = {} if table is None else table
    if game.is_terminal(state):
        return game.utility(state, player), None
    low, high, move = table.get(state, (-inf, inf, None))
    if high <= alpha or low == high:
        return high, move
    if low >= beta:
        return low, move
    start = beta
    value, best = inf, None
    for move in game.actions(state):
        reply, _ = max_value(game, game.result(state, move), player, alpha, beta, table)
        if reply < value:
            value, best = reply, move
        if value <= alpha:
            break
        beta = min(beta, value)
    table[state] = (value if value > alpha else low, value if value < start else high, best)
    return value, best
