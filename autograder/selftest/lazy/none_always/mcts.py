"""Everything: no move."""

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


def answer(game, state):
    return 0, None


def select(node, C=1.4):
    return node


def expand(node, game):
    return node


def simulate(game, state, rng):
    return 0


def backprop(node, utility):
    node.N += 1


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    return answer(game, state)
