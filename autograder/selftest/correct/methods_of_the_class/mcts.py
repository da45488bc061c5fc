"""Question 4: Monte Carlo tree search (Russell and Norvig, 4th edition, figure 5.11).

A tree of statistics grows from the position to be judged, one playout at a time:

select   walk down from the root, always to the child with the largest UCB, to a leaf
expand   give that leaf its children, and take one of them
simulate play random moves from there to the end of the game
backprop write the result into every node on the path back to the root

From whose side? `node.U` is seen from the side of the player who made the move *into* `node`, for
that is who chooses it, standing at its parent. Sides alternate, so the sign flips at every step up.
"""

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

    def visits(self) -> int:
        return self.N


def ucb(node: Node, C: float = 1.4) -> float:
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node: Node, C: float = 1.4) -> Node:
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node


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
    while node is not None:
        node.U += utility
        node.N += 1
        utility = -utility
        node = node.parent


def monte_carlo_tree_search(
    game: Game,
    state: State,
    playouts: int = 1000,
    C: float = 1.4,
    rng: random.Random | None = None,
) -> tuple[float, Move]:
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        assert isinstance(leaf, Node)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    best = max(root.children.values(), key=Node.visits)
    return best.U / best.N, best.move
