"""Describe positions, game trees and search trees as pictures.

`feedback/text_drawing.py` draws them as text, `feedback/svg.py` as SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from math import inf
from typing import Any, Union

from starter.games import Game, State


@dataclass(eq=False)
class Node:
    """One node of a drawn tree.

    name:  the move that leads to it
    kind:  "max", "min", "chance", "leaf" or "" (none of these)
    texts: its content, e.g. its value, or U, N and UCB
    order: its rank in the order of the search, from 0
    look:  its style: "faded" (never searched), "waiting" (not searched yet), "lit" (the subject of
           the picture), "new" (just added)
    mark:  a note on it, in a few words; a marked node is never folded away
    state: a position to draw in it, small
    """

    name: str
    kind: str = ""
    texts: list[str] = field(default_factory=list)
    order: int | None = None
    look: str = ""
    mark: str = ""
    state: State | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """Return the lines in the node: its kind, if that has a name, and its texts."""
        return [*[self.kind.upper()] * (self.kind in ("max", "min", "chance")), *self.texts]

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below, parents before children."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass
class Tree:
    """A game tree or search tree, with a line that explains it."""

    root: Node
    caption: str = ""

    @property
    def ordered(self) -> bool:
        """Is the order of the search known?"""
        return any(node.order is not None for node in self.root.walk())


@dataclass
class Board:
    """A position outside a tree: a board, piles, or the text of another state.

    good, bad: squares, (row, column), or counters, (pile, index), to highlight
    """

    state: State
    caption: str = ""
    good: frozenset[tuple[int, int]] = frozenset()
    bad: frozenset[tuple[int, int]] = frozenset()


EXACT = 10**15  # below that a float shows all digits before its point
Picture = Union[Tree, Board]


def state_name(state: State) -> str:
    """Name a position by its key; in a tree that is the path to it."""
    return state.key or "the root"


def path_name(moves: Iterable[Any]) -> str:
    """Name a position by the moves that lead to it."""
    return "/".join(map(str, moves)) or "the root"


def default_side(state: State) -> str:
    """Return the default player for values: the one to move, or X at a chance node."""
    return "X" if state.to_move == "chance" else str(state.to_move)


def format_value(value: Any, digits: int = 4) -> str:
    """Format a number as people write it: a whole one in full, others with two decimals or more.

    digits: significant ones, at least
    """
    if isinstance(value, float):
        if abs(value) == inf:
            return "inf" if value > 0 else "-inf"
        if value.is_integer() and abs(value) < EXACT:
            return str(int(value))
        whole = len(str(int(abs(value)))) if abs(value) < EXACT else 0
        return f"{value:.{max(digits, whole + 2)}g}"
    return str(value)


def kind_of(state: State, player: str) -> str:
    """Return the kind of a position's node for `player` as MAX: max, min or chance."""
    return {player: "max", "chance": "chance"}.get(state.to_move, "min")


def describe_tree(
    game: Game,
    root: State,
    player: str | None = None,
    decorate: Callable[[Node, Any], None] = lambda node, state: None,
) -> Tree:
    """Describe the game tree below `root`, with leaf values for `player` (MAX).

    player:   by default the player to move at the root; X at a chance node
    decorate: may add texts to a node, given its state
    """
    best_for = player or default_side(root)

    def describe(state: State, name: str) -> Node:
        if game.is_terminal(state):
            node = Node(name, "leaf", [format_value(game.utility(state, best_for))])
        else:
            node = Node(name, kind_of(state, best_for))
        decorate(node, state)
        chances = [f" ({format_value(probability)})" for probability, _ in game.outcomes(state)]
        for move, chance in zip_longest(game.actions(state), chances, fillvalue=""):
            node.children.append(describe(game.result(state, move), f"{move}{chance}"))
        return node

    return Tree(describe(root, "root"), f"values are {best_for}'s: {best_for} is MAX")


def make_statistics_node(name: str, U: Any, N: Any, *texts: str, mark: str = "") -> Node:
    """Describe a node of a search tree, without its children."""
    return Node(name, texts=[f"U = {format_value(U)}", f"N = {format_value(N)}", *texts], mark=mark)


def is_tree(state: State) -> bool:
    """Is the position a node of a game tree, which is drawn with its subtree?"""
    return bool(state.picture()["kind"] == "tree")


def describe_position(game: Game, state: State, player: str | None = None) -> Picture:
    """Describe a position of any game; one in a game tree with the tree below it."""
    return describe_tree(game, state, player) if is_tree(state) else Board(state)


def find_squares(game: Game, state: State, move: Any) -> frozenset[tuple[int, int]]:
    """Return the squares of a board that a move fills, or the counters that it takes."""
    before, after = state.picture(), game.result(state, move).picture()
    if before["kind"] == "piles":
        piles = enumerate(zip(before["piles"], after["piles"]))
        return frozenset((i, n) for i, (old, new) in piles for n in range(new, old))
    return frozenset(
        (r, c)
        for r, row in enumerate(before.get("rows", ()))
        for c, square in enumerate(row)
        if square == "." != after["rows"][r][c]
    )
