import random
from math import inf, log, sqrt


class Node:
    """A leaf, until it is expanded."""

    over = None

    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0

    def look(self, game):
        """Find out, once, what kind of node this is; an inner node has all its children."""
        if self.over is None:
            self.moves = game.actions(self.state)
            self.over = not self.moves
            self.__class__ = End if self.over else Inner
            for move in self.moves:
                self.children[move] = Node(game.result(self.state, move), self, move)

    def entry(self):
        return self


class End(Node):
    pass


class Inner(Node):
    def entry(self):
        return self.children[self.moves[len(self.moves) // 3]]


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    def bound(child):
        return ucb(child, C)

    while True:
        child = max(node.children.values(), key=bound, default=None)
        if child is None:
            return node
        node = child


def expand(node, game):
    node.look(game)
    return node.entry()


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    moves = game.actions(state)
    while moves:
        state = game.result(state, rng.choice(moves))
        moves = game.actions(state)
    return game.utility(state, player)


def backprop(node, utility):
    for sign in iter(lambda: -1, None):
        if node is None:
            return
        node.U, node.N = node.U + utility, node.N + 1
        node, utility = node.parent, sign * utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
