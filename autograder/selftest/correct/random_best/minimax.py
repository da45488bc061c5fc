import random


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def decide(game, state, player, reply, pick):
    if game.is_terminal(state):
        return game.utility(state, player), None
    moves = random.sample(game.actions(state), len(game.actions(state)))
    return pick(((reply(game, game.result(state, move), player)[0], move) for move in moves), key=value)


def value(pair):
    return pair[0]


def max_value(game, state, player):
    return decide(game, state, player, min_value, max)


def min_value(game, state, player):
    return decide(game, state, player, max_value, min)
