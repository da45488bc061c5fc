import math


def expectiminimax_search(game, state):
    if state.to_move == "chance":
        return chance_value(game, state, "X")
    return expectiminimax(game, state, state.to_move)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return float(game.utility(state, player)), None
    if state.to_move == "chance":
        return chance_value(game, state, player)
    if state.to_move == player:
        return max_value(game, state, player)
    return min_value(game, state, player)


def max_value(game, state, player):
    v, best = -math.inf, None
    for move in game.actions(state):
        v2 = expectiminimax(game, game.result(state, move), player)[0]
        if v2 > v:
            v, best = v2, move
    return v, best


def min_value(game, state, player):
    v, best = math.inf, None
    for move in game.actions(state):
        v2 = expectiminimax(game, game.result(state, move), player)[0]
        if v2 < v:
            v, best = v2, move
    return v, best


def chance_value(game, state, player):
    chances, moves = zip(*game.outcomes(state))
    values = [expectiminimax(game, game.result(state, move), player)[0] for move in moves]
    return math.fsum(float(p) * v for p, v in zip(chances, values)), None
