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


def strength(state, player):
    """What player's chances are worth, each line its share: a tenth, two thirds, seven halves."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    total = 0.0
    for r in range(height):
        for c in range(width):
            for squares in (
                [(r, c + i) for i in range(4)],
                [(r + i, c) for i in range(4)],
                [(r + i, c + i) for i in range(4)],
                [(r + i, c - i) for i in range(4)],
            ):
                if all(y < height and 0 <= x < width for y, x in squares):
                    stones = [rows[y][x] for y, x in squares if rows[y][x] != "."]
                    if stones and set(stones) == {player}:
                        total += (1 / 10, 2 / 3, 7 / 2)[len(stones) - 1]
    return total


def connect_four_heuristic(state, player):
    """My share of all strength less theirs. Each is divided by a sum that begins with its own."""
    mine, theirs = strength(state, player), strength(state, "O" if player == "X" else "X")
    return mine / (mine + 9.1 + theirs) - theirs / (theirs + 9.1 + mine)
