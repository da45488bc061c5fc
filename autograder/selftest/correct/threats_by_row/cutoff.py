from math import inf


def cutoff_depth(d):
    def cutoff(game, state, depth):
        return depth > d

    return cutoff


def nothing(state, player):
    return 0


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=nothing):
    player = state.to_move

    def search(state, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        mine = state.to_move == player
        v, best = (-inf if mine else inf), None
        for move in game.actions(state):
            value, _ = search(game.result(state, move), alpha, beta, depth + 1)
            if (value > v) if mine else (value < v):
                v, best = value, move
            if mine:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
            if (v >= beta) if mine else (v <= alpha):
                break
        return v, best

    return search(state, -inf, inf, 0)


def squares(height, width):
    for row in range(height):
        for column in range(width):
            for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                line = [(row + i * down, column + i * right) for i in range(4)]
                if all(r < height and 0 <= c < width for r, c in line):
                    yield line


TABLE = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 8, 11, 13, 11, 8, 5),
    (5, 8, 11, 13, 11, 8, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)
LINES = [
    [(row + i * down, column + i * right) for i in range(4)]
    for row in range(6)
    for column in range(7)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    if row + 3 * down < 6 and 0 <= column + 3 * right < 7
]


def threat(rows, player, gap):
    row, column = gap
    missing = sum(rows[below][column] == "." for below in range(row + 1, 6))
    good_row = (5 - row) % 2 == (0 if player == "X" else 1)
    return (30 if good_row else 20) / (1 + missing)


def chances(rows, player):
    total = sum(TABLE[r][c] for r in range(6) for c in range(7) if rows[r][c] == player)
    for line in LINES:
        stones = [rows[row][column] for row, column in line]
        if stones.count(player) == 3 and "." in stones:
            total += threat(rows, player, line[stones.index(".")])
    return total


def connect_four_heuristic(state, player):
    opponent = "O" if player == "X" else "X"
    gain = chances(state.rows, player) - chances(state.rows, opponent)
    return gain / (200 + abs(gain))
