"""The rules of Monte Carlo tree search, and known wrong ones that give other numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, inf, log, sqrt
from typing import Any, NamedTuple

from autograder.checks.values import same
from autograder.settings import SETTINGS

USUAL_C = SETTINGS.C
# Arguments: U and N of the visited child, N of its parent, N of the root, and C.
Formula = Callable[[float, int, int, int, float], float]


def ucb(U: float, N: int, above: int, C: float) -> float:
    """Return UCB1 of a node whose parent has `above` playouts; see `starter/mcts.py`."""
    return float(U / N + C * sqrt(log(above) / N)) if N else inf


class WrongRule(NamedTuple):
    """A wrong rule for a number or a list of numbers.

    code: the variant of the finding's code; "" if the observation does not prove this rule
    """

    gives: Callable[..., Any]
    code: str = ""


def rules_giving(observed: Any, rules: Sequence[WrongRule], *facts: Any) -> list[WrongRule]:
    """Return the rules that give the observed result, from these facts."""
    return [rule for rule in rules if agrees(rule.gives(*facts), observed)]


def agrees(given: Any, observed: Any) -> bool:
    """Are the numbers, or lists of numbers, equal up to rounding?"""
    if isinstance(given, list):
        return len(given) == len(observed) and all(map(same, given, observed))
    return same(given, observed)


WRONG_FORMULAS: dict[str, Formula] = {
    "C-is-default": lambda U, N, above, top, C: U / N + USUAL_C * sqrt(log(above) / N),
    "C-is-sqrt-2": lambda U, N, above, top, C: U / N + sqrt(2 * log(above) / N),
    "log2": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 2) / N),
    "log10": lambda U, N, above, top, C: U / N + C * sqrt(log(above, 10) / N),
    "log-of-one-more": lambda U, N, above, top, C: U / N + C * sqrt(log(above + 1) / N),
    "log-of-the-root": lambda U, N, above, top, C: U / N + C * sqrt(log(top) / N),
    "twice-the-log": lambda U, N, above, top, C: U / N + C * sqrt(2 * log(above) / N),
    "C-inside": lambda U, N, above, top, C: U / N + sqrt(C * log(above) / N),
    "N-outside": lambda U, N, above, top, C: U / N + C * sqrt(log(above)) / N,
    "U-over-parent": lambda U, N, above, top, C: U / above + C * sqrt(log(above) / N),
    "U-negated": lambda U, N, above, top, C: -U / N + C * sqrt(log(above) / N),
}

# The result of simulate, from the utility for the player who moved into the state, and the other
WRONG_RESULTS = [
    WrongRule(lambda u, mover: -u, "other-side"),
    WrongRule(lambda u, mover: -u if mover == "X" else u, "other-side"),  # always X's
    WrongRule(lambda u, mover: u and copysign(1, u), "sign-only"),
    WrongRule(lambda u, mover: (u + 1) / 2),  # from 0 to 1
    WrongRule(lambda u, mover: max(u, 0)),  # a loss is 0
    WrongRule(lambda u, mover: u or -1),  # a draw is a loss
]

# The terms that backprop adds to U, from `utility` and the number of nodes; leaf to root
WRONG_SIGNS = [
    WrongRule(lambda u, nodes: [-u * (-1) ** i for i in range(nodes)], "inverted"),
    WrongRule(lambda u, nodes: [u] * nodes, "no-flip"),
    WrongRule(lambda u, nodes: [-u] * nodes, "no-flip"),
]
