"""What the rules say about an explicit game tree, and what wrong rules would say.

Nothing here searches: values come from the leaves up, and whether a node is pruned follows from the
values of the nodes to the left of the path that leads to it. Nodes are named by their path, as
"a/b"; the root is "".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from math import inf
from random import Random
from typing import Any, NamedTuple

from autograder.diagram import Node, describe_tree, kind_of
from starter.games import GameTree, TreeState

MAX_LEAVES = 12
Values = dict[str, float]
Choose = Callable[[Sequence[float]], float]


class PruningRule(NamedTuple):
    """A rule that prunes, right by default; values are whole numbers.

    max, min: by how much v has to pass the bound before such a node prunes
    deep:     are bounds known that come from above the parent?
    """

    max: float = 0
    min: float = 0
    deep: bool = True


RIGHT = PruningRule()
STRICT = PruningRule(max=1, min=1)
WRONG_PRUNING = {
    STRICT: "equality were not enough to prune",
    PruningRule(min=inf): "only max nodes pruned",
    PruningRule(max=inf): "only min nodes pruned",
    PruningRule(deep=False): "a bound came only from the parent, not from further above",
    PruningRule(max=inf, min=inf): "nothing were pruned",
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
        self.states: dict[str, TreeState] = {}
        self.children: dict[str, list[str]] = {}
        self._add(self.game.initial)
        self.leaves = [node for node, below in self.children.items() if not below]
        self.inner = [node for node, below in self.children.items() if below and node]

    def _add(self, state: TreeState) -> None:
        self.states[state.key] = state
        below = [self.game.result(state, move) for move in self.game.actions(state)]
        self.children[state.key] = [child.key for child in below]
        for child in below:
            self._add(child)

    def side(self, node: str) -> str:
        """Return the kind of an inner node: max or min."""
        return kind_of(self.states[node], self.to_move)

    def utility(self, leaf: str) -> float:
        """Return what a leaf is worth to MAX."""
        return self.game.utility(self.states[leaf], self.to_move)

    def compute_values(self, at_max: Choose = max, at_min: Choose = min) -> Values:
        """Return each node's value, from the leaves up, by the rule for each kind of node."""
        found: Values = {}
        for node in reversed(self.states):
            below = [found[child] for child in self.children[node]]
            choose = at_max if self.side(node) == "max" else at_min
            found[node] = choose(below) if below else self.utility(node)
        return found

    @cached_property
    def values(self) -> Values:
        return self.compute_values()

    def best_moves(self) -> list[str]:
        return [move for move in self.children[""] if self.values[move] == self.values[""]]

    def list_steps(self, node: str) -> list[tuple[str, list[float]]]:
        """Return each node above `node`, with the values of its children left of that path."""
        moves = node.split("/") if node else []
        path = ["/".join(moves[:length]) for length in range(len(moves) + 1)]
        steps = []
        for above, child in pairwise(path):
            earlier = self.children[above][: self.children[above].index(child)]
            steps.append((above, [self.values[one] for one in earlier]))
        return steps

    def window(self, node: str, steps: int = 0) -> tuple[float, float]:
        """Return alpha and beta at the call for a node; by its last `steps` plies, 0 for all."""
        alpha, beta = -inf, inf
        for above, known in self.list_steps(node)[-steps:]:
            if self.side(above) == "max":
                alpha = max([alpha, *known])
            else:
                beta = min([beta, *known])
        return alpha, beta

    def is_pruned(self, node: str, rule: PruningRule = RIGHT) -> bool:
        """Is the node left out, because one of those above it was left before?"""
        for above, known in self.list_steps(node):
            if known:
                alpha, beta = self.window(above, 0 if rule.deep else 1)
                is_max = self.side(above) == "max"
                if max(known) >= beta + rule.max if is_max else min(known) <= alpha - rule.min:
                    return True
        return False

    def list_pruned(self, rule: PruningRule = RIGHT) -> list[str]:
        """Return the leaves that are not searched."""
        return [leaf for leaf in self.leaves if self.is_pruned(leaf, rule)]

    def replace(self, values: Mapping[str, float]) -> ExplicitTree:
        """Return the tree with these nodes as leaves of these values."""

        def copy(node: str) -> Any:
            if node in values:
                return values[node]
            return [copy(child) for child in self.children[node]] or self.utility(node)

        return ExplicitTree(copy(""), self.to_move)

    def show(self, **facts: Any) -> dict[str, Any]:
        """Return the drawing and the facts of an item; the values of `h` are in their nodes."""
        h = facts.get("h", {})

        def decorate(node: Node, state: TreeState) -> None:
            if state.key in h:
                node.texts.append(f"h = {h[state.key]}")

        picture = describe_tree(self.game, self.game.initial, self.to_move, decorate)
        return {"picture": picture, "facts": {"tree": self.tree, "to_move": self.to_move, **facts}}


def negate(tree: Any) -> Any:
    return [negate(child) for child in tree] if isinstance(tree, list) else -tree


def draw_explicit(
    rng: Random, plies: int, least: int = 2, most: int = 3, span: int = 9, early: float = 0
) -> ExplicitTree:
    """Draw a tree that fits on a page, with X or O as MAX.

    least, most: the number of children of each node
    span:        leaves lie between -span and span
    early:       the probability that a game ends earlier
    """

    def draw(plies: int) -> Any:
        if not plies or rng.random() < early:
            return rng.randint(-span, span)
        return [draw(plies - 1) for _ in range(rng.randint(least, most))]

    while True:
        tree = draw(plies)
        if isinstance(tree, list) and any(isinstance(child, list) for child in tree):
            explicit = ExplicitTree(tree, rng.choice("XO"))
            if len(explicit.leaves) <= MAX_LEAVES:
                return explicit
