import re
from decimal import Decimal
from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0.0):
    player = state.to_move

    def to_decimal(number):
        return Decimal(number).quantize(Decimal("1e-12"))

    def visit(state, alpha, beta, depth):
        if game.is_terminal(state):
            return to_decimal(game.utility(state, player)), None
        if cutoff(game, state, depth):
            return to_decimal(h(state, player)), None
        v, best = None, None
        for move in game.actions(state):
            reply, _ = visit(game.result(state, move), alpha, beta, depth + 1)
            if depth % 2 == 0:
                if v is None or reply > v:
                    v, best = reply, move
                alpha = max(alpha, v)
            else:
                if v is None or reply < v:
                    v, best = reply, move
                beta = min(beta, v)
            if alpha >= beta:
                break
        return v, best

    value, move = visit(state, Decimal("-Infinity"), Decimal("Infinity"), 0)
    return float(value), move


# The next stones, as a regular expression looks for them: overlapping, hence the (?=...).
SHAPES = [
    (Decimal("2.1"), "MMM.", "MM.M", "M.MM", ".MMM"),
    (Decimal("0.3"), "MM..", "M.M.", "M..M", ".MM.", ".M.M", "..MM"),
    (Decimal("0.02"), "M...", ".M..", "..M.", "...M"),
]


def lines(rows):
    yield from rows
    yield from map("".join, zip(*rows))
    height, width = len(rows), len(rows[0])
    for start in range(-height, width):
        down = range(max(0, -start), min(height, width - start))
        yield "".join(rows[r][start + r] for r in down)
        yield "".join(rows[r][width - 1 - start - r] for r in down)


def chances(text, player):
    total = Decimal(0)
    for worth, *shapes in SHAPES:
        pattern = "|".join(re.escape(shape).replace("M", player) for shape in shapes)
        total += worth * len(re.findall(f"(?=({pattern}))", text))
    return total


def connect_four_heuristic(state, player):
    text = "|".join(lines(state.rows))
    other = "O" if player == "X" else "X"
    difference = chances(text, player) - chances(text, other)
    return float(difference / (abs(difference) + Decimal("2.7")))
