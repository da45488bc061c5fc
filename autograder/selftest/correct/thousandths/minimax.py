SCALE = 1e-3


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    value, move = search(game, state, player, True)
    return value / SCALE, move


def min_value(game, state, player):
    value, move = search(game, state, player, False)
    return value / SCALE, move


def search(game, state, player, maximise):
    if game.is_terminal(state):
        return game.utility(state, player) * SCALE, None
    found = [
        (search(game, game.result(state, move), player, not maximise)[0], i)
        for i, move in enumerate(game.actions(state))
    ]
    value, i = max(found) if maximise else min(found)
    return value, game.actions(state)[i]
