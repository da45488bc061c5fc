import numpy as np

L = np.longdouble
INF = L("inf")


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: L(0)):
    player = state.to_move
    extremes = {True: (-INF, np.greater), False: (INF, np.less)}

    def visit(state, alpha, beta, depth):
        if game.is_terminal(state):
            return L(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return L(h(state, player)), None
        mine = state.to_move == player
        (value, better), best = extremes[mine], None
        for move in game.actions(state):
            reply, _ = visit(game.result(state, move), alpha, beta, depth + 1)
            if better(reply, value):
                value, best = reply, move
                alpha, beta = (max(alpha, value), beta) if mine else (alpha, min(beta, value))
                if alpha >= beta:
                    break
        return value, best

    return visit(state, -INF, INF, 0)


def connect_four_heuristic(state, player):
    """The board as two layers; shifted copies of a layer, multiplied, count lines of four."""
    board = state.board()
    mine = board == (1 if player == "X" else -1)
    theirs = board == (-1 if player == "X" else 1)
    height, width = board.shape
    total = L(0)
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        rows, columns = height - 3 * dr, width - 3 * abs(dc)
        if rows < 1 or columns < 1:
            continue
        left = 3 if dc < 0 else 0
        parts = [(slice(i * dr, i * dr + rows), slice(left + i * dc, left + i * dc + columns)) for i in range(4)]
        my = sum(mine[part].astype(int) for part in parts)
        their = sum(theirs[part].astype(int) for part in parts)
        total += (L("0.1") * 3 ** my[their == 0]).sum() - (L("0.1") * 3 ** their[my == 0]).sum()
    return total / np.sqrt(L("20.3") + total**2)
