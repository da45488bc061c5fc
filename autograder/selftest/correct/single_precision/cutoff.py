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


def lines(board):
    """All lines of four squares, one in each row of an array."""
    height, width = board.shape
    down, right = np.arange(4), np.arange(4)
    for r in range(height):
        for c in range(width):
            if c + 3 < width:
                yield board[r, c + right]
            if r + 3 < height:
                yield board[r + down, c]
                if c + 3 < width:
                    yield board[r + down, c + right]
                    yield board[r + 3 - down, c + right]


def connect_four_heuristic(state, player):
    sign = 1 if player == "X" else -1
    squares = np.array(list(lines(state.board() * sign)))
    mine, theirs = (squares == 1).sum(axis=1), (squares == -1).sum(axis=1)
    good = WORTH[mine[theirs == 0]].sum(dtype=F)
    bad = WORTH[theirs[mine == 0]].sum(dtype=F)
    return good / (F(5) + good + bad) - bad / (F(5) + good + bad)
