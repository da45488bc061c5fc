from math import inf

import numpy as np


def cutoff_depth(d):
    def cutoff(game, state, depth):
        return depth >= d + 1

    return cutoff


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def walk(state, alpha, beta, depth, mine):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        best = None
        for move in game.actions(state):
            value, _ = walk(game.result(state, move), alpha, beta, depth + 1, not mine)
            if mine and value > alpha:
                alpha, best = value, move
            if not mine and value < beta:
                beta, best = value, move
            if alpha >= beta:
                break
        return (alpha if mine else beta), best

    return walk(state, -inf, inf, 0, True)


def connect_four_heuristic(state, player):
    """Sums over all windows of four at once, by slices of the NumPy board."""
    board = state.board().astype(int)
    if player == "O":
        board = -board
    height, width = board.shape
    score = 0
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        mine = theirs = 0
        for i in range(4):
            r = slice(i * dr, height - (3 - i) * dr)
            c = slice(i, width - 3 + i) if dc == 1 else slice(3 - i, width - i) if dc else slice(None)
            mine = mine + (board[r, c] == 1)
            theirs = theirs + (board[r, c] == -1)
        score += np.sum(mine**3 * (theirs == 0)) - np.sum(theirs**3 * (mine == 0))
    return np.tanh(score / 100.0) * 0.999
