from math import inf

import numpy as np


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move
    infinity = inf

    def max_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, move = -infinity, None
        for a in game.actions(state):
            v2, _ = min_value(game.result(state, a), alpha, beta, depth + 1)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move

    def min_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        v, move = infinity, None
        for a in game.actions(state):
            v2, _ = max_value(game.result(state, a), alpha, beta, depth + 1)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        return v, move

    return max_value(state, -infinity, infinity, 0)


def connect_four_heuristic(state, player):
    """Sums of windows of the signed board, cubed, so that a three counts much more than a two."""
    board = state.board().astype(float) * (1 if player == "X" else -1)
    total = 0.0
    views = [board[:, c : c + 4] for c in range(board.shape[1] - 3)]
    total += sum((view.sum(axis=1) ** 3).sum() for view in views)
    views = [board[r : r + 4] for r in range(board.shape[0] - 3)]
    total += sum((view.sum(axis=0) ** 3).sum() for view in views)
    for matrix in (board, board[:, ::-1]):
        for offset in range(-matrix.shape[0] + 4, matrix.shape[1] - 3):
            diagonal = np.diagonal(matrix, offset)
            total += (np.convolve(diagonal, np.ones(4), "valid") ** 3).sum()
    weights = 3 - np.abs(np.arange(board.shape[1]) - board.shape[1] // 2)
    total += (board * weights).sum() / 2
    return float(np.clip(total / 1000, -0.99, 0.99))
