"""Make trees for searches that take a leaf worth 1, -1 or 0 for a win, a loss or a draw.

A utility can be any number, so such a leaf neither ends the search of a node nor excludes a move.
"""

from random import Random

from autograder.author.cases.trees import Tree, make_chain, negate_leaves


def make_special_leaf_trees(rng: Random) -> list[tuple[Tree, str]]:
    """Return trees for X and for O as MAX, each with the player to move at the root.

    In each tree the special leaf and what stands beside it decide the root's value: at the root
    and deeper, at a max node and at a min node.
    """
    # The leaf is not enough, at the root and two plies below.
    at_max: list[Tree] = [[leaf, [[leaf, draw_pair(rng)]]] for leaf in (1, -1, 0)]
    for leaf in (-1, 0):  # It looks lost or drawn, and is the best move.
        for plies in (0, 2):
            below: list[Tree] = [leaf, negate_leaves(draw_pair(rng))]
            at_max.append(make_chain(plies, rng.sample(below, 2)))
    for plies in (0, 2):  # A move that allows a reply of -1 is the best one.
        below = [[-1, rng.randint(2, 60)], negate_leaves(draw_pair(rng))]
        at_max.append(make_chain(plies, rng.sample(below, 2)))
    at_min = [make_chain(1, negate_leaves(tree)) for tree in at_max]
    for_x = [*at_max, *at_min]
    for_o = [(negate_leaves(tree), "O") for tree in for_x]
    return [*((tree, "X") for tree in for_x), *for_o]


def draw_pair(rng: Random) -> list[Tree]:
    """Return two leaves beyond the special values."""
    low = rng.randint(2, 50)
    return [low + rng.randint(1, 9), low]
