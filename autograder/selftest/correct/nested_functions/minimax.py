def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def search(game, state, player):
    def best(pick, pairs):
        return pick(pairs, key=lambda pair: pair[0])

    def value(state):
        if game.is_terminal(state):
            return game.utility(state, player)
        pick = max if state.to_move == player else min
        return pick(value(game.result(state, move)) for move in game.actions(state))

    if game.is_terminal(state):
        return value(state), None
    pick = max if state.to_move == player else min
    return best(pick, [(value(game.result(state, move)), move) for move in game.actions(state)])


def max_value(game, state, player):
    return search(game, state, player)


def min_value(game, state, player):
    return search(game, state, player)
