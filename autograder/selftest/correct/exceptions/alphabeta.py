from math import inf


class CutOff(Exception):
    pass


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def check(alpha, beta):
    if alpha >= beta:
        raise CutOff


def max_value(game, state, player, alpha, beta):
    if not game.actions(state):
        return game.utility(state, player), None
    v, best = -inf, None
    try:
        for move in game.actions(state):
            v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
            if v2 > v:
                v, best = v2, move
            alpha = max(alpha, v)
            check(alpha, beta)
    except CutOff:
        pass
    return v, best


def min_value(game, state, player, alpha, beta):
    if not game.actions(state):
        return game.utility(state, player), None
    v, best = inf, None
    try:
        for move in game.actions(state):
            v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
            if v2 < v:
                v, best = v2, move
            beta = min(beta, v)
            check(alpha, beta)
    except CutOff:
        pass
    return v, best
