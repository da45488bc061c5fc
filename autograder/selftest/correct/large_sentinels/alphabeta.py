import sys

LARGE = sys.maxsize


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -LARGE, LARGE)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -LARGE, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best_move = v2, move
        if v >= beta:
            return v, best_move
        if v > alpha:
            alpha = v
    return v, best_move


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = LARGE, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best_move = v2, move
        if v <= alpha:
            return v, best_move
        if v < beta:
            beta = v
    return v, best_move
