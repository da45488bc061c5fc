"""Make search trees with statistics in which UCB leads to one leaf."""

from random import Random
from typing import Any

from autograder.author.cases.registry import require
from autograder.author.cases.trees import LARGEST
from autograder.checks.ask.values import TOLERANCE
from autograder.checks.play.matches import draw_opening
from autograder.diagram import is_tree
from autograder.serving.cases import SelectCase
from autograder.worker.inside.protocol import make_game
from solution.mcts import Node, select, ucb
from starter.games import Game, State

MIN_GAP = 0.02  # the minimum gap between the two largest UCBs


def draw_search_tree(
    rng: Random, game: Game, state: State, visits: int, depth: int
) -> dict[tuple[int, ...], Node]:
    """Return a search tree with synthetic statistics: its nodes by their paths.

    All children are good, or all are bad, or some are. On explicit trees utilities may be large.
    """
    good = rng.choice((-0.8, -0.4, 0, 0, 0.4))
    largest = rng.choice((1, 1, 1, 10, 10, LARGEST // visits)) if is_tree(state) else 1
    nodes: dict[tuple[int, ...], Node] = {}

    def grow(node: Node, path: tuple[int, ...]) -> None:
        mean = largest * (good + (1 - abs(good)) * rng.uniform(-1, 1))
        node.U = round(node.N * mean, 1) + 0.0  # not -0.0
        nodes[path] = node
        if len(path) == depth or node.N < 2 or game.is_terminal(node.state):
            return
        actions = game.actions(node.state)
        shares = [rng.random() for _ in actions]
        for i, move in enumerate(actions):
            child = node.children[i] = Node(game.result(node.state, move), node, move)
            child.N = round((node.N - 1) * shares[i] / sum(shares))
            grow(child, (*path, i))

    root = Node(state)
    root.N = visits
    grow(root, ())
    return nodes


def let_two_compete(rng: Random, node: Node, C: float) -> None:
    """Let the second of the visited children nearly reach the largest UCB.

    So a formula that is slightly wrong prefers another child.
    """
    visited = [child for child in node.children.values() if child.N]
    if len(visited) > 1:
        *_, second, first = sorted(visited, key=lambda child: ucb(child, C))
        gap = ucb(first, C) - ucb(second, C) - rng.uniform(MIN_GAP, 6 * MIN_GAP)
        second.U = round(second.U + second.N * gap, 2) + 0.0


def descend(node: Node, C: float) -> tuple[list[int], bool]:
    """Return UCB's path from a node, and if its maxima are unique."""
    clear = True
    at: list[int] = []
    while node.children:
        bounds = {key: ucb(child, C) for key, child in node.children.items()}
        ranked = sorted(bounds.values(), reverse=True)
        if len(ranked) > 1:
            rounding = 500 * TOLERANCE * abs(ranked[1])
            clear = clear and ranked[0] - ranked[1] > max(MIN_GAP, rounding)
        at.append(max(bounds, key=lambda key: bounds[key]))
        node = node.children[at[-1]]
    return at, clear


def draw_select_case(rng: Random, spec: list[Any], depth: int, most: int, C: float) -> SelectCase:
    """Return a search tree with at most `most` visits, and unique largest UCBs.

    Sometimes select starts below the root, at a node that UCB does not lead to.
    """
    game = make_game(spec)
    tree = is_tree(game.initial)
    while True:
        state = game.initial if tree else draw_opening(game, rng, rng.randint(3, 6))
        nodes = draw_search_tree(rng, game, state, rng.randint(2, most), depth)
        start = rng.choice([path for path in nodes if len(path) < 2]) if rng.random() < 0.2 else ()
        if rng.random() < 0.3:
            let_two_compete(rng, nodes[start], C)
        below, clear = descend(nodes[start], C)
        leaf = (*start, *below)
        if not clear or len(leaf) < depth:
            continue
        selected = select(nodes[start], C)
        require(selected is nodes[leaf], "the solution selects another leaf")
        return SelectCase(
            game=spec,
            state=None if tree else state.key,
            nodes=[(list(path), node.U, node.N) for path, node in nodes.items()],
            at=list(start),
            leaf=list(leaf),
            C=C,
        )
