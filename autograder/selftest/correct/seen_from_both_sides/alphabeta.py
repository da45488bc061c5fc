from math import inf

from starter.games import other

UP = 1000.1


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    value, move = shifted(game, state, player, alpha + UP, beta + UP, True)
    return value - UP, move


def min_value(game, state, player, alpha, beta):
    value, move = shifted(game, state, player, alpha + UP, beta + UP, False)
    return value - UP, move


def shifted(game, state, player, alpha, beta, maximise):
    """Value and move, with everything higher by UP."""
    if game.is_terminal(state):
        mine, theirs = game.utility(state, player), game.utility(state, other(player))
        return (mine - theirs) / 2 + UP, None
    v, best = (-inf if maximise else inf), None
    for move in game.actions(state):
        reply, _ = shifted(game, game.result(state, move), player, alpha, beta, not maximise)
        if maximise and reply > v:
            v, best, alpha = reply, move, max(alpha, reply)
        if not maximise and reply < v:
            v, best, beta = reply, move, min(beta, reply)
        if alpha >= beta:
            break
    return v, best
