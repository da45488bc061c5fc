from math import inf, tanh


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    root = state.to_move

    def negamax(state, alpha, beta, depth, sign):
        """sign is 1 where the root's player is to move; the value is the mover's."""
        if game.is_terminal(state):
            return sign * game.utility(state, root), None
        if cutoff(game, state, depth):
            return sign * h(state, root), None
        best, best_move = -inf, None
        for move in game.actions(state):
            value, _ = negamax(game.result(state, move), -beta, -alpha, depth + 1, -sign)
            if -value > best:
                best, best_move = -value, move
            if best >= beta:
                break
            alpha = max(alpha, best)
        return best, best_move

    return negamax(state, -inf, inf, 0, 1)


def connect_four_heuristic(state, player):
    """tanh of weighted windows, read off the rows."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    score = 0
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if r + 3 * dr < height and 0 <= c + 3 * dc < width:
                    window = [rows[r + i * dr][c + i * dc] for i in range(4)]
                    x, o = window.count("X"), window.count("O")
                    if not o:
                        score += x * x
                    if not x:
                        score -= o * o
    return 0.99 * tanh((score if player == "X" else -score) / 40)
