from fractions import Fraction
from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: Fraction(0)):
    player = state.to_move
    # side: the bound that a side narrows, which of two values is better, and where it begins
    sides = {1: (0, lambda a, b: a > b, -inf), -1: (1, lambda a, b: a < b, inf)}

    def visit(state, window, depth, turn):
        if game.is_terminal(state):
            return Fraction(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return Fraction(h(state, player)), None
        own, better, value = sides[turn]
        window, chosen = list(window), None
        for move in game.actions(state):
            reply, _ = visit(game.result(state, move), window, depth + 1, -turn)
            if better(reply, value):
                value, chosen = reply, move
            if not better(window[1 - own], value):
                break
            if better(value, window[own]):
                window[own] = value
        return value, chosen

    return visit(state, (-inf, inf), 0, 1)


def connect_four_heuristic(state, player):
    """The difference of two harmonic-looking sums: for each line, 1 / (stones that are missing)."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    score = Fraction(0)
    for r in range(height):
        for c in range(width):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if r + 3 * dr >= height or not 0 <= c + 3 * dc < width:
                    continue
                stones = {rows[r + i * dr][c + i * dc] for i in range(4)} - {"."}
                count = sum(rows[r + i * dr][c + i * dc] != "." for i in range(4))
                if len(stones) == 1:
                    worth = Fraction(1, (5 - count) ** 2)
                    score += worth if stones == {player} else -worth
    return score / (10 + abs(score))
