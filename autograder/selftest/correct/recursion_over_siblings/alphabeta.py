from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_over(game, state, moves, player, alpha, beta, v, best):
    if not moves or v >= beta:
        return v, best
    v2, _ = min_value(game, game.result(state, moves[0]), player, alpha, beta)
    if v2 > v:
        return max_over(game, state, moves[1:], player, max(alpha, v2), beta, v2, moves[0])
    return max_over(game, state, moves[1:], player, alpha, beta, v, best)


def min_over(game, state, moves, player, alpha, beta, v, best):
    if not moves or v <= alpha:
        return v, best
    v2, _ = max_value(game, game.result(state, moves[0]), player, alpha, beta)
    if v2 < v:
        return min_over(game, state, moves[1:], player, alpha, min(beta, v2), v2, moves[0])
    return min_over(game, state, moves[1:], player, alpha, beta, v, best)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return max_over(game, state, game.actions(state), player, alpha, beta, -inf, None)


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    return min_over(game, state, game.actions(state), player, alpha, beta, inf, None)
