from decimal import Context

DIGITS = Context(prec=12)


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    value, move = best(game, state, player, max)
    return float(value), move


def min_value(game, state, player):
    value, move = best(game, state, player, min)
    return float(value), move


def best(game, state, player, choose):
    if game.is_terminal(state):
        return DIGITS.create_decimal(game.utility(state, player)), None
    other = min if choose is max else max
    values = {}
    for move in game.actions(state):
        values[move] = best(game, game.result(state, move), player, other)[0]
    move = choose(values, key=values.get)
    return values[move], move
