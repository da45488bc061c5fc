"""What the rules say about an explicit game tree, and what wrong rules would say.

Nothing here searches: values come from the leaves up, and whether a node is pruned follows from the
values of the nodes to the left of the path that leads to it. Nodes are named by their path, as
"a/b"; the root is "".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf
from random import Random
from typing import Any, NamedTuple

from autograder.diagram import Node, Tree, describe_tree, kind_of
from starter.games import GameTree, State

MAX_LEAVES = 12
Values = dict[str, float]
Choose = Callable[[Sequence[float]], float]


class PruningRule(NamedTuple):
    """A rule that prunes, right by default.

    sides:  the kinds of nodes that prune
    strict: the kinds of nodes that do not prune if the bounds are equal
    deep:   are bounds known that come from above the parent?
    """

    sides: tuple[str, ...] = ("max", "min")
    strict: tuple[str, ...] = ()
    deep: bool = True


RIGHT = PruningRule()
BOTH = ("max", "min")
WRONG_PRUNING = {
    PruningRule(strict=BOTH): "equality were not enough to prune",
    PruningRule(sides=("max",)): "only max nodes pruned",
    PruningRule(sides=("min",)): "only min nodes pruned",
    PruningRule(deep=False): "a bound came only from the parent, not from further above",
    PruningRule(sides=()): "nothing were pruned",
}


class ExplicitTree:
    """A game tree with all its nodes, left to right, parents before children.

    tree:    nested lists of MAX's values
    to_move: at the root: MAX
    """

    def __init__(self, tree: Any, to_move: str) -> None:
        self.tree, self.to_move = tree, to_move
        self.spec = ["GameTree", tree if to_move == "X" else negate(tree), to_move]
        self.game = GameTree(*self.spec[1:])
        self.states: dict[str, State] = {}
        self.children: dict[str, list[str]] = {}
        self._add(self.game.initial)

    def _add(self, state: State) -> None:
        self.states[state.key] = state
        below = [self.game.result(state, move) for move in self.game.actions(state)]
        self.children[state.key] = [child.key for child in below]
        for child in below:
            self._add(child)

    @cached_property
    def leaves(self) -> list[str]:
        return [node for node, below in self.children.items() if not below]

    @cached_property
    def inner(self) -> list[str]:
        """The inner nodes below the root."""
        return [node for node, below in self.children.items() if below and node]

    def side(self, node: str) -> str:
        """Return the kind of an inner node: max or min."""
        return kind_of(self.states[node], self.to_move)

    def utility(self, leaf: str) -> float:
        """Return what a leaf is worth to MAX."""
        return self.game.utility(self.states[leaf], self.to_move)

    def compute_values(
        self, at_max: Choose = max, at_min: Choose = min, changed: Values | None = None
    ) -> Values:
        """Return each node's value, from the leaves up, by the rule for each kind of node.

        changed: other values of some leaves
        """
        leaves = {leaf: self.utility(leaf) for leaf in self.leaves} | (changed or {})
        choose = {"max": at_max, "min": at_min}
        found: Values = {}
        for node in reversed(self.states):
            below = [found[child] for child in self.children[node]]
            found[node] = choose[self.side(node)](below) if below else leaves[node]
        return found

    @cached_property
    def values(self) -> Values:
        return self.compute_values()

    def best(self, node: str, values: Values) -> list[str]:
        """Return the children with the best value for the player to move at a node."""
        below = self.children[node]
        wanted = (max if self.side(node) == "max" else min)(values[child] for child in below)
        return [child for child in below if values[child] == wanted]

    @property
    def best_moves(self) -> list[str]:
        """The best moves at the root."""
        return self.best("", self.values)

    def list_steps(self, node: str) -> list[tuple[str, list[str]]]:
        """Return each node above `node`, with its children left of the path to `node`."""
        moves = node.split("/") if node else []
        path = ["/".join(moves[:length]) for length in range(len(moves) + 1)]
        return [
            (above, self.children[above][: self.children[above].index(child)])
            for above, child in pairwise(path)
        ]

    def window(self, node: str, steps: int | None = None) -> tuple[float, float]:
        """Return alpha and beta at the call for a node; by its last `steps` plies only."""
        alpha, beta = -inf, inf
        for above, earlier in self.list_steps(node)[-steps if steps else None :]:
            known = [self.values[child] for child in earlier]
            if self.side(above) == "max":
                alpha = max([alpha, *known])
            else:
                beta = min([beta, *known])
        return alpha, beta

    def is_pruned(self, node: str, rule: PruningRule = RIGHT) -> bool:
        """Is the node left out, because one of those above it was left before?"""
        bounds = {"max": -inf, "min": inf}
        for above, earlier in self.list_steps(node):
            side = self.side(above)
            across = "min" if side == "max" else "max"
            known = [self.values[child] for child in earlier]
            if known:
                own = (max if side == "max" else min)(known)
                gap = own - bounds[across] if side == "max" else bounds[across] - own
                if side in rule.sides and (gap > 0 or (gap == 0 and side not in rule.strict)):
                    return True
                pick = max if side == "max" else min
                bounds[side] = pick(own, bounds[side]) if rule.deep else own
            elif not rule.deep:
                bounds[side] = -inf if side == "max" else inf
        return False

    def list_pruned(self, rule: PruningRule = RIGHT) -> list[str]:
        """Return the leaves that are not searched."""
        return [leaf for leaf in self.leaves if self.is_pruned(leaf, rule)]

    def replace(self, leaf: str, value: float) -> ExplicitTree:
        """Return the tree with another value at a leaf."""

        def copy(tree: Any, path: list[str]) -> Any:
            if not path:
                return value
            index = ord(path[0]) - ord("a")
            return [copy(child, path[1:]) if i == index else child for i, child in enumerate(tree)]

        return ExplicitTree(copy(self.tree, leaf.split("/")), self.to_move)

    def reorder(self, moves: Sequence[str]) -> ExplicitTree:
        """Return the tree with the root's moves in another order, each with its name."""
        return ExplicitTree({move: self.tree[ord(move) - ord("a")] for move in moves}, self.to_move)

    def draw(self, texts: dict[str, str] | None = None) -> Tree:
        """Draw the tree; `texts` are written into some nodes."""

        def decorate(node: Node, state: State) -> None:
            if texts and state.key in texts:
                node.texts.append(texts[state.key])

        return describe_tree(self.game, self.game.initial, self.to_move, decorate)


def negate(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {move: negate(child) for move, child in tree.items()}
    return [negate(child) for child in tree] if isinstance(tree, list) else -tree


def draw_tree(rng: Random, plies: int, least: int = 2, most: int = 3, span: int = 9) -> Any:
    """Draw a tree: least to most children at each node, leaves from -span to span."""
    if not plies:
        return rng.randint(-span, span)
    return [draw_tree(rng, plies - 1, least, most, span) for _ in range(rng.randint(least, most))]


def draw_explicit(rng: Random, plies: int, **sizes: int) -> ExplicitTree:
    """Draw a tree that fits on a page, with X or O as MAX."""
    while True:
        tree = ExplicitTree(draw_tree(rng, plies, **sizes), rng.choice("XO"))
        if len(tree.leaves) <= MAX_LEAVES:
            return tree
