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


def stone_at(rows, row, column):
    return rows[row][column] if 0 <= row < len(rows) and 0 <= column < len(rows[0]) else None


def runs(rows, player):
    total = 0
    for row, stones in enumerate(rows):
        for column, stone in enumerate(stones):
            if stone == player:
                total += 3 - abs(column - 3)
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    before = stone_at(rows, row - down, column - right)
                    if before == player:
                        continue
                    length = 1
                    while stone_at(rows, row + length * down, column + length * right) == player:
                        length += 1
                    after = stone_at(rows, row + length * down, column + length * right)
                    total += (before, after).count(".") * {1: 0, 2: 3, 3: 12}.get(length, 50)
    return total


def connect_four_heuristic(state, player):
    opponent = "O" if player == "X" else "X"
    gain = runs(state.rows, player) - runs(state.rows, opponent)
    return gain / (100 + abs(gain))
