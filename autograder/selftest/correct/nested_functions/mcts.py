import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children = {}
        self.U, self.N = 0.0, 0


def ucb(node, C=1.4):
    return inf if node.N == 0 else node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    def bound(child):
        return ucb(child, C)

    def down(node):
        if not node.children:
            return node
        return down(max(node.children.values(), key=bound))

    return down(node)


def expand(node, game):
    def child(move):
        return Node(game.result(node.state, move), node, move)

    if game.is_terminal(node.state):
        return node
    node.children = {move: child(move) for move in game.actions(node.state)}
    return list(node.children.values())[0]


def simulate(game, state, rng):
    mover = {"X": "O", "O": "X"}[state.to_move]

    def playout(state):
        if game.is_terminal(state):
            return game.utility(state, mover)
        return playout(game.result(state, rng.choice(game.actions(state))))

    return playout(state)


def backprop(node, utility):
    def up(node, utility):
        if node is not None:
            node.N += 1
            node.U += utility
            up(node.parent, -utility)

    up(node, utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)

    def playout():
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))

    for _ in range(playouts):
        playout()
    visits = {move: child.N for move, child in root.children.items()}
    move = max(visits, key=visits.get)
    return root.children[move].U / root.children[move].N, move
