"""Make search trees whose statistics distinguish UCB from other formulas."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from typing import Any

from autograder.author.cases.boards import TTT
from autograder.author.cases.registry import require
from autograder.checks.matches import opening
from autograder.checks.mcts_rules import USUAL_C, WRONG_FORMULAS, Formula
from autograder.serving.cases import SelectCase, Statistics, TreePath
from solution.mcts import Node, select, ucb
from starter.games import Game, State, TicTacToe

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
    rng: Random, game: Game, state: State, visits: int, depth: int
) -> tuple[list[Statistics], Node]:
    """Return a search tree with synthetic statistics, as rows and as nodes."""
    rows: list[Statistics] = []

    def grow(node: Node, path: TreePath, level: int) -> None:
        node.U = round(rng.uniform(-node.N, node.N), 1)
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


def leaf_by(root: Node, C: float, formula: Formula) -> TreePath:
    """Return the path of the largest bounds, to a node without children."""
    path: TreePath = []
    node = root
    while node.children:
        above = node.N
        key = max(
            node.children,
            key=lambda key: (
                formula(node.children[key].U, node.children[key].N, above, root.N, C)
                if node.children[key].N
                else inf
            ),
        )
        path.append(key)
        node = node.children[key]
    return path


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


def search_tree_case(
    rng: Random, depth: int, visits: int, C: float, unlike: Sequence[str] = ()
) -> SelectCase:
    """Return a search tree on 3x3 with plausible statistics and unique largest UCBs.

    unlike: wrong formulas that select another leaf; "negative": no UCB at the root is above 0
    """
    game = TicTacToe()
    while True:
        state = opening(game, rng, rng.randint(3, 6))
        nodes, root = plausible_tree(rng, game, state, visits, depth)
        at, clear = descent(root, C)
        distinguished = all(
            all(ucb(child, C) < 0 for child in root.children.values())
            if name == "negative"
            else leaf_by(root, C, WRONG_FORMULAS[name]) != at
            for name in unlike
        )
        if clear and len(at) == depth and distinguished:
            case = SelectCase(game=TTT, state=state.key, nodes=nodes, C=C, leaf=at)
            leaf = root
            for key in at:
                leaf = leaf.children[key]
            require(select(root, C) is leaf, "the solution selects another leaf", case)
            return case
