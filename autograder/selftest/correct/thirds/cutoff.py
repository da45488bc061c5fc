from math import inf


def cutoff_depth(d):
    def cutoff(game, state, depth):
        return depth >= d + 1

    return cutoff


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def leaf(state, depth):
        if game.is_terminal(state):
            return game.utility(state, player) / 3 * 3
        if cutoff(game, state, depth):
            return h(state, player) / 3 * 3

    def max_value(state, alpha, beta, depth):
        if (v := leaf(state, depth)) is not None:
            return v, None
        v, best = -inf, None
        for move in game.actions(state):
            if (v2 := min_value(game.result(state, move), max(alpha, v), beta, depth + 1)[0]) > v:
                v, best = v2, move
                if v >= beta:
                    break
        return v, best

    def min_value(state, alpha, beta, depth):
        if (v := leaf(state, depth)) is not None:
            return v, None
        v, best = inf, None
        for move in game.actions(state):
            if (v2 := max_value(game.result(state, move), alpha, min(beta, v), depth + 1)[0]) < v:
                v, best = v2, move
                if v <= alpha:
                    break
        return v, best

    return max_value(state, -inf, inf, 0)


LINES = {}  # by the size of the board


def lines(height, width):
    if (height, width) not in LINES:
        LINES[height, width] = [
            [(r + i * down) * width + c + i * right for i in range(4)]
            for r in range(height)
            for c in range(width)
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
            if r + 3 * down < height and 0 <= c + 3 * right < width
        ]
    return LINES[height, width]


def strength(state, player):
    """What player's chances are worth, each line its share: a tenth, two thirds, seven halves."""
    board = "".join(state.rows)
    enemy = "O" if player == "X" else "X"
    total = 0.0
    for a, b, c, d in lines(*state.shape):
        line = board[a] + board[b] + board[c] + board[d]
        if player in line and enemy not in line:
            total += (1 / 10, 2 / 3, 7 / 2, 0)[line.count(player) - 1]
    return total


def connect_four_heuristic(state, player):
    """My share of all strength less theirs. Each is divided by a sum that begins with its own."""
    mine, theirs = strength(state, player), strength(state, "O" if player == "X" else "X")
    return mine / (mine + 9.1 + theirs) - theirs / (theirs + 9.1 + mine)
