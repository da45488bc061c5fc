"""Describe positions, game trees and search trees as pictures; draw them as text.

`feedback/svg.py` draws the same descriptions as SVG.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, zip_longest
from math import inf
from typing import Any, NamedTuple, Union

from starter.games import Game, State

MOST_LINES = 24  # of one drawing, by default
DEEPEST_DRAWN = 10  # plies; deeper nodes do not fit into 80 columns


@dataclass(eq=False)
class Node:
    """One node of a drawn tree.

    name:  the move that leads to it
    kind:  "max", "min", "chance", "leaf" or "" (none of these)
    texts: its content, e.g. its value, or U, N and UCB
    order: its rank in the order of the search, from 0
    faded: never searched
    look:  its style: "waiting" (not searched yet), "lit" (the subject of the picture), "new" (just
           added)
    mark:  a note on it, in a few words; a marked node is never folded away
    state: a position to draw in it, small
    """

    name: str
    kind: str = ""
    texts: list[str] = field(default_factory=list)
    order: int | None = None
    faded: bool = False
    look: str = ""
    mark: str = ""
    state: State | None = None
    children: list[Node] = field(default_factory=list)

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


Picture = Union[Tree, Board]


# --- words ----------------------------------------------------------------------------------------


def state_name(state: State) -> str:
    """Name a position by its key; in a tree that is the path to it."""
    return state.key or "the root"


def way(moves: Iterable[Any]) -> str:
    """Name a position by the moves that lead to it."""
    return "/".join(map(str, moves)) or "the root"


def default_side(state: State) -> str:
    """Return the default player for values: the one to move, or X at a chance node."""
    return "X" if state.to_move == "chance" else str(state.to_move)


def show(value: Any, digits: int = 4) -> str:
    """Format a number as a person writes it."""
    if isinstance(value, float):
        if abs(value) == inf:
            return "inf" if value > 0 else "-inf"
        return f"{value + 0.0:.{digits}g}"  # without the sign of -0.0
    return str(value)


# --- descriptions ---------------------------------------------------------------------------------


def kind_of(state: State, player: str) -> str:
    """Return the kind of a position's node for `player` as MAX: max, min or chance."""
    return {player: "max", "chance": "chance"}.get(state.to_move, "min")


def game_tree(
    game: Game,
    root: State,
    player: str | None = None,
    decorate: Callable[[Node, State], None] = lambda node, state: None,
) -> Tree:
    """Describe the game tree below `root`, with leaf values for `player` (MAX).

    player:   by default the player to move at the root; X at a chance node
    decorate: may add texts to a node, given its state
    """
    best_for = player or default_side(root)

    def describe(state: State, name: str) -> Node:
        if game.is_terminal(state):
            node = Node(name, "leaf", [show(game.utility(state, best_for))])
        else:
            node = Node(name, kind_of(state, best_for))
        decorate(node, state)
        chances = [f" ({show(probability)})" for probability, _ in game.outcomes(state)]
        for move, chance in zip_longest(game.actions(state), chances, fillvalue=""):
            node.children.append(describe(game.result(state, move), f"{move}{chance}"))
        return node

    return Tree(describe(root, "root"), f"values are {best_for}'s: {best_for} is MAX")


class TreeRow(NamedTuple):
    """A node of a search tree: the move to it, its parent's number, U and N."""

    name: str
    above: int | None
    U: Any
    N: Any


def search_tree(
    nodes: Iterable[TreeRow], decorate: Callable[[Node, int], None] = lambda node, number: None
) -> Tree:
    """Describe a search tree with U and N in every node, parents before children.

    decorate: may add texts to a node, given its number
    """
    made: list[Node] = []
    for number, grown in enumerate(nodes):
        node = Node(grown.name, texts=[f"U = {show(grown.U)}", f"N = {show(grown.N)}"])
        decorate(node, number)
        made.append(node)
        if grown.above is not None:
            made[grown.above].children.append(node)
    return Tree(made[0])


def statistics_tree(
    game: Game, root: State, nodes: Sequence[tuple[Sequence[int], float, int]], at: Sequence[int]
) -> Tree:
    """Describe a search tree given as (path, U, N) per node, parents first.

    A path holds the indices of the moves from the root; the node with the path `at` is marked.
    """
    states: list[State] = []
    numbers: dict[tuple[int, ...], int] = {}
    grown: list[TreeRow] = []
    for path, U, N in nodes:
        name, state, above = "root", root, None
        if path:
            above = numbers[tuple(path[:-1])]
            move = game.actions(states[above])[path[-1]]
            name, state = str(move), game.result(states[above], move)
        numbers[tuple(path)] = len(states)
        states.append(state)
        grown.append(TreeRow(name, above, U, N))

    def decorate(node: Node, number: int) -> None:
        if number == numbers[tuple(at)]:
            over = ": the game is over" if game.is_terminal(states[number]) else ""
            node.mark = f"called with this node{over}"

    return search_tree(grown, decorate)


def is_tree(state: State) -> bool:
    """Is the position a node of a game tree, which is drawn with its subtree?"""
    return bool(state.picture()["kind"] == "tree")


def position(game: Game, state: State, player: str | None = None) -> Picture:
    """Describe a position of any game; one in a game tree with the tree below it."""
    return game_tree(game, state, player) if is_tree(state) else Board(state)


def squares_of(game: Game, state: State, move: Any) -> frozenset[tuple[int, int]]:
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


