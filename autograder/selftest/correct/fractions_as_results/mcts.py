import random
from fractions import Fraction
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = Fraction(0)
        self.N = 0

    def mean(self):
        return Fraction(self.U) / self.N


def ucb(node, C=1.4):
    return float(node.mean()) + C * sqrt(log(node.parent.N) / node.N) if node.N else inf


def select(node, C=1.4):
    if not node.children:
        return node
    bounds = {move: ucb(child, C) for move, child in node.children.items()}
    return select(node.children[max(bounds, key=bounds.__getitem__)], C)


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return list(node.children.values())[-2:][0]  # the last but one


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        (move,) = rng.choices(game.actions(state))
        state = game.result(state, move)
    return Fraction(game.utility(state, player))


def backprop(node, utility):
    node.U, node.N = Fraction(node.U) + Fraction(utility), node.N + 1
    if node.parent:
        backprop(node.parent, -utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.mean(), best.move
