import numpy as np


def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = game.actions(state)
    values = np.array(
        [expectiminimax(game, game.result(state, move), player)[0] for move in moves], dtype=float
    )
    if state.to_move == "chance":
        chances = np.array([chance for chance, _ in game.outcomes(state)], dtype=float)
        return chances @ values, None
    at = values.argmax() if state.to_move == player else values.argmin()
    return values[at], moves[at]
