"""Question 1: minimax that keeps what it has seen."""

from math import inf


def minimax_search(game, state):
    return max_value(game, state, state.to_move, {})


def max_value(game, state, player, known=None):
    known = {} if known is None else known
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state not in known:
        v, best = -inf, None
        for move in game.actions(state):
            v2, _ = min_value(game, game.result(state, move), player, known)
            if v2 > v:
                v, best = v2, move
        known[state] = v, best
    return known[state]


def min_value(game, state, player, known=None):
    known = {} if known is None else known
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state not in known:
        v, best = inf, None
        for move in game.actions(state):
            v2, _ = max_value(game, game.result(state, move), player, known)
            if v2 < v:
                v, best = v2, move
        known[state] = v, best
    return known[state]
