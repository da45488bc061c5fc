def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


import random


def one_game(game, state, player):
    while not game.is_terminal(state):
        if state.to_move == "chance":
            chances, moves = zip(*game.outcomes(state))
            state = game.result(state, random.choices(moves, chances)[0])
        else:
            state = game.result(state, random.choice(game.actions(state)))
    return game.utility(state, player)


def estimate(game, state, player):
    return sum(one_game(game, state, player) for _ in range(60)) / 60


def expectiminimax(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    if state.to_move == "chance":
        return estimate(game, state, player), None
    values = {m: estimate(game, game.result(state, m), player) for m in game.actions(state)}
    best = (max if state.to_move == player else min)(values, key=values.get)
    return values[best], best
