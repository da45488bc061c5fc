from array import array
from math import inf


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return array("f", [game.utility(state, player)])[0], None
    best, values = None, array("f", [-inf])
    for move in game.actions(state):
        value, _ = min_value(game, game.result(state, move), player, max(alpha, values[-1]), beta)
        if value > values[-1]:
            values.append(value)
            best = move
        if values[-1] >= beta:
            break
    return values[-1], best


def min_value(game, state, player, alpha, beta):
    if game.is_terminal(state):
        return array("f", [game.utility(state, player)])[0], None
    best, values = None, array("f", [inf])
    for move in game.actions(state):
        value, _ = max_value(game, game.result(state, move), player, alpha, min(beta, values[-1]))
        if value < values[-1]:
            values.append(value)
            best = move
        if values[-1] <= alpha:
            break
    return values[-1], best
