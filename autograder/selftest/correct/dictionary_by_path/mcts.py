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
        if parent is None:
            self.path = ()
            self.tree = {}
        else:
            self.path = (*parent.path, move)
            self.tree = parent.tree
        self.tree[self.path] = self


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    above = node.tree[node.path[:-1]]
    return node.U / node.N + C * sqrt(log(above.N) / node.N)


def select(node, C=1.4):
    tree, path = node.tree, node.path
    while tree[path].children:
        below = [(*path, move) for move in tree[path].children]
        path = max(below, key=lambda path: ucb(tree[path], C))
    return tree[path]


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.tree[(*node.path, move)]


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    for length in range(len(node.path), -1, -1):
        above = node.tree[node.path[:length]]
        above.N += 1
        above.U += utility * (-1) ** (len(node.path) - length)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    visits = {path: node.N for path, node in root.tree.items() if len(path) == 1}
    best = root.tree[max(visits, key=visits.get)]
    return best.U / best.N, best.path[0]
