"""Make search trees with statistics in which UCB leads to one leaf."""

from __future__ import annotations

from random import Random
from typing import Any

from autograder.author.cases.registry import require
from autograder.checks.matches import opening
from autograder.checks.mcts_rules import USUAL_C
from autograder.diagram import is_tree
from autograder.serving.cases import SelectCase, Statistics, TreePath
from autograder.worker.inside.protocol import make_game
from solution.mcts import Node, select, ucb
from starter.games import Game, State

CLEAR = 0.02  # the minimum gap between the two largest UCBs


def statistics(spec: list[Any], below: list[tuple[float, int]]) -> SelectCase:
    """Return a tree of a root and its children, by the U and N of each child."""
    root = Node(None)
    root.U, root.N = -sum(U for U, _ in below), sum(N for _, N in below)
    bounds = []
    for U, N in below:
        child = Node(None, root)
        child.U, child.N = U, N
        bounds.append(ucb(child, USUAL_C))
    case = SelectCase(
        game=spec,
        nodes=[([], root.U, root.N), *(([i], U, N) for i, (U, N) in enumerate(below))],
        leaf=[bounds.index(max(bounds))],
        C=USUAL_C,
    )
    *lower, highest = sorted(bounds)
    alone = all(highest - bound > CLEAR for bound in lower)
    require(alone, "no child has the largest UCB alone", case)
    return case


def plausible_tree(
    rng: Random, game: Game, state: State, visits: int, depth: int, largest: float
) -> tuple[list[Statistics], Node]:
    """Return a search tree with synthetic statistics, as rows and as nodes.

    All children are good, or all are bad, or some are; a mean is at most `largest`.
    """
    rows: list[Statistics] = []
    good = rng.choice((-0.8, -0.4, 0, 0, 0.4))

    def grow(node: Node, path: TreePath, level: int) -> None:
        mean = largest * (good + (1 - abs(good)) * rng.uniform(-1, 1))
        node.U = round(node.N * mean, 1)
        rows.append((path, node.U, node.N))
        if level == 0 or node.N < 2 or game.is_terminal(node.state):
            return
        actions = game.actions(node.state)
        shares = [rng.random() for _ in actions]
        for i, move in enumerate(actions):
            child = node.children[i] = Node(game.result(node.state, move), node, move)
            child.N = round((node.N - 1) * shares[i] / sum(shares))
            grow(child, [*path, i], level - 1)

    root = Node(state)
    root.N = visits
    grow(root, [], depth)
    return rows, root


def descent(root: Node, C: float) -> tuple[TreePath, bool]:
    """Return UCB's path from the root, and if its maxima are unique."""
    node, clear = root, True
    at: TreePath = []
    while node.children:
        bounds = {key: ucb(child, C) for key, child in node.children.items()}
        ranked = sorted(bounds.values(), reverse=True)
        clear = clear and (len(ranked) < 2 or ranked[0] - ranked[1] > CLEAR)
        at.append(max(bounds, key=lambda key: bounds[key]))
        node = node.children[at[-1]]
    return at, clear


def search_tree_case(rng: Random, spec: list[Any], depth: int, visits: int, C: float) -> SelectCase:
    """Return a search tree with plausible statistics and unique largest UCBs."""
    game = make_game(spec)
    tree = is_tree(game.initial)
    while True:
        state = game.initial if tree else opening(game, rng, rng.randint(3, 6))
        nodes, root = plausible_tree(rng, game, state, visits, depth, 10 if tree else 1)
        at, clear = descent(root, C)
        if clear and len(at) == depth:
            key = None if tree else state.key
            case = SelectCase(game=spec, state=key, nodes=nodes, C=C, leaf=at)
            leaf = root
            for key in at:
                leaf = leaf.children[key]
            require(select(root, C) is leaf, "the solution selects another leaf", case)
            return case
