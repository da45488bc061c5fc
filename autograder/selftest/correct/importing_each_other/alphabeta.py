from starter.minimax import inf, leaf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return leaf(game, state, player)
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, max(alpha, v), beta)
        if v2 > v:
            v, best_move = v2, move
        if v >= beta:
            break
    return v, best_move


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return leaf(game, state, player)
    v, best_move = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, min(beta, v))
        if v2 < v:
            v, best_move = v2, move
        if v <= alpha:
            break
    return v, best_move
