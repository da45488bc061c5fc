"""Question 4: Monte Carlo tree search.

    >>> import random
    >>> from starter.games import GameTree
    >>> game = GameTree([[1, 2], [-3, -4]])
    >>> value, move = monte_carlo_tree_search(game, game.initial, 200, rng=random.Random(1))
    ... # doctest: +ELLIPSIS
    2 children...
    >>> move
    'a'
"""
import logging
import random
from math import inf, log, sqrt
from typing import Any

from starter.games import Game, Move, State


class Node:
    """One position in the search tree, with the statistics of the playouts through it."""

    def __init__(self, state: State, parent: Any = None, move: Move = None) -> None:
        self.state = state
        self.parent = parent
        self.move = move
        self.children: dict[Move, Node] = {}
        self.U = 0.0
        self.N = 0


def ucb(node: Node, C: float = 1.4) -> float:
    """Return the upper confidence bound UCB1 of `node`, which is not the root."""
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())


def _check(node: Node) -> None:
    """The invariants of the tree at one node."""
    assert isinstance(node, Node), node
    assert node.N >= 0
    for move, child in node.children.items():
        assert child.parent is node, "a child must know its parent"
        assert child.move == move, "a child must stand under its move"


def select(node: Node, C: float = 1.4) -> Node:
    """Go down to a leaf.

    >>> root = Node("root"); root.N = 3
    >>> a, b = Node("A", root, "a"), Node("B", root, "b")
    >>> root.children = {"a": a, "b": b}
    >>> a.N, a.U, b.N, b.U = 2, 0, 1, 1
    >>> select(root).state
    'B'
    """
    depth = 0
    while node.children:
        _check(node)
        bounds = {move: ucb(child, C) for move, child in node.children.items()}
        largest = max(bounds.values())
        move = next(move for move, bound in bounds.items() if bound == largest)
        logger.debug("depth %d: %r with UCB %.3f", depth, move, largest)
        node = node.children[move]
        depth += 1
    assert not node.children
    return node


def expand(node: Node, game: Game) -> Node:
    """Add the children.

    >>> from starter.games import GameTree
    >>> game = GameTree([1, 2])
    >>> root = Node(game.initial)
    >>> expand(root, game).move, list(root.children)
    ('a', ['a', 'b'])
    """
    assert not node.children, "only leaves are expanded"
    if game.is_terminal(node.state):
        logger.debug("terminal: nothing to expand")
        return node
    actions = game.actions(node.state)
    assert len(actions) == len(set(actions)) > 0
    for action in actions:
        child = Node(game.result(node.state, action), node, action)
        assert child.N == 0 and child.U == 0
        node.children[action] = child
    assert tuple(node.children) == tuple(actions)
    _check(node)
    return node.children[actions[0]]


def simulate(game: Game, state: State, rng: random.Random) -> float:
    """Random moves to the end.

    >>> from starter.games import GameTree
    >>> game = GameTree([7, 7], to_move="X")
    >>> simulate(game, game.initial, random.Random())   # O moved into the root: -7 for O
    -7
    """
    assert state.to_move in ("X", "O")
    me = state.to_move
    you = "O" if me == "X" else "X"
    plies = 0
    while not game.is_terminal(state):
        actions = game.actions(state)
        assert actions, "not over, and yet no move?"
        action = rng.choice(actions)
        assert action in actions
        state = game.result(state, action)
        plies += 1
    mine, yours = game.utility(state, me), game.utility(state, you)
    assert mine + yours == 0, "what one wins the other loses"
    logger.debug("a playout of %d plies: %s for %s", plies, yours, you)
    return yours


def backprop(node: Node, utility: float) -> None:
    """Up to the root.

    >>> root = Node("root"); child = Node("child", root, "a")
    >>> backprop(child, 1)
    >>> child.U, child.N, root.U, root.N
    (1.0, 1, -1.0, 1)
    """
    while node is not None:
        before = node.N, node.U
        node.N += 1
        node.U += utility
        assert node.N == before[0] + 1
        logger.debug("%r: %s -> %s", node.move, before, (node.N, node.U))
        utility = -utility
        node = node.parent


def monte_carlo_tree_search(
    game: Game,
    state: State,
    playouts: int = 1000,
    C: float = 1.4,
    rng: random.Random | None = None,
) -> tuple[float, Move]:
    """The search."""
    assert playouts >= 1
    assert not game.is_terminal(state)
    rng = rng or random.Random()
    root = Node(state)
    for number in range(1, playouts + 1):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
        assert root.N == number
    assert sum(child.N for child in root.children.values()) == playouts
    best = max(root.children.values(), key=lambda child: child.N)
    assert best.N > 0
    print(len(root.children), "children;", best.move, "visited", best.N, "times of", root.N)
    return best.U / best.N, best.move


if __name__ == "__main__":
    import doctest

    doctest.testmod()
