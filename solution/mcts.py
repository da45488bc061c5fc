"""Question 4: Monte Carlo tree search.

Source: Russell and Norvig, 4th edition, figure 5.11.

A tree of node statistics grows from the root, one playout at a time:

select   go down from the root, always to the child with the largest UCB, to a leaf
expand   give that leaf its children, and take one of them
simulate play random moves from there to the end of the game
backprop add the result to every node on the path back to the root

From whose side? `node.U` belongs to the player who made the move *into* `node`, because that player
chooses among `node` and its siblings. The players alternate, so the sign flips at every step up.
"""

import random
from math import inf, log, sqrt
from typing import Any

from starter.games import Game, Move, State


class Node:
    """A node of the search tree, with the statistics of the playouts through it.

    state:    its state
    parent:   the node above, None at the root
    move:     the move that led here from the parent, None at the root
    children: dict from move to child node, in the order of `game.actions`; empty at a leaf
    U:        sum of the playouts' utilities, for the player who made the move into this node
    N:        number of playouts through this node

    Tests create nodes in the same way and set their `U` and `N`. You may add fields.
    """

    def __init__(self, state: State, parent: Any = None, move: Move = None) -> None:
        self.state = state
        self.parent = parent
        self.move = move
        self.children: dict[Move, Node] = {}
        self.U = 0.0
        self.N: int = 0  # with its type, because an editor takes N for a constant


def ucb(node: Node, C: float = 1.4) -> float:
    """Return the upper confidence bound UCB1 of `node`, which is not the root.

    It is the mean result plus a bonus for few visits, and infinite without visits. A larger C
    weighs exploration more, a smaller one exploitation.
    """
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node: Node, C: float = 1.4) -> Node:
    """Follow the child with the largest UCB down from `node`; return the leaf.

    A leaf is a node without children; if `node` is one, return it. Pass C to `ucb`.
    """
    ### BEGIN SOLUTION go down while there are children
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node
    ### END SOLUTION


def expand(node: Node, game: Game) -> Node:
    """Give the leaf `node` one child per action and return one of them (any).

    `node.children` maps each move to its child, in the order of `game.actions`; a child has its
    state, its parent and its move. A terminal node gets no children and is itself returned.
    """
    ### BEGIN SOLUTION one new Node per action, unless the game is over
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return next(iter(node.children.values()))
    ### END SOLUTION


def simulate(game: Game, state: State, rng: random.Random) -> float:
    """Play uniformly random moves from `state` to the end; return the result.

    The result is the utility for the player who made the move *into* `state`: the opponent of
    `state.to_move`. If `state` is terminal, no move is played and its utility is the result. Every
    random choice comes from `rng`, so that a search can be repeated.
    """
    ### BEGIN SOLUTION before the first move, note which player the result is for
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)
    ### END SOLUTION


def backprop(node: Node, utility: float) -> None:
    """Add one playout to the statistics of `node` and of all its ancestors.

    utility: the playout's result for the player who made the move into `node`

    N grows by one at each node, and U by the result for the player who made the move into that
    node: the sign flips at every step up to the root.
    """
    ### BEGIN SOLUTION from node up to the root, and flip the sign after each node
    while node is not None:
        node.U += utility
        node.N += 1
        utility = -utility
        node = node.parent
    ### END SOLUTION


def monte_carlo_tree_search(
    game: Game,
    state: State,
    playouts: int = 1000,
    C: float = 1.4,
    rng: random.Random | None = None,
) -> tuple[float, Move]:
    """Return `(value, move)` of the most visited child: its mean result, its move.

    game, state: the root, which is not terminal
    playouts:    the number of playouts, at least 1
    C:           the weight of exploration, passed to `select`
    rng:         the source of all random choices; a new one if None

    The value is U/N of the chosen child, so it is the value for `state.to_move`.
    """
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    ### BEGIN SOLUTION the final choice: the most visited of the root's children
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
    ### END SOLUTION
