import random
from math import inf, log, sqrt

results = {}  # of playouts that begin where the game is over


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
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return next(iter(node.children.values()))


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    if (game, state) in results:
        return results[game, state]
    if game.is_terminal(state):
        results[game, state] = game.utility(state, player)
        return results[game, state]
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    while node is not None:
        node.U += utility
        node.N += 1
        utility = -utility
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    results.clear()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
