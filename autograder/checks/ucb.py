"""UCB1, the bound that select follows, and the formulas that it is mistaken for."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt

from autograder.settings import SETTINGS

USUAL_C = SETTINGS.C
USUAL_C_ALWAYS = f"C is always {USUAL_C:g}"

# Of U and N of the child, N of its parent, N of the root, and C. The child has been visited.
Formula = Callable[[float, int, int, int, float], float]


def ucb(U: float, N: int, above: int, C: float) -> float:
    """Return UCB1 of a node whose parent has `above` playouts; see `starter/mcts.py`."""
    return float(U / N + C * sqrt(log(above) / N)) if N else inf


WRONG_FORMULAS: dict[str, Formula] = {
    USUAL_C_ALWAYS: lambda U, N, above, top, C: U / N + USUAL_C * sqrt(log(above) / N),
    "C is always sqrt(2)": lambda U, N, above, top, C: U / N + sqrt(2 * log(above) / N),
    "the log is to base 2": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 2) / N),
    "the log is to base 10": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 10) / N),
    "the log is of N + 1": lambda U, N, above, top, C: U / N + C * sqrt(log(above + 1) / N),
    "the log is of the root's N": lambda U, N, above, top, C: U / N + C * sqrt(log(top) / N),
    "2 log is under the sqrt": lambda U, N, above, top, C: U / N + C * sqrt(2 * log(above) / N),
    "C is under the sqrt": lambda U, N, above, top, C: U / N + sqrt(C * log(above) / N),
    "N is not under the sqrt": lambda U, N, above, top, C: U / N + C * sqrt(log(above)) / N,
    "U is over the parent's N": lambda U, N, above, top, C: U / above + C * sqrt(log(above) / N),
    "U has the other sign": lambda U, N, above, top, C: -U / N + C * sqrt(log(above) / N),
}
