from starter import alphabeta
from starter.games import Game, other


class CutShort(Game):
    """A game whose states are (state, depth); it ends where the cutoff says so, with h's value."""

    def __init__(self, game, state, cutoff, h):
        self.game, self.cutoff, self.h = game, cutoff, h
        self.root_player = state.to_move
        self.initial = state, 0

    def actions(self, node):
        return self.game.actions(node[0])

    def result(self, node, move):
        return self.game.result(node[0], move), node[1] + 1

    def is_terminal(self, node):
        return self.game.is_terminal(node[0]) or self.cutoff(self.game, *node)

    def utility(self, node, player):
        if self.game.is_terminal(node[0]):
            return self.game.utility(node[0], player)
        return self.h(node[0], player)


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    short = CutShort(game, state, cutoff, h)
    return alphabeta.max_value(short, short.initial, short.root_player, -alphabeta.inf, alphabeta.inf)


def connect_four_heuristic(state, player):
    """Centre columns, and squares that would complete a four."""
    rows = state.rows
    height, width = len(rows), len(rows[0])

    def at(r, c):
        return rows[r][c] if 0 <= r < height and 0 <= c < width else "#"

    def side(mark):
        total = 0.0
        for r in range(height):
            for c in range(width):
                if at(r, c) == mark:
                    total += 3 - abs(c - width // 2)
                if at(r, c) == ".":
                    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                        ahead = behind = 0
                        while ahead < 3 and at(r + (ahead + 1) * dr, c + (ahead + 1) * dc) == mark:
                            ahead += 1
                        while behind < 3 and at(r - (behind + 1) * dr, c - (behind + 1) * dc) == mark:
                            behind += 1
                        total += (0, 0.5, 3, 20)[min(3, ahead + behind)]
        return total

    return (side(player) - side(other(player))) / 1000
