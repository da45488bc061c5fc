from math import inf

from starter.games import Game, other


class Mirrored(Game):
    """The same game, in which each side wants what the other side wanted."""

    def __init__(self, game):
        self.game = game
        self.initial = game.initial

    def actions(self, state):
        return self.game.actions(state)

    def result(self, state, move):
        return self.game.result(state, move)

    def is_terminal(self, state):
        return self.game.is_terminal(state)

    def utility(self, state, player):
        return -self.game.utility(state, player)


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return game.utility(state, player), None
    mirrored = game.game if isinstance(game, Mirrored) else Mirrored(game)
    v, best_move = -inf, None
    for move in game.actions(state):
        # min over the game is -max over the mirrored one
        v2 = -max_value(mirrored, game.result(state, move), player)[0]
        if v2 > v:
            v, best_move = v2, move
    return v, best_move


def min_value(game, state, player):
    value, move = max_value(Mirrored(game), state, player)
    return -value, move
