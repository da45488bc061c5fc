import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.children[rarest(node.children)]


def rarest(children):
    """The child with the fewest visits: right after an expansion, the first."""
    return min(children, key=lambda move: children[move].N)


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    if game.is_terminal(state):
        return game.utility(state, player)
    while True:
        move = rng.choice(game.actions(state))
        if game.is_terminal(game.result(state, move)):
            return game.utility(game.result(state, move), player)
        state = game.result(state, move)


def backprop(node, utility):
    current, value = node, utility
    while current is not None:
        current.N = current.N + 1
        current.U = current.U + value
        value = -value
        current = current.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    if rng is None:
        rng = random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    children = list(root.children.values())
    children.sort(key=lambda child: child.N)
    return children[-1].U / children[-1].N, children[-1].move
