import math
import random


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
        return 1e12
    return node.U / node.N + C * math.sqrt(math.log(node.parent.N) / node.N)


def select(node, C=1.4):
    while len(node.children) > 0:
        best_value, best_child = -1e15, None
        for child in node.children.values():
            value = ucb(child, C)
            if value >= best_value:  # the last of equals
                best_value, best_child = value, child
        node = best_child
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    new = None
    for move in game.actions(node.state):
        new = Node(game.result(node.state, move), parent=node, move=move)
        node.children[move] = new
    return new


def simulate(game, state, rng):
    player = "XO"[state.to_move == "X"]
    while not game.is_terminal(state):
        moves = game.actions(state)
        state = game.result(state, moves[int(rng.random() * len(moves))])
    return game.utility(state, player)


def backprop(node, utility):
    node.N = node.N + 1
    node.U = node.U + utility
    if node.parent is not None:
        backprop(node.parent, -utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    if rng is None:
        rng = random.Random()
    root = Node(state)
    for i in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    best = None
    for child in root.children.values():
        if best is None or child.N > best.N:
            best = child
    return best.U / best.N, best.move
