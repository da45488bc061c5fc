from math import inf

SCALE = 0.001


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def negamax(state, alpha, beta, depth, sign):
        """The value for who is to move, in thousandths."""
        if game.is_terminal(state):
            return sign * SCALE * game.utility(state, player), None
        if cutoff(game, state, depth):
            return sign * SCALE * h(state, player), None
        value, best = -inf, None
        for move in game.actions(state):
            reply = -negamax(game.result(state, move), -beta, -alpha, depth + 1, -sign)[0]
            if reply > value:
                value, best = reply, move
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value, best

    value, move = negamax(state, -inf, inf, 0, 1)
    return value / SCALE, move


def connect_four_heuristic(state, player):
    """Whole boards at once: a set of squares is an integer, shifted to its neighbours.

    Counts pairs, threes and single stones in lines of four in which the rest is free.
    """
    height, width = state.shape
    mine, theirs = (state.x, state.o) if player == "X" else (state.o, state.x)
    board = sum(((1 << width) - 1) << row * (width + 1) for row in range(height))
    free = board & ~(mine | theirs)
    points = 0.0
    for step in (1, width, width + 1, width + 2):
        for stones, sign in ((mine, SCALE), (theirs, -SCALE)):
            for pattern in range(1, 15):
                fits = board
                for i in range(4):
                    fits &= (stones if pattern >> i & 1 else free) >> i * step
                points += sign * (0, 0.7, 4.3, 17.9)[pattern.bit_count()] * fits.bit_count()
    return points / (0.02 + abs(points))
