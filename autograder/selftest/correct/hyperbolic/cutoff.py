from math import asinh, atanh, inf, sinh, tanh


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def visit(state, alpha, beta, depth):
        if game.is_terminal(state):
            return asinh(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return asinh(h(state, player)), None
        best = None
        for move in game.actions(state):
            value = visit(game.result(state, move), alpha, beta, depth + 1)[0]
            if state.to_move == player:
                if best is None or value > best[0]:
                    best = (value, move)
                if value >= beta:
                    return best
                alpha = max(alpha, value)
            else:
                if best is None or value < best[0]:
                    best = (value, move)
                if value <= alpha:
                    return best
                beta = min(beta, value)
        return best

    value, move = visit(state, -inf, inf, 0)
    return sinh(value), move


# What a line with so many stones of one side alone adds to the belief in that side.
BELIEF = [atanh(p) for p in (0.0, 0.003, 0.02, 0.11, 0.0)]


def connect_four_heuristic(state, player):
    # With a margin of three all around, as one text: a step in any direction is a number.
    height, width = state.shape
    row_length = width + 3
    board = "".join(row + "###" for row in state.rows) + "#" * 3 * row_length
    lines = [
        board[i : i + 3 * step + 1 : step]
        for step in (1, row_length, row_length + 1, row_length - 1)
        for i in range(height * row_length)
    ]
    total = 0.0
    # My lines first, so that the sum for the other player runs in another order.
    for side, sign in ((player, 1), ("XO".replace(player, ""), -1)):
        enemy = "XO".replace(side, "")
        for line in lines:
            if side in line and enemy not in line and "#" not in line:
                total += sign * BELIEF[line.count(side)]
    return tanh(total)
