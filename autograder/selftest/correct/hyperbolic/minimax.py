from math import asinh, inf, sinh


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    value, move = look(game, state, player, +1)
    return sinh(value), move


def min_value(game, state, player):
    value, move = look(game, state, player, -1)
    return sinh(value), move


def look(game, state, player, sign):
    if game.is_terminal(state):
        return asinh(game.utility(state, player)), None
    most, chosen = -inf, None
    for move in game.actions(state):
        value = sign * look(game, game.result(state, move), player, -sign)[0]
        if value > most:
            most, chosen = value, move
    return sign * most, chosen
