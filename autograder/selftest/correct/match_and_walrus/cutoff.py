from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: not depth <= d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def value(state, alpha, beta, depth):
        match game.is_terminal(state), depth % 2:
            case True, _:
                return game.utility(state, player), None
            case False, _ if cutoff(game, state, depth):
                return h(state, player), None
            case False, 0:
                v, best = -inf, None
                for move in game.actions(state):
                    child = game.result(state, move)
                    if (v2 := value(child, max(alpha, v), beta, depth + 1)[0]) > v:
                        v, best = v2, move
                    if v >= beta:
                        break
                return v, best
            case False, 1:
                v, best = inf, None
                for move in game.actions(state):
                    child = game.result(state, move)
                    if (v2 := value(child, alpha, min(beta, v), depth + 1)[0]) < v:
                        v, best = v2, move
                    if v <= alpha:
                        break
                return v, best

    return value(state, -inf, inf, 0)


def connect_four_heuristic(state, player):
    """Bitboards: shift and count, separately for twos and threes with room."""
    height, width = state.shape
    free = 0
    for r in range(height):
        free |= ((1 << width) - 1) << r * (width + 1)
    free &= ~(state.x | state.o)
    mine, theirs = (state.x, state.o) if player == "X" else (state.o, state.x)
    column = sum(1 << r * (width + 1) + width // 2 for r in range(height))

    def strength(stones):
        total = 4 * bin(stones & column).count("1")
        for step in (1, width, width + 1, width + 2):
            for i in range(4):  # which of the four squares is still empty
                line = free >> i * step
                for j in range(4):
                    if j != i:
                        line &= stones >> j * step
                total += 12 * bin(line).count("1")
            for i in range(4):
                for k in range(i + 1, 4):
                    line = (free >> i * step) & (free >> k * step)
                    for j in range(4):
                        if j not in (i, k):
                            line &= stones >> j * step
                    total += 2 * bin(line).count("1")
        return total

    difference = strength(mine) - strength(theirs)
    return difference / 1000 if abs(difference) < 999 else (0.999 if difference > 0 else -0.999)
