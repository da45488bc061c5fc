from decimal import Context, Decimal

DIGITS = Context(prec=12)
INFINITY = Decimal("Infinity")


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -INFINITY, INFINITY)


def max_value(game, state, player, alpha, beta):
    value, move = highest(game, state, player, Decimal(alpha), Decimal(beta))
    return float(value), move


def min_value(game, state, player, alpha, beta):
    value, move = lowest(game, state, player, Decimal(alpha), Decimal(beta))
    return float(value), move


def highest(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return DIGITS.create_decimal(game.utility(state, player)), None
    v, chosen = -INFINITY, None
    for move in game.actions(state):
        reply = lowest(game, game.result(state, move), player, v.max(alpha), beta)[0]
        if reply > v:
            v, chosen = reply, move
            if v >= beta:
                break
    return v, chosen


def lowest(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return DIGITS.create_decimal(game.utility(state, player)), None
    v, chosen = INFINITY, None
    for move in game.actions(state):
        reply = highest(game, game.result(state, move), player, alpha, v.min(beta))[0]
        if reply < v:
            v, chosen = reply, move
            if v <= alpha:
                break
    return v, chosen
