"""Reduce a drawn tree to the nodes that fit into a drawing."""

from dataclasses import replace

from autograder.diagram import Node

DEEPEST_DRAWN = 10  # plies; deeper nodes do not fit into 80 columns
MOST_CHILDREN = 40  # of one node; a submission's search tree may have thousands


def fold(root: Node, max_nodes: int) -> Node:
    """Return a copy with at most `max_nodes` nodes, if that is enough for the marked ones.

    The path to each mark is shown with its neighbours, and of the rest as many plies as fit. In a
    deep tree single moves from the root on are left out.
    """
    if measure_depth(root) > DEEPEST_DRAWN:
        root = skip_single_moves(root)
    path = {id(node) for node in root.walk() if any(below.mark for below in node.walk())}
    # What decides at a marked node is in its children.
    kept = path | {id(child) for node in root.walk() if node.mark for child in node.children}

    def shown(node: Node, plies: int) -> Node:
        if plies or any(id(child) in kept for child in node.children):
            below, family = max(0, plies - 1), node.children
            marked = next((i for i, child in enumerate(family) if id(child) in path), 0)
            first = max(0, marked - MOST_CHILDREN // 2)
            children = [shown(child, below) for child in family[first : first + MOST_CHILDREN]]
            if len(children) < len(family):
                children.append(Node(f"... and {len(family) - len(children)} more"))
            return replace(node, children=children)
        hidden = sum(1 for _ in node.walk()) - 1
        texts = [f"({hidden} below)"] if hidden else []
        return replace(node, texts=[*node.texts, *texts], children=[])

    for plies in range(DEEPEST_DRAWN, 0, -1):
        copy = shown(root, plies)
        if sum(1 for _ in copy.walk()) <= max_nodes:
            break
    return copy


def skip_single_moves(root: Node) -> Node:
    """Return the first node below that is marked, or has several children."""
    node, skipped = root, 0
    while len(node.children) == 1 and not node.mark:
        (node,) = node.children
        skipped += 1
    return replace(node, name=f"after {skipped} moves without a choice") if skipped else root


def measure_depth(node: Node) -> int:
    return max((1 + measure_depth(child) for child in node.children), default=0)
