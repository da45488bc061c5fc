import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None, rng=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0
        self.rng = rng if parent is None else parent.rng

    def pick(self, nodes):
        """Any of the nodes, at random during a search."""
        return nodes[0] if self.rng is None else self.rng.choice(nodes)


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        ties, highest = [], -inf
        for child in node.children.values():
            bound = ucb(child, C)
            if bound > highest:
                ties, highest = [], bound
            if bound == highest:
                ties.append(child)
        node = node.pick(ties)
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.pick(list(node.children.values()))


def simulate(game, state, rng):
    player = {"X": "O", "O": "X"}[state.to_move]
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    while node:
        node.N += 1
        node.U += utility
        node, utility = node.parent, -utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    root = Node(state, rng=rng or random.Random())
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, root.rng))
    visits = [child.N for child in root.children.values()]
    best = root.pick([c for c in root.children.values() if c.N == max(visits)])
    return best.U / best.N, best.move
