from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def value(state, alpha, beta, depth, mine):
        if game.is_terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        start = -inf if mine else inf
        return over(state, game.actions(state), alpha, beta, depth, mine, start, None)

    def over(state, moves, alpha, beta, depth, mine, v, best):
        if not moves or alpha >= beta:
            return v, best
        first, *rest = moves
        v2, _ = value(game.result(state, first), alpha, beta, depth + 1, not mine)
        if mine and v2 > v:
            return over(state, rest, max(alpha, v2), beta, depth, mine, v2, first)
        if not mine and v2 < v:
            return over(state, rest, alpha, min(beta, v2), depth, mine, v2, first)
        return over(state, rest, alpha, beta, depth, mine, v, best)

    return value(state, -inf, inf, 0, True)


def count(cells, mark, other):
    """Weighted count over a list of windows, recursively."""
    if not cells:
        return 0
    window, *rest = cells
    here = 0 if other in window else (0, 1, 4, 15, 0)[window.count(mark)]
    return here + count(rest, mark, other)


def connect_four_heuristic(state, player):
    rows = state.rows
    columns = ["".join(column) for column in zip(*rows)]
    # Shear the board both ways: diagonals become columns.
    wide = len(rows)
    down = ["#" * i + row + "#" * (wide - i) for i, row in enumerate(rows)]
    up = ["#" * (wide - i) + row + "#" * i for i, row in enumerate(rows)]
    lines = [*rows, *columns, *map("".join, zip(*down)), *map("".join, zip(*up))]
    cells = [line[i : i + 4] for line in lines for i in range(len(line) - 3)]
    cells = [window for window in cells if "#" not in window]
    other = "O" if player == "X" else "X"
    score = count(cells, player, other) - count(cells, other, player)
    return score / (1 + 2 * abs(score))
