memo = {}


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def remember(function):
    def wrapped(game, state, player):
        if (game, state, player) not in memo:
            memo[game, state, player] = function(game, state, player)
        return memo[game, state, player]

    return wrapped


@remember
def max_value(game, state, player):
    if game.is_terminal(state):
        return (game.utility(state, player), None)
    values = [min_value(game, game.result(state, m), player)[0] for m in game.actions(state)]
    top = max(values)
    return (top, game.actions(state)[values.index(top)])


@remember
def min_value(game, state, player):
    if game.is_terminal(state):
        return (game.utility(state, player), None)
    values = [max_value(game, game.result(state, m), player)[0] for m in game.actions(state)]
    low = min(values)
    return (low, game.actions(state)[values.index(low)])
