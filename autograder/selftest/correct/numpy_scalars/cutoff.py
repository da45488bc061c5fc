import numpy as np


def cutoff_depth(d):
    return lambda game, state, depth: np.bool_(depth > d)


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: np.int8(0)):
    player = state.to_move

    def visit(state, alpha, beta, depth):
        if game.is_terminal(state):
            return np.float64(game.utility(state, player)), None
        if cutoff(game, state, int(depth)):
            return np.float64(h(state, player)), None
        sign = 1 if depth % 2 == 0 else -1
        v, best = np.float64(-sign * np.inf), None
        for i, move in enumerate(game.actions(state)):
            v2, _ = visit(game.result(state, move), alpha, beta, depth + np.int64(1))
            if sign * v2 > sign * v:
                v, best = v2, move
            if v >= beta if sign == 1 else v <= alpha:
                break
            alpha, beta = (max(alpha, v), beta) if sign == 1 else (alpha, min(beta, v))
        return v, np.int64(best) if isinstance(best, int) else best

    return visit(state, -np.inf, np.inf, np.int64(0))


KERNELS = [np.ones((1, 4), int), np.ones((4, 1), int), np.eye(4, dtype=int), np.eye(4, dtype=int)[::-1]]
WORTH = np.array([0, 1, 6, 30, 0])


def windows(board, kernel):
    """Convolution: the sum under the kernel at each place where it fits."""
    views = np.lib.stride_tricks.sliding_window_view(board, kernel.shape)
    return (views * kernel).sum(axis=(2, 3))


def connect_four_heuristic(state, player):
    board = state.board()
    mine = (board == (1 if player == "X" else -1)).astype(int)
    theirs = (board == (-1 if player == "X" else 1)).astype(int)
    score = 0
    for kernel in KERNELS:
        my_count, their_count = windows(mine, kernel), windows(theirs, kernel)
        score += WORTH[my_count[their_count == 0]].sum() - WORTH[their_count[my_count == 0]].sum()
    return np.float32(2 / np.pi) * np.arctan(score / np.float64(50))
