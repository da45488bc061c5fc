from functools import lru_cache
from math import inf

from starter.games import other


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move
    terminal = lru_cache(maxsize=None)(game.is_terminal)

    def look(state, alpha, beta, depth):
        if terminal(state):
            return game.utility(state, player), None
        if cutoff(game, state, depth):
            return h(state, player), None
        maximise = state.to_move == player
        best = (-inf if maximise else inf), None
        for move in game.actions(state):
            value, _ = look(game.result(state, move), alpha, beta, depth + 1)
            if maximise:
                best = max(best, (value, move), key=first)
                alpha = max(alpha, best[0])
            else:
                best = min(best, (value, move), key=first)
                beta = min(beta, best[0])
            if alpha >= beta:
                break
        return best

    return look(state, -inf, inf, 0)


def first(pair):
    return pair[0]


@lru_cache(maxsize=100_000)
def threats(rows, player):
    """Points of one side: lines of four that the other side has no stone in."""
    height, width = len(rows), len(rows[0])
    enemy = other(player)
    points = 0
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                if 0 <= r + 3 * dr < height and c + 3 * dc < width:
                    line = "".join(rows[r + i * dr][c + i * dc] for i in range(4))
                    if enemy not in line:
                        points += 3 ** line.count(player)
    return points


def connect_four_heuristic(state, player):
    mine, theirs = threats(state.rows, player), threats(state.rows, other(player))
    return (mine - theirs) / (mine + theirs + 1)
