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

    def add(self, utility):
        self.U += utility
        self.N += 1


def ucb(node, C=1.4):
    return inf if node.N == 0 else node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def favourite(node, C):
    best = None
    for child in node.children.values():
        child_bound = ucb(child, C)
        if best is None or child_bound > best_bound:
            best, best_bound = child, child_bound
    return best


def select(node, C=1.4):
    child = favourite(node, C)
    return node if child is None else select(child, C)


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children.setdefault(move, Node(game.result(node.state, move), node, move))
    return list(node.children.values())[0]


def simulate(game, state, rng):
    def playout(state):
        if game.is_terminal(state):
            return game.utility(state, player)
        return playout(game.result(state, rng.choice(game.actions(state))))

    player = "XO"["OX".index(state.to_move)]
    return playout(state)


def backprop(node, utility):
    node.add(utility)
    if node.parent is not None:
        backprop(node.parent, -utility)


def visit(node, game, C, rng):
    """One playout through `node`; return its result for who moved into the node."""
    if node.children:
        utility = -visit(favourite(node, C), game, C, rng)
    else:
        child = expand(node, game)
        utility = simulate(game, child.state, rng)
        if child is not node:
            child.add(utility)
            utility = -utility
    node.add(utility)
    return utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        visit(root, game, C, rng)
    best = None
    for child in root.children.values():
        if best is None or best.N < child.N:
            best = child
    return best.U / best.N, best.move
