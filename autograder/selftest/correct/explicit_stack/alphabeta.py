from math import inf


class Frame:
    def __init__(self, game, state, mine, alpha, beta, move=None):
        self.state, self.mine, self.alpha, self.beta, self.move = state, mine, alpha, beta, move
        self.value = -inf if mine else inf
        self.best = None
        self.moves = iter(game.actions(state))

    def take(self, value, move):
        if self.mine and value > self.value:
            self.value, self.best = value, move
            self.alpha = max(self.alpha, value)
        elif not self.mine and value < self.value:
            self.value, self.best = value, move
            self.beta = min(self.beta, value)


def run(game, state, player, alpha, beta, mine):
    if game.is_terminal(state):
        return game.utility(state, player), None
    stack = [Frame(game, state, mine, alpha, beta)]
    while True:
        frame = stack[-1]
        move = None if frame.alpha >= frame.beta else next(frame.moves, None)
        if move is None:
            stack.pop()
            if not stack:
                return frame.value, frame.best
            stack[-1].take(frame.value, frame.move)
            continue
        child = game.result(frame.state, move)
        if game.is_terminal(child):
            frame.take(game.utility(child, player), move)
        else:
            stack.append(Frame(game, child, not frame.mine, frame.alpha, frame.beta, move))


def alphabeta_search(game, state):
    return run(game, state, state.to_move, -inf, inf, True)


def max_value(game, state, player, alpha, beta):
    return run(game, state, player, alpha, beta, True)


def min_value(game, state, player, alpha, beta):
    return run(game, state, player, alpha, beta, False)
