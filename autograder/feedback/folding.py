"""Reduce a drawn tree to the nodes that fit into a drawing."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import groupby

from autograder.diagram import Node, copied

DEEPEST_DRAWN = 10  # plies; deeper nodes do not fit into 80 columns


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


def with_depth(node: Node, depth: int = 0) -> Iterator[tuple[Node, int]]:
    yield node, depth
    for child in node.children:
        yield from with_depth(child, depth + 1)
