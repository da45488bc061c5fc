from itertools import product

import numpy as np


def scalar(value):
    return np.int64(value) if value == int(value) else np.float64(value)


def cutoff_depth(d):
    return lambda game, state, depth: bool(np.int64(depth) > d)


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: np.int64(0)):
    player = state.to_move

    def max_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return scalar(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return scalar(h(state, player)), None
        v, best = -np.inf, None
        for move in game.actions(state):
            reply, _ = min_value(game.result(state, move), alpha, beta, depth + 1)
            if reply > v:
                v, best = reply, move
            if v >= beta:
                return v, best
            alpha = max(alpha, v)
        return v, best

    def min_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return scalar(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return scalar(h(state, player)), None
        v, best = np.inf, None
        for move in game.actions(state):
            reply, _ = max_value(game.result(state, move), alpha, beta, depth + 1)
            if reply < v:
                v, best = reply, move
            if v <= alpha:
                return v, best
            beta = min(beta, v)
        return v, best

    return max_value(state, -np.inf, np.inf, 0)


# Every line of four squares is one of 81 texts; what each is worth to X.
POINTS = {
    "".join(line): np.int64((0, 1, 8, 40, 0)[line.count("X")] - (0, 1, 8, 40, 0)[line.count("O")])
    for line in product("XO.", repeat=4)
    if not {"X", "O"} <= set(line)
}


def connect_four_heuristic(state, player):
    rows = list(state.rows)
    width = len(rows[0])
    # Padded and shifted, diagonals become columns.
    right = ["#" * i + row + "#" * (len(rows) - i) for i, row in enumerate(rows)]
    left = ["#" * (len(rows) - i) + row + "#" * i for i, row in enumerate(rows)]
    texts = rows + ["".join(column) for grid in (rows, right, left) for column in zip(*grid)]
    points = np.int64(0)
    for text in texts:
        for i in range(len(text) - 3):
            points += POINTS.get(text[i : i + 4], 0)
    points = points if player == "X" else -points
    return points / np.float64(100 + abs(points))
