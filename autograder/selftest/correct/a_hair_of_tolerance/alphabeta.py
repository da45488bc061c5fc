from math import inf, nextafter


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    enough = nextafter(beta, -inf)
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, alpha, beta)
        if v2 > v:
            v, best_move = v2, move
        if v >= enough:
            return v, best_move
        alpha = max(alpha, v)
    return v, best_move


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state, player), None
    enough = nextafter(alpha, inf)
    v, best_move = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), player, alpha, beta)
        if v2 < v:
            v, best_move = v2, move
        if v <= enough:
            return v, best_move
        beta = min(beta, v)
    return v, best_move
