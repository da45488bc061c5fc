from math import inf


class DepthLimit:
    def __init__(self, d):
        self.d = d

    def __call__(self, game, state, depth):
        return depth > self.d


def cutoff_depth(d):
    return DepthLimit(d)


class Search:
    def __init__(self, game, cutoff, h, player):
        self.game, self.cutoff, self.h, self.player = game, cutoff, h, player
        self.depth = 0

    def stopped(self, state):
        if self.game.is_terminal(state):
            return self.game.utility(state, self.player)
        if self.cutoff(self.game, state, self.depth):
            return self.h(state, self.player)
        return None

    def child(self, state, move, visit, alpha, beta):
        self.depth += 1
        value = visit(self.game.result(state, move), alpha, beta)[0]
        self.depth -= 1
        return value

    def max_value(self, state, alpha, beta):
        value = self.stopped(state)
        if value is not None:
            return value, None
        v, best = -inf, None
        for move in self.game.actions(state):
            value = self.child(state, move, self.min_value, alpha, beta)
            if value > v:
                v, best = value, move
            if v >= beta:
                return v, best
            alpha = max(alpha, v)
        return v, best

    def min_value(self, state, alpha, beta):
        value = self.stopped(state)
        if value is not None:
            return value, None
        v, best = inf, None
        for move in self.game.actions(state):
            value = self.child(state, move, self.max_value, alpha, beta)
            if value < v:
                v, best = value, move
            if v <= alpha:
                return v, best
            beta = min(beta, v)
        return v, best


def h_alphabeta_search(game, state, cutoff=DepthLimit(6), h=lambda state, player: 0):
    return Search(game, cutoff, h, state.to_move).max_value(state, -inf, inf)


class Evaluation:
    """Stones in the centre and open lines, with a table made once for each size of board."""

    tables = {}

    @classmethod
    def lines(cls, height, width):
        if (height, width) not in cls.tables:
            found = []
            for r in range(height):
                for c in range(width):
                    for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                        squares = [(r + i * dr, c + i * dc) for i in range(4)]
                        if all(0 <= y < height and 0 <= x < width for y, x in squares):
                            found.append(squares)
            cls.tables[height, width] = found
        return cls.tables[height, width]

    def __init__(self, state):
        self.rows = state.rows
        self.height, self.width = len(self.rows), len(self.rows[0])

    def points(self, player):
        enemy = "O" if player == "X" else "X"
        total = 0
        for squares in self.lines(self.height, self.width):
            marks = [self.rows[y][x] for y, x in squares]
            if enemy not in marks:
                total += (0, 1, 5, 25, 0)[marks.count(player)]
        centre = self.width // 2
        total += 3 * sum(row[centre] == player for row in self.rows)
        return total


def connect_four_heuristic(state, player):
    evaluation = Evaluation(state)
    mine = evaluation.points(player)
    theirs = evaluation.points("O" if player == "X" else "X")
    return (mine - theirs) / (mine + theirs + 50)
