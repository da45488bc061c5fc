"""The rules of Monte Carlo tree search, and known wrong ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import copysign, inf, log, sqrt

from autograder.settings import SETTINGS

USUAL_C = SETTINGS.C
# Arguments: U and N of the visited child, N of its parent, N of the root, and C.
Formula = Callable[[float, int, int, int, float], float]


def ucb(U: float, N: int, above: int, C: float) -> float:
    """Return UCB1 of a node whose parent has `above` playouts; see `starter/mcts.py`."""
    return float(U / N + C * sqrt(log(above) / N)) if N else inf


@dataclass(frozen=True)
class Rules:
    """The rules that grow a search tree, all right or one of them wrong.

    formula: gives the UCB of a visited child
    result:  gives the result of simulate, from the utility for the player who moved into the state,
             and the player to move there
    added:   gives the terms that backprop adds to U, from the utility and the number of nodes, leaf
             to root
    late:    "leaf": a leaf is expanded only if it was visited before; "root": so is the root
    early:   "root": the root is expanded before the first playout; "twice": so is each leaf's child
    test:    the test of the phase whose rule is wrong
    code:    the variant of that test's finding; "" if the observation does not prove this rule
    """

    formula: Formula = lambda U, N, above, top, C: ucb(U, N, above, C)
    result: Callable[[float, str], float] = lambda utility, player: utility
    added: Callable[[float, int], list[float]] = lambda utility, nodes: [
        utility * (-1) ** i for i in range(nodes)
    ]
    late: str = ""
    early: str = ""
    test: str = ""
    code: str = ""


RIGHT = Rules()
LATE = [Rules(late="leaf"), Rules(late="root")]
EARLY = [Rules(early="root"), Rules(early="twice")]
WRONG_FORMULAS: list[Formula] = [
    lambda U, N, above, top, C: U / N + sqrt(2 * log(above) / N),  # C is the square root of 2
    lambda U, N, above, top, C: U / N + C * sqrt(log(above, 2) / N),
    lambda U, N, above, top, C: U / N + C * sqrt(log(above, 10) / N),
    lambda U, N, above, top, C: U / N + C * sqrt(log(above + 1) / N),
    lambda U, N, above, top, C: U / N + C * sqrt(log(top) / N),
    lambda U, N, above, top, C: U / N + C * sqrt(2 * log(above) / N),
    lambda U, N, above, top, C: U / N + sqrt(C * log(above) / N),
    lambda U, N, above, top, C: U / N + C * sqrt(log(above)) / N,
    lambda U, N, above, top, C: U / above + C * sqrt(log(above) / N),
    lambda U, N, above, top, C: -U / N + C * sqrt(log(above) / N),
]
IGNORES_C = Rules(
    formula=lambda U, N, above, top, C: U / N + USUAL_C * sqrt(log(above) / N), test="4.1"
)
WRONG = [
    IGNORES_C,
    *(Rules(formula=formula, test="4.1") for formula in WRONG_FORMULAS),
    Rules(result=lambda u, player: -u, test="4.3", code="other-side"),
    Rules(result=lambda u, player: -u if player == "X" else u, test="4.3", code="other-side"),
    Rules(result=lambda u, player: u and copysign(1, u), test="4.3"),
    Rules(result=lambda u, player: (u + 1) / 2, test="4.3"),  # from 0 to 1
    Rules(result=lambda u, player: max(u, 0), test="4.3"),  # a loss is 0
    Rules(result=lambda u, player: u or -1, test="4.3"),  # a draw is a loss
    Rules(
        added=lambda u, nodes: [-u * (-1) ** i for i in range(nodes)], test="4.5", code="inverted"
    ),
    Rules(added=lambda u, nodes: [u] * nodes, test="4.5", code="no-flip"),
    Rules(added=lambda u, nodes: [-u] * nodes, test="4.5", code="no-flip"),
]


def list_wrong_rules(test: str) -> Iterator[Rules]:
    """Yield the known wrong rules for the phase of a test."""
    return (rules for rules in WRONG if rules.test == test)
