"""Items about the depth-limited search: depth, h, and one ply more."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from autograder.quiz.item import Item, NotAsked, make_open_item, name_nodes
from autograder.quiz.kinds import kind
from autograder.quiz.subject import SearchRecord, Subject
from autograder.quiz.tree_rules import MAX_LEAVES, ExplicitTree

NEEDS = "3.1 3.2 3.3 3.5 3.6"


def draw_uneven(rng: Random, plies: int, moves: Sequence[int] = (2, 3)) -> ExplicitTree:
    """Draw a tree in which some games end early, with one of these numbers of moves."""

    def draw(left: int) -> object:
        if not left or (left < plies - 1 and rng.random() < 0.2):
            return rng.randint(-9, 9)
        return [draw(left - 1) for _ in range(rng.choice((1, 2, 2)))]

    while True:
        below = [draw(plies - 1) for _ in range(rng.choice(moves))]
        tree = ExplicitTree(below, rng.choice("XO"))
        if len(tree.leaves) <= MAX_LEAVES:
            return tree


def draw_h(rng: Random, tree: ExplicitTree) -> dict[str, int]:
    """Draw h of each inner node but the root."""
    return {node: rng.randint(-9, 9) for node in tree.inner}


def measure_depth(node: str) -> int:
    return node.count("/") + 1 if node else 0


def cut(tree: ExplicitTree, depth: int, h: dict[str, int]) -> ExplicitTree:
    """Return the tree as a search to a depth sees it: h stands for what is deeper."""

    def copy(node: str) -> object:
        below = tree.children[node]
        if below and measure_depth(node) > depth:
            return h[node]
        return [copy(child) for child in below] if below else tree.utility(node)

    return ExplicitTree(copy(""), tree.to_move)


def search(
    subject: Subject, tree: ExplicitTree, depth: int, h: dict[str, int]
) -> tuple[SearchRecord, ExplicitTree]:
    """Search to a depth. Return the record, and the tree that the search saw.

    Raises NotAsked if it does not do what the rules say.
    """
    record, seen = subject.search_to_depth(tree, depth, h), cut(tree, depth, h)
    expected = {leaf for leaf in seen.leaves if not seen.is_pruned(leaf)}
    if {*record.leaves, *record.requests("h")} != expected or record.value != seen.values[""]:
        raise NotAsked
    return record, seen


@kind("cutoff-depth", "depth", NEEDS)
def ask_depth(subject: Subject, rng: Random) -> Item:
    """Ask for the depth that cutoff is called with at a node."""
    tree, limit = draw_uneven(rng, 4), rng.choice((2, 3))
    h = draw_h(rng, tree)
    record, _ = search(subject, tree, limit, h)
    asked = record.requests("cutoff")
    depth = rng.randint(0, 3)
    nodes = [node for node in asked if measure_depth(node) == depth]
    if not nodes:
        raise NotAsked
    node = rng.choice(nodes)
    if asked[node] != depth:
        raise NotAsked
    wrong = [
        (depth - 1, "the root's children had depth 0"),
        (depth + 1, "the root had depth 1"),
        (limit - depth, "it were the number of plies that are left"),
    ]
    return make_open_item(
        "number",
        str(depth),
        [(str(number), words) for number, words in wrong],
        kind="cutoff-depth",
        text=f"h_alphabeta_search searches this tree with cutoff_depth({limit}). With which depth "
        f"is cutoff called at {node or 'the root'}?",
        why=f"The root has depth 0, and every child one more than its parent: {depth} at "
        f"{node or 'the root'}, however many children were tried before.",
        picture=tree.draw(),
        facts={"tree": tree.tree, "to_move": tree.to_move, "node": node, "depth": limit, "h": h},
    )


@kind("cutoff-estimates", "where h is called", NEEDS)
def ask_estimates(subject: Subject, rng: Random) -> Item:
    """Ask for the nodes that h is called for."""
    tree, limit = draw_uneven(rng, 3, moves=(2, 3, 4)), rng.choice((0, 1))
    h = draw_h(rng, tree)
    record, seen = search(subject, tree, limit, h)

    def estimates(depth: int) -> list[str]:
        """Return the nodes that h is called for in a search to another depth."""
        other = cut(tree, depth, h)
        return [n for n in other.leaves if tree.children[n] and not other.is_pruned(n)]

    there = [node for node in tree.states if measure_depth(node) == limit + 1]
    wrong = [
        (there, "cutoff came before the terminal test, and nothing were pruned"),
        ([n for n in seen.leaves if tree.children[n]], "nothing were pruned"),
        (estimates(limit + 1), f"the search went on to depth {limit + 2}"),
    ]
    if limit:
        wrong.append((estimates(limit - 1), f"the search stopped at depth {limit}"))
    if len(record.requests("h")) > 5:
        raise NotAsked
    return make_open_item(
        "nodes",
        name_nodes(record.requests("h")),
        [(name_nodes(nodes), words) for nodes, words in wrong],
        kind="cutoff-estimates",
        text=f"h_alphabeta_search searches this tree with cutoff_depth({limit}); h is written in "
        "the nodes. For which nodes is h called?",
        why=f"cutoff stops at depth {limit + 1}, the first that is above {limit}; a leaf has its "
        "utility, and what is pruned is never called.",
        picture=tree.draw({node: f"h = {value}" for node, value in h.items()}),
        facts={"tree": tree.tree, "to_move": tree.to_move, "depth": limit, "h": h},
    )


@kind("cutoff-deeper", "the horizon", NEEDS)
def ask_deeper(subject: Subject, rng: Random) -> Item:
    """Ask for the move of a search that looks one ply further."""
    tree, limit = draw_uneven(rng, 3, moves=(3, 4)), rng.choice((0, 1))
    h = draw_h(rng, tree)
    moves = {}
    for depth in (limit, limit + 1):
        record, seen = search(subject, tree, depth, h)
        if seen.best("", seen.values) != [record.move]:
            raise NotAsked
        moves[depth] = record.move
    now, then = moves[limit], moves[limit + 1]
    if now == then and rng.random() < 0.6:
        raise NotAsked
    deep = cut(tree, limit + 1, h)
    wrong = [
        (now, "one ply more changed nothing"),
        (tree.best("", tree.values)[0], "the search went to the end of the game"),
        (deep.best("", deep.compute_values(max, max))[0], "MIN took the largest value, too"),
    ]
    values = ", ".join(f"{child}: {deep.values[child]}" for child in deep.children[""])
    return make_open_item(
        "node",
        then,
        wrong,
        kind="cutoff-deeper",
        text=f"The h written in the nodes is for {tree.to_move}. With cutoff_depth({limit}), "
        f"h_alphabeta_search returns the move {now}. Which move does it return with "
        f"cutoff_depth({limit + 1})?",
        why=f"h is then taken at depth {limit + 2}, leaves above it count as they are, and the "
        f"values of the moves are {values}.",
        picture=tree.draw({node: f"h = {value}" for node, value in h.items()}),
        facts={"tree": tree.tree, "to_move": tree.to_move, "depth": limit + 1, "h": h},
    )
