LARGE = 10**9


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -LARGE, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player)
        if v2 > v:
            v, best_move = v2, move
    return v, best_move


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = +LARGE, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player)
        if v2 < v:
            v, best_move = v2, move
    return v, best_move
