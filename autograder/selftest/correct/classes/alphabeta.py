from math import inf


class Window:
    """Alpha and beta, which narrow as values come in."""

    def __init__(self, alpha, beta):
        self.alpha, self.beta = alpha, beta

    def copy(self):
        return Window(self.alpha, self.beta)

    @property
    def closed(self):
        return self.alpha >= self.beta


class AlphaBeta:
    def __init__(self, game, player):
        self.game, self.player = game, player

    def search(self, state, window, maximise):
        if self.game.is_terminal(state):
            return self.game.utility(state, self.player), None
        value, best = (-inf if maximise else inf), None
        for move in self.game.actions(state):
            child = self.game.result(state, move)
            reply, _ = self.search(child, window.copy(), not maximise)
            if maximise and reply > value:
                value, best = reply, move
                window.alpha = max(window.alpha, value)
            elif not maximise and reply < value:
                value, best = reply, move
                window.beta = min(window.beta, value)
            if window.closed:
                break
        return value, best


def alphabeta_search(game, state):
    return max_value(game, state, state.to_move, -inf, inf)


def max_value(game, state, player, alpha, beta):
    return AlphaBeta(game, player).search(state, Window(alpha, beta), True)


def min_value(game, state, player, alpha, beta):
    return AlphaBeta(game, player).search(state, Window(alpha, beta), False)
