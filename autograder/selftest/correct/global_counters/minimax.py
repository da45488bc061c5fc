from math import inf

calls = 0
deepest = 0
PLAYER = None


def minimax_search(game, state):
    global calls
    calls = 0
    return max_value(game, state, state.to_move)


def max_value(game, state, player, depth=0):
    global calls, deepest
    calls += 1
    deepest = max(deepest, depth)
    if game.is_terminal(state):
        return game.utility(state, player), None
    v, best_move = -inf, None
    for move in game.actions(state):
        v2, _ = min_value(game, game.result(state, move), player, depth + 1)
        if v2 > v:
            v, best_move = v2, move
    return v, best_move


def min_value(game, state, player, depth=0):
    global calls, deepest, PLAYER
    PLAYER = player
    calls += 1
    deepest = max(deepest, depth)
    if game.is_terminal(state):
        return game.utility(state, PLAYER), None
    v, best_move = inf, None
    for move in game.actions(state):
        v2, _ = max_value(game, game.result(state, move), PLAYER, depth + 1)
        if v2 < v:
            v, best_move = v2, move
    return v, best_move
