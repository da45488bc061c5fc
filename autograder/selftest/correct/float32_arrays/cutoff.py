from functools import cache

import numpy as np


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def judged(state, depth):
        if game.is_terminal(state):
            return np.float32(game.utility(state, player))
        if cutoff(game, state, depth):
            return np.float32(h(state, player))
        return None

    def visit(state, alpha, beta, depth):
        value = judged(state, depth)
        if value is not None:
            return value, None
        maximise = depth % 2 == 0
        found, moves = np.empty(0, dtype=np.float32), []
        for move in game.actions(state):
            value, _ = visit(game.result(state, move), alpha, beta, depth + 1)
            found = np.append(found, value)
            moves.append(move)
            if maximise:
                alpha = np.maximum(alpha, value)
            else:
                beta = np.minimum(beta, value)
            if alpha >= beta:
                break
        i = found.argmax() if maximise else found.argmin()
        return found[i], moves[i]

    return visit(state, np.float32(-np.inf), np.float32(np.inf), 0)


SWAPPED = str.maketrans("XO", "OX")


@cache
def lines_of_four(height, width):
    """The squares of each line, by their number row by row, in an array of four columns."""
    square = np.arange(height * width).reshape(height, width)
    flipped = square[:, ::-1]
    found = []
    for r in range(height):
        for c in range(width):
            for grid, rows, columns in ((square, 1, 4), (square, 4, 1)):
                if r + rows <= height and c + columns <= width:
                    found.append(grid[r : r + rows, c : c + columns].ravel())
            if r + 4 <= height and c + 4 <= width:
                found.append(square[r : r + 4, c : c + 4].diagonal())
                found.append(flipped[r : r + 4, c : c + 4].diagonal())
    return np.array(found)


def connect_four_heuristic(state, player):
    rows = state.rows if player == "X" else [row.translate(SWAPPED) for row in state.rows]
    marks = np.frombuffer("".join(rows).encode(), dtype=np.uint8)
    stones = (marks == ord("X")).astype(np.float32) - (marks == ord("O"))
    lines = stones[lines_of_four(len(rows), len(rows[0]))]
    sums, counts = lines.sum(axis=1), np.abs(lines).sum(axis=1)
    one_sided = np.where(np.abs(sums) == counts, sums, np.float32(0))
    score = np.dot(one_sided, counts ** np.float32(1.5)) * np.float32(0.3)
    return score / (np.float32(12.7) + np.abs(score))
