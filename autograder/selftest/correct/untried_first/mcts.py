import random
from math import log, log1p, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0
        self.N = 0

    def __repr__(self):
        return f"<{self.move}: {self.U}/{self.N}>"


def ucb(node, C=1.4):
    if not node.N:
        return float("inf")
    exploration = sqrt(log(node.parent.N)) * node.N**-0.5
    exploitation = node.U * (1 / node.N)
    return C * exploration + exploitation


def untried(node):
    for child in node.children.values():
        if child.N == 0:
            return child
    return None


def select(node, C=1.4):
    while len(node.children) != 0:
        child = untried(node)
        if child is None:
            factor = C * sqrt(log1p(node.N - 1))
            child = max(
                node.children.values(), key=lambda c: factor / sqrt(c.N) + c.U / c.N
            )
        node = child
    return node


def expand(node, game):
    state = node.state
    if game.is_terminal(state):
        return node
    for move in game.actions(state):
        node.children[move] = Node(game.result(state, move), parent=node, move=move)
    child = untried(node)
    assert child is not None
    return child


def simulate(game, state, rng):
    sign = -1 if state.to_move == "X" else 1
    while not game.is_terminal(state):
        moves = game.actions(state)
        state = game.result(state, moves[int(len(moves) * rng.random())])
    return sign * game.utility(state, "X")


def backprop(node, utility):
    while True:
        node.N += 1
        node.U += utility
        if node.parent is None:
            return
        node, utility = node.parent, 0 - utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = random.Random() if rng is None else rng
    root = Node(state)
    while root.N < playouts:
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    most = max(child.N for child in root.children.values())
    for move, child in root.children.items():
        if child.N == most:
            return child.U / most, move
