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


def connect_four_heuristic(state, player):
    rows, lead, most = state.rows, 0, 0
    for line in squares(*state.shape):
        most += 4
        stones = {rows[row][column] for row, column in line} - {"."}
        if len(stones) == 1:
            count = sum(rows[row][column] != "." for row, column in line)
            lead += count if stones == {player} else -count
    return lead / most
