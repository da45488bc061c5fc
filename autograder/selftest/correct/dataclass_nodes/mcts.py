from __future__ import annotations

import random
from dataclasses import dataclass, field
from math import inf, log, sqrt
from typing import Optional

from starter.games import Game, Move, State, other


@dataclass
class Node:
    state: State
    parent: Optional[Node] = None
    move: Move = None
    children: dict[Move, Node] = field(default_factory=dict)
    U: float = 0.0
    N: int = 0
    depth: int = 0
    terminal: Optional[bool] = None
    wins: int = 0
    draws: int = 0

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.depth = self.parent.depth + 1


def ucb(node: Node, C: float = 1.4) -> float:
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node: Node, C: float = 1.4) -> Node:
    while node.children:
        node = max(reversed(node.children.values()), key=lambda child: ucb(child, C))
    return node


def expand(node: Node, game: Game) -> Node:
    node.terminal = game.is_terminal(node.state)
    if node.terminal:
        return node
    node.children = {
        move: Node(game.result(node.state, move), node, move) for move in game.actions(node.state)
    }
    # The middle child is as good as any.
    return list(node.children.values())[len(node.children) // 2]


def simulate(game: Game, state: State, rng: random.Random) -> float:
    player: str = other(state.to_move)
    while not game.is_terminal(state):
        state = game.result(state, rng.choices(game.actions(state))[0])
    return game.utility(state, player)


def backprop(node: Optional[Node], utility: float) -> None:
    while node is not None:
        node.U += utility
        node.N += 1
        node.wins += utility > 0
        node.draws += utility == 0
        node, utility = node.parent, -utility


def monte_carlo_tree_search(
    game: Game,
    state: State,
    playouts: int = 1000,
    C: float = 1.4,
    rng: Optional[random.Random] = None,
) -> tuple[float, Move]:
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best: Node = max(root.children.values(), key=lambda child: (child.N, child.U))
    return best.U / best.N, best.move
