"""Question 3."""



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


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move
    if not game.is_terminal(state) and cutoff(game, state, 0):
        return h(state, player), None

    def search(state, depth):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if depth == 2:
            return h(state, player), None
        moves = game.actions(state)
        values = [search(game.result(state, move), depth + 1)[0] for move in moves]
        v = max(values) if state.to_move == player else min(values)
        return v, moves[values.index(v)]

    return search(state, 0)
