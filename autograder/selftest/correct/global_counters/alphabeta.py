from collections import Counter
from math import inf

counts = Counter()


def alphabeta_search(game, state):
    counts.clear()
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    counts["max"] += 1
    if game.is_terminal(state):
        counts["leaves"] += 1
        return game.utility(state, player), None
    moves = list(game.actions(state))
    i, v, best = 0, -inf, None
    while i < len(moves) and v < beta:
        v2 = min_value(game, game.result(state, moves[i]), player, max(alpha, v), beta)[0]
        if v2 > v:
            v, best = v2, moves[i]
        i += 1
    counts["cut off"] += len(moves) - i
    return v, best


def min_value(game, state, player, alpha, beta):
    counts["min"] += 1
    if game.is_terminal(state):
        counts["leaves"] += 1
        return game.utility(state, player), None
    moves = list(game.actions(state))
    i, v, best = 0, inf, None
    while i < len(moves) and v > alpha:
        v2 = max_value(game, game.result(state, moves[i]), player, alpha, min(beta, v))[0]
        if v2 < v:
            v, best = v2, moves[i]
        i += 1
    counts["cut off"] += len(moves) - i
    return v, best
