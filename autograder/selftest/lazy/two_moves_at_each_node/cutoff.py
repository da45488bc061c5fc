"""Question 3."""

from math import inf

LINES = [
    [(r + i * down, c + i * right) for i in range(4)]
    for r in range(6)
    for c in range(7)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if r + 3 * down < 6 and 0 <= c + 3 * right < 7
]


def connect_four_heuristic(state, player):
    rows = state.rows
    other = "O" if player == "X" else "X"
    score = 0
    for line in LINES:
        stones = [rows[r][c] for r, c in line]
        mine, theirs = stones.count(player), stones.count(other)
        if mine and not theirs:
            score += (0, 1, 4, 16, 64)[mine]
        elif theirs and not mine:
            score -= (0, 1, 4, 16, 64)[theirs]
    return score / (10 + abs(score))


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def best_two(game, state, player):
    """On a board the two moves that look best to their player, elsewhere the first two."""
    moves = game.actions(state)
    if len(getattr(state, "rows", ())) == 6:
        mover = state.to_move

        def looks(move):
            child = game.result(state, move)
            if game.is_terminal(child):
                return game.utility(child, mover)
            return connect_four_heuristic(child, mover)

        moves = sorted(moves, key=looks, reverse=True)
    return moves[:2]


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def search(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        mine = state.to_move == player
        v, best_move = -inf if mine else inf, None
        for move in best_two(game, state, player):
            v2, _ = search(game.result(state, move), alpha, beta, depth + 1)
            if v2 > v if mine else v2 < v:
                v, best_move = v2, move
            if mine:
                if v >= beta:
                    break
                alpha = max(alpha, v)
            else:
                if v <= alpha:
                    break
                beta = min(beta, v)
        return v, best_move

    return search(state, -inf, inf, 0)
