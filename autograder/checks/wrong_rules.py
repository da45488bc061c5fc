"""Known wrong rules of Monte Carlo tree search, and a search for those that fit."""

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
        """U/N, or -inf for a node that was never visited."""
        return self.U / self.N if self.N else -inf


class WrongRule(NamedTuple):
    """A wrong rule: the hint that describes it, and its result.

    code: the variant of the finding's code; "" if a single number does not prove this rule
    """

    hint: str
    gives: Callable[..., Any]
    code: str = ""


def rules_giving(observed: Any, rules: Sequence[WrongRule], *facts: Any) -> list[WrongRule]:
    """Return the rules that give the observed result, from these facts."""
    return [rule for rule in rules if agrees(rule.gives(*facts), observed)]


def agrees(given: Any, observed: Any) -> bool:
    """Does the observation equal the number or list, or an element of the set?"""
    if isinstance(given, set):
        return any(same(one, observed) for one in given)
    if isinstance(given, list):
        return len(given) == len(observed) and all(map(same, given, observed))
    return same(given, observed)


# The result of simulate, from the utilities for the player who moved into the state and the other
WRONG_RESULTS = [
    WrongRule("result-for-the-mover", lambda u, mover: -u, "other-side"),
    WrongRule("result-for-X", lambda u, mover: -u if mover == "X" else u, "other-side"),
    WrongRule("result-from-0-to-1", lambda u, mover: (u + 1) / 2, "zero-to-one"),
    WrongRule("result-sign", lambda u, mover: u and copysign(1, u), "sign-only"),
    WrongRule("result-loss-is-0", lambda u, mover: max(u, 0)),
    WrongRule("result-draw-is-loss", lambda u, mover: u or -1),
]

# The terms that backprop adds to U, from `utility` and the number of nodes; leaf to root
WRONG_SIGNS = [
    WrongRule(
        "added-inverted",
        lambda u, nodes: [-u * (-1) ** i for i in range(nodes)],
        "inverted",
    ),
    WrongRule(
        "added-unchanged",
        lambda u, nodes: [u] * nodes,
        "no-flip",
    ),
    WrongRule(
        "added-negated",
        lambda u, nodes: [-u] * nodes,
        "no-flip",
    ),
]


def best_by(key: Callable[[Child], float]) -> Callable[[Sequence[Child]], set[int]]:
    """Return the rule that chooses the indices of the children with the largest key."""

    def choose(children: Sequence[Child]) -> set[int]:
        most = max(map(key, children))
        return {i for i, child in enumerate(children) if key(child) == most}

    return choose


# The indices of the children that the final choice may take
WRONG_CHOICES = [
    WrongRule("choice-first", lambda children: {0}),
    WrongRule("choice-last", lambda children: {len(children) - 1}),
    WrongRule("choice-least-visited", best_by(lambda child: -child.N)),
    WrongRule("choice-largest-U", best_by(lambda child: child.U)),
    WrongRule("choice-largest-mean", best_by(lambda child: child.mean)),
    WrongRule(
        "choice-smallest-mean",
        best_by(lambda child: -child.mean if child.N else -inf),
    ),
]

# The value of the search, from the chosen child and all children
WRONG_VALUES = [
    WrongRule("value-negated", lambda best, every: -best.mean),
    WrongRule("value-share-of-wins", lambda best, every: (best.mean + 1) / 2),
    WrongRule("value-U", lambda best, every: best.U),
    WrongRule("value-U-over-all", lambda best, every: best.U / visits(every)),
    WrongRule("value-visits-over-all", lambda best, every: best.N / visits(every)),
    WrongRule("value-mean-of-all", lambda best, every: mean_of(every)),
    WrongRule("value-of-the-root", lambda best, every: -mean_of(every)),
    WrongRule("value-of-another", lambda best, every: {one.mean for one in every if one.N}),
]


def visits(children: Sequence[Child]) -> int:
    return sum(child.N for child in children)


def mean_of(children: Sequence[Child]) -> float:
    return sum(child.U for child in children) / visits(children)
