from functools import reduce


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    try:
        first, *rest = game.actions(state)
    except ValueError:
        return game.utility(state, player), None

    def better(best, move):
        value = min_value(game, game.result(state, move), player)[0]
        return (value, move) if value > best[0] else best

    return reduce(better, rest, (min_value(game, game.result(state, first), player)[0], first))


def min_value(game, state, player):
    try:
        first, *rest = game.actions(state)
    except ValueError:
        return game.utility(state, player), None

    def better(best, move):
        value = max_value(game, game.result(state, move), player)[0]
        return (value, move) if value < best[0] else best

    return reduce(better, rest, (max_value(game, game.result(state, first), player)[0], first))
