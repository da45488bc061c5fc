import random

import numpy as np


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children = {}
        self.U = np.float64(0.0)
        self.N = np.int64(0)


def ucb(node, C=1.4):
    if node.N == 0:
        return np.inf
    return node.U / node.N + C * np.sqrt(np.log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        children = list(node.children.values())
        node = children[np.argmax([ucb(child, C) for child in children])]
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return next(iter(node.children.values()))


def simulate(game, state, rng):
    sign = np.int64(-1)
    player = state.to_move
    while not game.is_terminal(state):
        moves = game.actions(state)
        state = game.result(state, moves[np.int64(rng.randrange(len(moves)))])
    return sign * game.utility(state, player)


def backprop(node, utility):
    utility = np.float64(utility)
    while node is not None:
        node.U += utility
        node.N += 1
        utility *= -1
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    moves = list(root.children)
    visits = np.array([child.N for child in root.children.values()])
    utilities = np.array([child.U for child in root.children.values()])
    best = np.argmax(visits)
    move = moves[best]
    if isinstance(move, int):
        move = np.arange(100)[move]
    return utilities[best] / visits[best], move
