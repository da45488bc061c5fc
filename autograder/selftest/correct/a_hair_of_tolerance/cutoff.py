from math import exp, inf

EPSILON = 1e-12


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def max_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, best = -inf, None
        for move in game.actions(state):
            v2, _ = min_value(game.result(state, move), alpha, beta, depth + 1)
            if best is None or v2 > v + EPSILON:
                v, best = v2, move
                alpha = max(alpha, v)
            if v >= beta - EPSILON:
                return v, best
        return v, best

    def min_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, best = inf, None
        for move in game.actions(state):
            v2, _ = max_value(game.result(state, move), alpha, beta, depth + 1)
            if best is None or v2 < v - EPSILON:
                v, best = v2, move
                beta = min(beta, v)
            if v <= alpha + EPSILON:
                return v, best
        return v, best

    return max_value(state, -inf, inf, 0)


def connect_four_heuristic(state, player):
    """A logistic curve: rounding is not the same on its two sides."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    score = 0.0
    for dr, dc in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for r in range(height):
            for c in range(width):
                if 0 <= r + 3 * dr < height and c + 3 * dc < width:
                    mine = theirs = 0
                    for i in range(4):
                        mark = rows[r + i * dr][c + i * dc]
                        mine += mark == player
                        theirs += mark not in (player, ".")
                    if not theirs:
                        score += 0.01 * mine**3
                    if not mine:
                        score -= 0.01 * theirs**3
    centre = (width - 1) / 2
    for row in rows:
        for c, mark in enumerate(row):
            if mark != ".":
                score += (0.02 if mark == player else -0.02) / (1 + abs(c - centre))
    return 2 / (1 + exp(-score)) - 1
