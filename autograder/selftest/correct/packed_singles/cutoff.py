from array import array
from math import fsum, inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


class Frame:
    """One position on the way down, with its values in single precision."""

    def __init__(self, alpha, beta):
        self.values = array("f", [alpha, beta, -inf, inf])  # alpha, beta, and v at either side
        self.move = None

    def take(self, value, move, maximise):
        single = array("f", [value])[0]
        v = 2 if maximise else 3
        if single > self.values[2] if maximise else single < self.values[3]:
            self.values[v], self.move = single, move
        self.values[0] = max(self.values[0], self.values[2])
        self.values[1] = min(self.values[1], self.values[3])
        return self.values[0] >= self.values[1]


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def visit(state, alpha, beta, depth):
        if game.is_terminal(state):
            return array("f", [game.utility(state, player)])[0], None
        if cutoff(game, state, depth):
            return array("f", [h(state, player)])[0], None
        frame, maximise = Frame(alpha, beta), state.to_move == player
        for move in game.actions(state):
            value, _ = visit(game.result(state, move), *frame.values[:2], depth + 1)
            if frame.take(value, move, maximise):
                break
        return frame.values[2 if maximise else 3], frame.move

    return visit(state, -inf, inf, 0)


def connect_four_heuristic(state, player):
    """Weights that no float holds exactly, added up by fsum: mine in order, theirs backwards."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    mine, theirs = array("f"), array("f")
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if r + 3 * dr < height and 0 <= c + 3 * dc < width:
                    line = [rows[r + i * dr][c + i * dc] for i in range(4)]
                    free = line.count(".")
                    if line.count(player) + free == 4:
                        mine.append((0.9, 0.31, 0.07, 0.01, 0)[free])
                    elif line.count(player) == 0:
                        theirs.append((0.9, 0.31, 0.07, 0.01, 0)[free])
    score = array("f", [fsum(mine) - fsum(reversed(theirs))])[0]
    return array("f", [score / (1 + abs(score))])[0]
