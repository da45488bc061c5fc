"""Known wrong rules of Monte Carlo tree search, and which of them gives what was observed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import copysign, inf
from typing import Any, NamedTuple

from autograder.checks.values import same


class Child(NamedTuple):
    """The statistics of a node, and its UCB."""

    U: float
    N: int
    ucb: float

    @property
    def mean(self) -> float:
        """U/N; smaller than any other for a node that was never visited."""
        return self.U / self.N if self.N else -inf


class WrongRule(NamedTuple):
    """A wrong rule: its words complete "that is ...", and `gives` computes what follows from it.

    code: the variant of the finding's code; "" where a single number is no proof of this rule
    """

    words: str
    gives: Callable[..., Any]
    code: str = ""


def rules_giving(observed: Any, rules: Sequence[WrongRule], *facts: Any) -> list[WrongRule]:
    """Return the rules that give what was observed, from these facts."""
    return [rule for rule in rules if agrees(rule.gives(*facts), observed)]


def agrees(given: Any, observed: Any) -> bool:
    """Is it the number, the list of numbers, or one of the set of numbers that was given?"""
    if isinstance(given, set):
        return any(same(one, observed) for one in given)
    if isinstance(given, list):
        return len(given) == len(observed) and all(map(same, given, observed))
    return same(given, observed)


# What simulate returns, from the utility for the player who moved into the state, and the other one
WRONG_RESULTS = [
    WrongRule("the utility for the player to move", lambda u, mover: -u, "other-side"),
    WrongRule("X's utility", lambda u, mover: -u if mover == "X" else u, "other-side"),
    WrongRule("the utility on a scale from 0 to 1", lambda u, mover: (u + 1) / 2, "zero-to-one"),
    WrongRule("the sign of the utility", lambda u, mover: u and copysign(1, u), "sign-only"),
    WrongRule("the utility, but 0 for a loss", lambda u, mover: max(u, 0)),
    WrongRule("the utility, but -1 for a draw", lambda u, mover: u or -1),
]

# What backprop adds to U, from `utility` and the number of nodes; node by node, on the way up
WRONG_SIGNS = [
    WrongRule(
        "`utility` with the sign flipped already at the first node",
        lambda u, nodes: [-u * (-1) ** i for i in range(nodes)],
        "inverted",
    ),
    WrongRule(
        "the same at every node",
        lambda u, nodes: [u] * nodes,
        "no-flip",
    ),
    WrongRule(
        "the same at every node, with the sign flipped",
        lambda u, nodes: [-u] * nodes,
        "no-flip",
    ),
]


def best_by(key: Callable[[Child], float]) -> Callable[[Sequence[Child]], set[int]]:
    """Return the rule that chooses the children with the largest key, by their places."""

    def choose(children: Sequence[Child]) -> set[int]:
        most = max(map(key, children))
        return {i for i, child in enumerate(children) if key(child) == most}

    return choose


# Which child the final choice takes, from all children; by their places
WRONG_CHOICES = [
    WrongRule("the first child", lambda children: {0}),
    WrongRule("the last child", lambda children: {len(children) - 1}),
    WrongRule("the least visited child", best_by(lambda child: -child.N)),
    WrongRule("the child with the largest U", best_by(lambda child: child.U)),
    WrongRule("the child with the largest U/N", best_by(lambda child: child.mean)),
    WrongRule(
        "the child with the smallest U/N",
        best_by(lambda child: -child.mean if child.N else -inf),
    ),
]

# What the search returns as the value, from the chosen child and all children
WRONG_VALUES = [
    WrongRule("U/N with its sign flipped", lambda best, every: -best.mean),
    WrongRule("the share of wins, (U/N + 1) / 2", lambda best, every: (best.mean + 1) / 2),
    WrongRule("the chosen child's U", lambda best, every: best.U),
    WrongRule("the chosen child's U / all playouts", lambda best, every: best.U / visits(every)),
    WrongRule("the chosen child's part of all visits", lambda best, every: best.N / visits(every)),
    WrongRule("the mean of all playouts", lambda best, every: mean_of(every)),
    WrongRule("the root's U/N", lambda best, every: -mean_of(every)),
    WrongRule("U/N of another child", lambda best, every: {one.mean for one in every if one.N}),
]


def visits(children: Sequence[Child]) -> int:
    return sum(child.N for child in children)


def mean_of(children: Sequence[Child]) -> float:
    return sum(child.U for child in children) / visits(children)
