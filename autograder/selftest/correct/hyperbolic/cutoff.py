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
    board = {(r, c): mark for r, row in enumerate(state.rows) for c, mark in enumerate(row)}
    total = 0.0
    # My lines first, so that the sum for the other player runs in another order.
    for side in (player, "XO".replace(player, "")):
        for r, c in board:
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                marks = [board.get((r + i * dr, c + i * dc), "#") for i in range(4)]
                if set(marks) <= {side, "."}:
                    belief = BELIEF[marks.count(side)]
                    total += belief if side == player else -belief
    return tanh(total)