def folded(root: Node, most: int) -> Node:
    """Return a copy with at most `most` nodes, if that is enough for the marked ones.

    The path to each mark is shown, with its neighbours; then other nodes from the root down,
    searched ones first. In a deep tree one node replaces most of a chain of single moves.
    """
    root = copied(root)
    if max(depth for _, depth in with_depth(root)) > DEEPEST_DRAWN:
        for node in root.walk():
            shorten_chain(node)
    below = {id(node): sum(1 for _ in node.walk()) - 1 for node in root.walk()}
    path = {id(node) for node in root.walk() if any(one.mark for one in node.walk())}
    waiting: list[tuple[bool, bool, int, int, Node]] = []  # a heap of nodes with children
    opened, size = set[int](), 1

    def consider(node: Node, depth: int) -> None:
        if node.children:
            on_path = any(id(child) in path for child in node.children)
            heapq.heappush(waiting, (not on_path, node.faded, depth, len(below) + size, node))

    consider(root, 0)
    while waiting:
        beside, _, depth, _, node = heapq.heappop(waiting)
        if beside and node is not root and size + len(node.children) > most:
            continue
        opened.add(id(node))
        for child in node.children:
            size += 1
            consider(child, depth + 1)

    def shown(node: Node) -> Node:
        if id(node) in opened:
            near = path if size > most else below
            return replace(node, children=list(neighbours(node, near)))
        hidden = [f"({below[id(node)]} below)"] * bool(node.children)
        return replace(node, texts=[*node.texts, *hidden], children=[])

    def neighbours(node: Node, near: Collection[int]) -> Iterator[Node]:
        """Yield the children that are near, or beside one; one node in place of other runs."""
        at = [i for i, child in enumerate(node.children) if id(child) in near]
        for far, run in groupby(
            enumerate(node.children), lambda pair: all(abs(pair[0] - i) > 1 for i in at)
        ):
            nodes = [child for _, child in run]
            if far and len(nodes) > 1:
                count = sum(1 + below[id(child)] for child in nodes)
                yield Node(f"... and {count} more", faded=all(child.faded for child in nodes))
            else:
                yield from map(shown, nodes)

    return shown(root)


def shorten_chain(node: Node) -> None:
    """Replace the inner nodes of a long chain of single moves below by one node."""
    chain = list[Node]()
    end = node
    while len(end.children) == 1 and not end.children[0].mark:
        (end,) = end.children
        chain.append(end)
    first, inner, last = chain[:1], chain[1:-2], chain[-2:]
    if len(inner) > 2:
        gone, of = f"... {len(inner)} moves without a choice", inner[0]
        first[0].children = [Node(gone, order=of.order, faded=of.faded, children=last[:1])]


def copied(node: Node) -> Node:
    return replace(
        node, texts=list(node.texts), children=[copied(child) for child in node.children]
    )


def with_depth(node: Node, depth: int = 0) -> Iterator[tuple[Node, int]]:
    yield node, depth
    for child in node.children:
        yield from with_depth(child, depth + 1)


# --- drawings as text -----------------------------------------------------------------------------


def lines_of(picture: Picture, most: int = MOST_LINES) -> list[str]:
    """Draw a picture in at most `most` lines; a board fully, or not at all.

    A tree shows at least the first mark, the path to it and its neighbours.
    """
    if isinstance(picture, Board):
        board = [*([picture.caption] if picture.caption else []), *str(picture.state).splitlines()]
        return board if len(board) <= most else []
    caption = [picture.caption] if picture.caption and most > 4 else []
    if picture.ordered and most >= MOST_LINES // 2:
        caption.append("#0, #1, ... is the order of your search; nodes with - were not searched")
    lines = tree_lines(folded(picture.root, most - len(caption)), picture.ordered)
    return (caption + around_the_mark(lines, max(1, most - len(caption))))[: max(0, most)]


def around_the_mark(lines: list[str], most: int) -> list[str]:
    """Return at most `most` lines of a drawing, around the first mark."""
    if len(lines) <= most:
        return lines
    mark = next((i for i, line in enumerate(lines) if "<-- " in line), 0)
    first = max(0, min(mark - most // 2, len(lines) - most))
    shown = lines[first : first + most]
    if first:
        shown[0] = "..."
    if first + most < len(lines):
        shown[-1] = "..."
    return shown


def side_by_side(pictures: Sequence[Picture], most: int = MOST_LINES) -> list[str]:
    """Draw pictures beside each other; all but the last are boards, and narrow."""
    columns = list(filter(None, (lines_of(picture, most) for picture in pictures)))
    widths = [max(map(len, column)) + 6 for column in columns]
    rows = zip_longest(*columns, fillvalue="")
    return [
        "".join(f"{line:<{width}}" for line, width in zip(row, widths)).rstrip() for row in rows
    ]


def tree_lines(root: Node, ordered: bool = False) -> list[str]:
    """Draw a tree, one line per node, with the order of the search in the margin."""
    lines: list[str] = []

    def add(node: Node, head: str, stem: str) -> None:
        margin = ""
        if ordered:
            margin = f"{'-' if node.order is None else f'#{node.order}':>4}  "
        kind = node.kind.upper() if node.kind in ("max", "min", "chance") else ""
        text = ", ".join(filter(None, [kind, *node.texts]))
        mark = f"   <-- {node.mark}" if node.mark else ""
        lines.append(f"{margin}{head}{node.name}{': ' if text else ''}{text}{mark}")
        for i, child in enumerate(node.children, 1):
            last = i == len(node.children)
            branch, below = ("`-- ", "    ") if last else ("|-- ", "|   ")
            add(child, stem + branch, stem + below)

    add(root, "", "")
    return lines
