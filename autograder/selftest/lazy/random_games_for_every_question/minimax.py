"""Question 1: play random games and take the mean."""

import random


RNG = random.Random(1)


def mean(game, state, player, games=20):
    total = 0
    for _ in range(games):
        here = state
        while not game.is_terminal(here):
            here = game.result(here, RNG.choice(game.actions(here)))
        total += game.utility(here, player)
    return total / games


def minimax_search(game, state):
    player = state.to_move
    if game.is_terminal(state):
        return game.utility(state, player), None
    values = {m: mean(game, game.result(state, m), player) for m in game.actions(state)}
    best = max(values, key=values.get)
    return values[best], best


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    values = {m: mean(game, game.result(state, m), player) for m in game.actions(state)}
    best = min(values, key=values.get)
    return values[best], best
