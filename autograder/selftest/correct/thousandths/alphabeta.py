from math import inf

SCALE = 1000


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    value, move = Search(game, player).highest(state, alpha / SCALE, beta / SCALE)
    return value * SCALE, move


def min_value(game, state, player, alpha, beta):
    value, move = Search(game, player).lowest(state, alpha / SCALE, beta / SCALE)
    return value * SCALE, move


class Search:
    def __init__(self, game, player):
        self.game, self.player = game, player

    def leaf(self, state):
        return self.game.utility(state, self.player) / SCALE, None

    def highest(self, state, alpha, beta):
        if self.game.is_terminal(state):
            return self.leaf(state)
        best = -inf, None
        for move in self.game.actions(state):
            value, _ = self.lowest(self.game.result(state, move), alpha, beta)
            if value > best[0]:
                best = value, move
            if best[0] >= beta:
                break
            alpha = max(alpha, value)
        return best

    def lowest(self, state, alpha, beta):
        if self.game.is_terminal(state):
            return self.leaf(state)
        best = inf, None
        for move in self.game.actions(state):
            value, _ = self.highest(self.game.result(state, move), alpha, beta)
            if value < best[0]:
                best = value, move
            if best[0] <= alpha:
                break
            beta = min(beta, value)
        return best
