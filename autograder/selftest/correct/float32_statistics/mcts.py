import random

import numpy as np

ONE = np.float32(1)


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = np.float32(0)
        self.N = np.int32(0)


def ucb(node, C=1.4):
    if node.N == 0:
        return np.float32(np.inf)
    U, N, above = np.float32(node.U), np.float32(node.N), np.float32(node.parent.N)
    return U / N + np.float32(C) * np.sqrt(np.log(above) / N)


def select(node, C=1.4):
    while node.children:
        best, highest = None, np.float32(-np.inf)
        for child in node.children.values():
            bound = ucb(child, C)
            if best is None or bound > highest:
                best, highest = child, bound
        node = best
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return next(iter(node.children.values()))


def simulate(game, state, rng):
    waiting = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        moves = game.actions(state)
        state = game.result(state, moves[rng.randrange(len(moves))])
    return np.float32(game.utility(state, waiting))


def backprop(node, utility):
    utility = np.float32(utility)
    while node is not None:
        node.U = np.float32(node.U + utility)
        node.N = np.int32(node.N + 1)
        utility = -utility
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    if rng is None:
        rng = random.Random()
    root = Node(state)
    for _ in range(playouts):
        node = expand(select(root, C), game)
        backprop(node, simulate(game, node.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / np.float32(best.N), best.move
