import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children, self.U, self.N = {}, 0.0, 0


class MonteCarlo:
    """The search; what changes during one is kept in the nodes alone."""

    default_C = 1.4

    def ucb(self, node, C=default_C):
        if node.N == 0:
            return inf
        return self.mean(node) + C * self.width(node)

    @staticmethod
    def mean(node):
        return node.U / node.N

    @staticmethod
    def width(node):
        return sqrt(log(node.parent.N) / node.N)

    def select(self, node, C=default_C):
        while node.children:
            node = max(node.children.values(), key=lambda child: self.ucb(child, C))
        return node

    def expand(self, node, game):
        if not game.is_terminal(node.state):
            node.children = {
                move: Node(game.result(node.state, move), node, move)
                for move in game.actions(node.state)
            }
        return self.first(node)

    @staticmethod
    def first(node):
        for child in node.children.values():
            return child
        return node

    def simulate(self, game, state, rng):
        if game.is_terminal(state):
            return -game.utility(state, state.to_move)
        return -self.simulate(game, game.result(state, rng.choice(game.actions(state))), rng)

    def backprop(self, node, utility):
        if node is not None:
            node.U += utility
            node.N += 1
            self.backprop(node.parent, -utility)

    def __call__(self, game, state, playouts=1000, C=default_C, rng=None):
        rng = rng or random.Random()
        root = Node(state)
        for _ in range(playouts):
            child = self.expand(self.select(root, C), game)
            self.backprop(child, self.simulate(game, child.state, rng))
        best = max(root.children.values(), key=lambda child: child.N)
        return self.mean(best), best.move


monte_carlo_tree_search = MonteCarlo()
ucb = monte_carlo_tree_search.ucb
select = monte_carlo_tree_search.select
expand = monte_carlo_tree_search.expand
simulate = monte_carlo_tree_search.simulate
backprop = monte_carlo_tree_search.backprop
