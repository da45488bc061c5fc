from math import copysign, inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: -0.0):
    player = state.to_move

    def search(state, depth, alpha, beta, sign):
        if game.is_terminal(state):
            return copysign(1.0, sign) * game.utility(state, player), None
        if cutoff(game, state, depth):
            return copysign(1.0, sign) * h(state, player), None
        answer = (-inf, None)
        for move in game.actions(state):
            value = -1.0 * search(game.result(state, move), depth + 1, -beta, -alpha, -sign)[0]
            if value > answer[0]:
                answer = (value, move)
            if answer[0] >= beta:
                return answer
            alpha = max(alpha, value)
        return answer

    return search(state, 0, -inf, inf, 1.0)


def connect_four_heuristic(state, player):
    if player == "O":
        return -connect_four_heuristic(state, "X")
    columns = list(zip(*reversed(state.rows)))  # each from the bottom upwards
    points = 0.0
    for c, column in enumerate(columns):
        for r in range(len(column)):
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = []
                for i in range(4):
                    if c + i * dc < len(columns) and 0 <= r + i * dr < len(column):
                        line.append(columns[c + i * dc][r + i * dr])
                if len(line) == 4 and not ("X" in line and "O" in line):
                    points += line.count("X") ** 3 - line.count("O") ** 3
    return points / (abs(points) + 50.0)
