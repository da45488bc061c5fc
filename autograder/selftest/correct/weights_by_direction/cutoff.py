import re
from collections.abc import Callable
from itertools import product
from math import inf, tanh

from starter.games import Game, Move, State, other

Cutoff = Callable[[Game, State, int], bool]
Heuristic = Callable[[State, str], float]


def cutoff_depth(d: int) -> Cutoff:
    """Return a cutoff that stops below depth `d`."""
    return lambda game, state, depth: depth > d


def h_alphabeta_search(
    game: Game,
    state: State,
    cutoff: Cutoff = cutoff_depth(6),
    h: Heuristic = lambda state, player: 0,
) -> tuple[float, Move]:
    root = state.to_move

    def negamax(state, me, alpha, beta, depth):
        if game.is_terminal(state):
            return game.utility(state, me), None
        if cutoff(game, state, depth):
            # h is asked from the root's side; below a min node's sign it changes
            return (h(state, root) if me == root else -h(state, root)), None
        v, best = -inf, None
        for move in game.actions(state):
            v2 = -negamax(game.result(state, move), other(me), -beta, -alpha, depth + 1)[0]
            if v2 > v:
                v, best = v2, move
            if v >= beta:
                break
            alpha = max(alpha, v)
        return v, best

    return negamax(state, root, -inf, inf, 0)


WEIGHTS = {"across": 5, "down": 3, "rising": 6, "falling": 6}
WORTH = (0, 1, 9, 70)
FOUR = re.compile(r"(?=([X.]{4}|[O.]{4}))")  # overlapping windows with stones of one side only


def _strings(rows):
    for row in rows:
        yield "across", row
    for column in zip(*rows):
        yield "down", "".join(column)
    n, m = len(rows), len(rows[0])
    diagonals, anti = {}, {}
    for r, c in product(range(n), range(m)):
        diagonals[r - c] = diagonals.get(r - c, "") + rows[r][c]
        anti[r + c] = anti.get(r + c, "") + rows[r][c]
    for text in diagonals.values():
        yield "falling", text
    for text in anti.values():
        yield "rising", text


def connect_four_heuristic(state: State, player: str) -> float:
    total = 0  # for X; whole numbers, so no rounding
    for direction, text in _strings(state.rows):
        for match in FOUR.finditer(text):
            window = match[1]
            x, o = window.count("X"), window.count("O")
            total += WEIGHTS[direction] * (WORTH[x] - WORTH[o])
    return tanh((total if player == "X" else -total) / 4000)
