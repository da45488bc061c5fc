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


def connect_four_heuristic(state, player):
    """A stone is worth the lines of four through its square, a line with stones of one side more."""
    board = state.board().astype(np.float32)
    if player == "O":
        board = -board
    flipped = board[:, ::-1]
    score = np.float32(0)
    for matrix in (board, board.T):
        for row in matrix:
            score += runs(row)
    for matrix in (board, flipped):
        for offset in range(4 - matrix.shape[0], matrix.shape[1] - 3):
            score += runs(matrix.diagonal(offset))
    return score / (np.float32(12.7) + np.abs(score))


def runs(line):
    if line.size < 4:
        return np.float32(0)
    stones = np.lib.stride_tricks.sliding_window_view(line, 4)
    one_sided = np.abs(stones.sum(axis=1)) == np.abs(stones).sum(axis=1)
    sums = stones.sum(axis=1, dtype=np.float32)
    return np.float32((np.sign(sums) * np.float32(0.3) * np.abs(sums) ** np.float32(2.5))[one_sided].sum())
