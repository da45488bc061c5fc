"""Every tie is broken at random, by the numbers of the search's own rng."""

import random
from math import inf, log, sqrt

generator = random.Random(2024)


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


def any_best(nodes, key):
    best = max(map(key, nodes))
    return generator.choice([node for node in nodes if key(node) == best])


def select(node, C=1.4):
    while node.children:
        node = any_best(node.children.values(), lambda child: ucb(child, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return generator.choice(list(node.children.values()))


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        (move,) = rng.sample(game.actions(state), 1)
        state = game.result(state, move)
    return game.utility(state, player)


def backprop(node, utility):
    while node is not None:
        node.U, node.N = node.U + utility, node.N + 1
        node, utility = node.parent, -utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    global generator
    generator = rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = any_best(root.children.values(), lambda child: child.N)
    return best.U / best.N, best.move
