from math import inf


class Minimax:
    def __init__(self, game, player):
        self.game = game
        self.player = player

    def leaf(self, state):
        return self.game.utility(state, self.player), None

    def maximum(self, state):
        if self.game.is_terminal(state):
            return self.leaf(state)
        best = (-inf, None)
        for move in self.game.actions(state):
            value = self.minimum(self.game.result(state, move))[0]
            if value > best[0]:
                best = (value, move)
        return best

    def minimum(self, state):
        if self.game.is_terminal(state):
            return self.leaf(state)
        best = (inf, None)
        for move in self.game.actions(state):
            value = self.maximum(self.game.result(state, move))[0]
            if value < best[0]:
                best = (value, move)
        return best


def minimax_search(game, state):
    return Minimax(game, state.to_move).maximum(state)


def max_value(game, state, player):
    return Minimax(game, player).maximum(state)


def min_value(game, state, player):
    return Minimax(game, player).minimum(state)
