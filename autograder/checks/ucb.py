"""UCB1, the bound that select follows, and formulas that are confused with it."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt

from autograder.settings import SETTINGS

USUAL_C = SETTINGS.C

# Arguments: U and N of the visited child, N of its parent, N of the root, and C.
Formula = Callable[[float, int, int, int, float], float]


def ucb(U: float, N: int, above: int, C: float) -> float:
    """Return UCB1 of a node whose parent has `above` playouts; see `starter/mcts.py`."""
    return float(U / N + C * sqrt(log(above) / N)) if N else inf


# By the hint that describes each.
WRONG_FORMULAS: dict[str, Formula] = {
    "ucb-C-is-default": lambda U, N, above, top, C: U / N + USUAL_C * sqrt(log(above) / N),
    "ucb-C-is-sqrt-2": lambda U, N, above, top, C: U / N + sqrt(2 * log(above) / N),
    "ucb-log2": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 2) / N),
    "ucb-log10": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 10) / N),
    "ucb-log-of-one-more": lambda U, N, above, top, C: U / N + C * sqrt(log(above + 1) / N),
    "ucb-log-of-the-root": lambda U, N, above, top, C: U / N + C * sqrt(log(top) / N),
    "ucb-twice-the-log": lambda U, N, above, top, C: U / N + C * sqrt(2 * log(above) / N),
    "ucb-C-inside": lambda U, N, above, top, C: U / N + sqrt(C * log(above) / N),
    "ucb-N-outside": lambda U, N, above, top, C: U / N + C * sqrt(log(above)) / N,
    "ucb-U-over-parent": lambda U, N, above, top, C: U / above + C * sqrt(log(above) / N),
    "ucb-U-negated": lambda U, N, above, top, C: -U / N + C * sqrt(log(above) / N),
}
