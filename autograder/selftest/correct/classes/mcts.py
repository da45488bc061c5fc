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

    @property
    def mean(self):
        return self.U / self.N

    def bound(self, C):
        return ucb(self, C)

    def favourite(self, C):
        return max(self.children.values(), key=lambda child: child.bound(C))

    def grow(self, game):
        for move in game.actions(self.state):
            self.children[move] = Node(game.result(self.state, move), self, move)

    def record(self, utility):
        self.N += 1
        self.U += utility
        if self.parent is not None:
            self.parent.record(-utility)


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.mean + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        node = node.favourite(C)
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    node.grow(game)
    return node.children[game.actions(node.state)[-1]]


class Playout:
    def __init__(self, game, state, rng):
        self.game, self.state, self.rng = game, state, rng
        self.player = "O" if state.to_move == "X" else "X"

    def run(self):
        while not self.game.is_terminal(self.state):
            moves = self.game.actions(self.state)
            self.state = self.game.result(self.state, moves[self.rng.randrange(len(moves))])
        return self.game.utility(self.state, self.player)


def simulate(game, state, rng):
    return Playout(game, state, rng).run()


def backprop(node, utility):
    node.record(utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.mean, best.move
