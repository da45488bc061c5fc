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
    """One position in the search tree, with the statistics of the playouts through it.

    state:    the position
    parent:   the node above, None at the root
    move:     the move that led here from the parent, None at the root
    children: dict from move to child node, in the order of `game.actions`; empty at a leaf
    U:        sum of the playouts' utilities, for the player who made the move into this node
    N:        number of playouts through this node

    Tests make nodes in this way too, and set their `U` and `N`; what you add is your own.
    """

    def __init__(self, state: State, parent: Any = None, move: Move = None) -> None:
        self.state = state
        self.parent = parent
        self.move = move
        self.children: dict[Move, Node] = {}
        self.U = 0.0
        self.N = 0


def ucb(node: Node, C: float = 1.4) -> float:
    """Return the upper confidence bound UCB1 of `node`, which is not the root.

    It is the mean result plus a bonus for being little explored; infinite for an untried node.
    C weighs exploration against exploitation.
    """
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node: Node, C: float = 1.4) -> Node:
    """Return the leaf reached from `node` by going to the child with the largest UCB each time.

    A leaf is a node without children; if `node` is one, it is the answer. C is passed to `ucb`.
    """
    # TODO: go down as long as there are children
    raise NotImplementedError("write select in mcts.py")


def expand(node: Node, game: Game) -> Node:
    """Give the leaf `node` one child per action and return one of them (any).

    The children stand in `node.children` under their moves, in the order of `game.actions`, each
    with its state, its parent and its move. A terminal node gets no children and is itself
    returned.
    """
    # TODO: one new Node per action, unless the game is over
    raise NotImplementedError("write expand in mcts.py")


def simulate(game: Game, state: State, rng: random.Random) -> float:
    """Play uniformly random moves from `state` to the end and return the result.

    The result is the utility for the player who made the move *into* `state`: the opponent of
    `state.to_move`. If `state` is terminal there is nothing to play and its utility is the result.
    Every random choice comes from `rng`, so that a search can be repeated.
    """
    # TODO: remember whose result is wanted before the first move is made
    raise NotImplementedError("write simulate in mcts.py")


def backprop(node: Node, utility: float) -> None:
    """Record one playout in `node` and all its ancestors.

    utility: the playout's result for the player who made the move into `node`

    Each node's N grows by one and its U by the result as seen from that node's side: the sign
    flips at every step up to the root.
    """
    # TODO: from node to root, with the sign flipped at each step
    raise NotImplementedError("write backprop in mcts.py")


def monte_carlo_tree_search(
    game: Game,
    state: State,
    playouts: int = 1000,
    C: float = 1.4,
    rng: random.Random | None = None,
) -> tuple[float, Move]:
    """Return `(value, move)`: the most visited move and the mean result of its playouts.

    game, state: where to search; `state` is not terminal
    playouts:    how many games to play out, at least 1
    C:           the weight of exploration, passed to `select`
    rng:         the source of all randomness; a fresh one if None

    The value is U/N of the chosen child, which is seen from the side of `state.to_move`.
    """
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    # TODO: the final choice: among the root's children, the most visited
    raise NotImplementedError("write monte_carlo_tree_search in mcts.py")
