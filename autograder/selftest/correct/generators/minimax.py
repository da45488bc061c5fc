import heapq
from itertools import count


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def children(game, state):
    yield from ((move, game.result(state, move)) for move in game.actions(state))


def replies(game, state, player, function):
    for move, child in children(game, state):
        value, _ = function(game, child, player)
        yield value, move


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    pairs = list(replies(game, state, player, min_value))
    return heapq.nlargest(1, pairs, key=lambda pair: pair[0])[0]


def min_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    numbered = ((value, i, move) for i, (value, move) in zip(count(), replies(game, state, player, max_value)))
    value, _, move = sorted(numbered, key=lambda entry: entry[:2])[0]
    return value, move
