from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    return search(game, state, state.to_move, -inf, inf, 0, cutoff, h)


def search(game, state, player, alpha, beta, depth, cutoff, h):
    """Even depths are MAX's."""
    if game.is_terminal(state):
        return game.utility(state, player), None
    if cutoff(game, state, depth):
        return h(state, player), None
    maximizing = depth % 2 == 0
    value = -inf if maximizing else inf
    best = None
    for action in game.actions(state):
        if alpha >= beta:
            break
        child = game.result(state, action)
        v, _ = search(game, child, player, alpha, beta, depth + 1, cutoff, h)
        if (v > value) if maximizing else (v < value):
            value, best = v, action
        if maximizing:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
    return value, best


# How many lines of four go through each square.
SQUARES = (
    (3, 4, 5, 7, 5, 4, 3),
    (4, 6, 8, 10, 8, 6, 4),
    (5, 8, 11, 13, 11, 8, 5),
    (5, 8, 11, 13, 11, 8, 5),
    (4, 6, 8, 10, 8, 6, 4),
    (3, 4, 5, 7, 5, 4, 3),
)


def connect_four_heuristic(state, player):
    """A table of square weights, and what stands together in a row."""
    points = {"X": 0, "O": 0, ".": 0}
    for row, weights in zip(state.rows, SQUARES):
        for mark, weight in zip(row, weights):
            points[mark] += weight
    for line in lines(state.rows):
        for mark in "XO":
            points[mark] += 20 * line.count(mark * 3 + ".") + 20 * line.count("." + mark * 3)
            points[mark] += 4 * line.count("." + mark * 2 + ".")
    mine, theirs = points[player], points["O" if player == "X" else "X"]
    return (mine - theirs) / (mine + theirs + 1)


def lines(rows):
    """All rows, columns and diagonals as strings."""
    height, width = len(rows), len(rows[0])
    yield from rows
    yield from map("".join, zip(*rows))
    for start in range(-height + 1, width):
        yield "".join(rows[r][start + r] for r in range(height) if 0 <= start + r < width)
        yield "".join(
            rows[r][start + height - 1 - r]
            for r in range(height)
            if 0 <= start + height - 1 - r < width
        )
