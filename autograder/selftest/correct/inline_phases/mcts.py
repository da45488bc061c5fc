"""Question 4. The four functions are there for the tests; the search itself has them unrolled for speed."""

import random
from math import inf, log, sqrt
from typing import Any

from starter.games import Game, Move, State


class Node:
    def __init__(self, state: State, parent: Any = None, move: Move = None) -> None:
        self.state = state
        self.parent = parent
        self.move = move
        self.children: dict[Move, Node] = {}
        self.U = 0.0
        self.N = 0


def ucb(node: Node, C: float = 1.4) -> float:
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node: Node, C: float = 1.4) -> Node:
    return _path(node, C)[-1]


def _path(node, C):
    path = [node]
    while path[-1].children:
        path.append(_best(path[-1], C))
    return path


def _best(node, C):
    """The child with the largest bound; the logarithm is taken once."""
    best, best_bound, log_n = None, -inf, None
    for child in node.children.values():
        if child.N == 0:
            return child
        if log_n is None:
            log_n = log(node.N)
        bound = child.U / child.N + C * sqrt(log_n / child.N)
        if bound > best_bound:
            best, best_bound = child, bound
    return best


def expand(node: Node, game: Game) -> Node:
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return next(iter(node.children.values()))


def simulate(game: Game, state: State, rng: random.Random) -> float:
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node: Node, utility: float) -> None:
    path = [node]
    while (node := node.parent) is not None:
        path.insert(0, node)
    _record(path, utility)


def _record(path, utility):
    """path: from the root to the node whose result this is"""
    for node in reversed(path):
        node.N += 1
        node.U += utility
        utility = -utility


def monte_carlo_tree_search(
    game: Game, state: State, playouts: int = 1000, C: float = 1.4, rng: random.Random | None = None
) -> tuple[float, Move]:
    rng = rng or random.Random()
    terminal, actions, result, choice = game.is_terminal, game.actions, game.result, rng.choice
    root = Node(state)
    for _ in range(playouts):
        path = _path(root, C)
        leaf = path[-1]
        if not terminal(leaf.state):
            for move in actions(leaf.state):
                leaf.children[move] = Node(result(leaf.state, move), leaf, move)
            path.append(leaf.children[move])  # the last one
        s = path[-1].state
        player = "O" if s.to_move == "X" else "X"
        while not terminal(s):
            s = result(s, choice(actions(s)))
        _record(path, game.utility(s, player))
    best = max(root.children, key=lambda move: root.children[move].N)
    return root.children[best].U / root.children[best].N, best
