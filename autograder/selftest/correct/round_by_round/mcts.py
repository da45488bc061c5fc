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
    children = node.children
    while children:
        scores = [(ucb(child, C), -i, child) for i, child in enumerate(children.values())]
        node = max(scores)[2]
        children = node.children
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    new = {}
    for move in game.actions(node.state):
        new[move] = Node(game.result(node.state, move), node, move)
    node.children.update(new)
    return new[min(new, key=str)]


def draw(moves, rng):
    """Any of the moves: the k-th takes the place of those before it with chance 1/k."""
    for k, move in enumerate(moves, 1):
        if rng.random() * k < 1:
            chosen = move
    return chosen


def simulate(game, state, rng):
    first, second = state.to_move, "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        for player in (first, second):
            if not game.is_terminal(state):
                assert state.to_move == player
                state = game.result(state, draw(game.actions(state), rng))
    return game.utility(state, second)


def backprop(node, utility):
    while node is not None:
        for result in (utility, -utility):
            if node is not None:
                node.U += result
                node.N += 1
                node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    most = sorted(child.N for child in root.children.values()).pop()
    (best, *_) = [child for child in root.children.values() if child.N == most]
    return best.U / best.N, best.move
