from __future__ import annotations

import math
import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, Protocol, TypeVar

Player = Literal["X", "O"]
S = TypeVar("S")
UNTRIED: Final = math.inf


class Rules(Protocol[S]):
    def actions(self, state: S) -> tuple[Hashable, ...]: ...
    def result(self, state: S, move: Hashable) -> S: ...
    def is_terminal(self, state: S) -> bool: ...
    def utility(self, state: S, player: Player) -> float: ...


@dataclass(slots=True, eq=False)
class Node(Generic[S]):
    state: S
    parent: Node[S] | None = None
    move: Hashable = None
    children: dict[Hashable, Node[S]] = field(default_factory=dict, repr=False)
    U: float = 0.0
    N: int = 0

    def lineage(self) -> Iterator[Node[S]]:
        node: Node[S] | None = self
        while (here := node) is not None:
            yield here
            node = here.parent


def ucb(node: Node[S], C: float = 1.4) -> float:
    match node:
        case Node(N=0):
            return UNTRIED
        case Node(parent=Node(N=above), U=U, N=N):
            return U / N + C * math.sqrt(math.log(above) / N)
        case _:
            raise ValueError("the root has no upper confidence bound")


def select(node: Node[S], C: float = 1.4) -> Node[S]:
    match list(node.children.values()):
        case []:
            return node
        case [only]:
            return select(only, C)
        case several:
            best, *_ = sorted(several, key=lambda child: -ucb(child, C))
            return select(best, C)


def expand(node: Node[S], game: Rules[S]) -> Node[S]:
    if game.is_terminal(state := node.state):
        return node
    for move in game.actions(state):
        node.children[move] = (child := Node(game.result(state, move), node, move))
    return child


def simulate(game: Rules[S], state: S, rng: random.Random) -> float:
    match state.to_move:  # type: ignore[attr-defined]
        case "X":
            player: Player = "O"
        case "O":
            player = "X"
    while moves := game.actions(state):
        state = game.result(state, rng.choice(moves))
    return game.utility(state, player)


def backprop(node: Node[S], utility: float) -> None:
    for node in node.lineage():
        node.N += 1
        node.U += utility
        utility = -utility


def monte_carlo_tree_search(
    game: Rules[S],
    state: S,
    playouts: int = 1000,
    C: float = 1.4,
    rng: random.Random | None = None,
) -> tuple[float, Hashable]:
    rng = rng or random.Random()
    root: Node[S] = Node(state)
    while (played := root.N) < playouts:
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
        assert root.N == played + 1
    (_, best), *_ = sorted(root.children.items(), key=lambda item: item[1].N, reverse=True)
    return best.U / best.N, best.move
