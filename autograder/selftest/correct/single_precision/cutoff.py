import numpy as np

F = np.float32
WORTH = np.array([0, 0.1, 0.7, 3.1, 0], dtype=F)


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: F(0)):
    me = state.to_move

    def max_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return F(game.utility(state, me)), None
        if cutoff(game, state, depth):
            return F(h(state, me)), None
        v, best = F(-np.inf), None
        for move in game.actions(state):
            v2, _ = min_value(game.result(state, move), alpha, beta, depth + 1)
            if v2 > v:
                v, best = v2, move
                alpha = max(alpha, v)
            if v >= beta:
                break
        return v, best

    def min_value(state, alpha, beta, depth):
        if game.is_terminal(state):
            return F(game.utility(state, me)), None
        if cutoff(game, state, depth):
            return F(h(state, me)), None
        v, best = F(np.inf), None
        for move in game.actions(state):
            v2, _ = max_value(game.result(state, move), alpha, beta, depth + 1)
            if v2 < v:
                v, best = v2, move
                beta = min(beta, v)
            if v <= alpha:
                break
        return v, best

    return max_value(state, F(-np.inf), F(np.inf), 0)


def windows(board, down, right):
    """The four squares of each line in one direction, as four shifted views of the board."""
    height, width = board.shape[0] - 3 * down, board.shape[1] - 3 * right
    return [board[i * down : i * down + height, i * right : i * right + width] for i in range(4)]


def connect_four_heuristic(state, player):
    board = state.board() * (1 if player == "X" else -1)
    mine, theirs = (board == 1).view(np.int8), (board == -1).view(np.int8)
    good = bad = F(0)
    for down, right, flip in ((0, 1, 1), (1, 0, 1), (1, 1, 1), (1, 1, -1)):
        my_count = sum(windows(mine[::flip], down, right))
        their_count = sum(windows(theirs[::flip], down, right))
        good += WORTH[my_count[their_count == 0]].sum(dtype=F)
        bad += WORTH[their_count[my_count == 0]].sum(dtype=F)
    return good / (F(5) + good + bad) - bad / (F(5) + good + bad)
