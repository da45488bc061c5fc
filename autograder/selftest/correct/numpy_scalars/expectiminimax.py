import numpy as np


def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return np.float64(game.utility(state, player)), None
    values = {}
    for move in game.actions(state):
        values[move] = expectiminimax(game, game.result(state, move), player)[0]
    if state.to_move == "chance":
        weights = [float(p) for p, _ in game.outcomes(state)]
        return np.average(list(values.values()), weights=weights), None
    best = (max if state.to_move == player else min)(values, key=values.get)
    return values[best], best
