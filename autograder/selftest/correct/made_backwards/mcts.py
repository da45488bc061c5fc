import random
from collections import OrderedDict
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = OrderedDict()
        self.U = 0.0
        self.N = 0
        self.depth = 0 if parent is None else parent.depth + 1


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        # The last of equals.
        _, node = max(enumerate(node.children.values()), key=lambda item: (ucb(item[1], C), item[0]))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    made = []
    for move in reversed(game.actions(node.state)):
        made.append((move, Node(game.result(node.state, move), node, move)))
    node.children = OrderedDict(reversed(made))
    for child in node.children.values():
        if game.is_terminal(child.state):
            return child
    return made[0][1]


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        moves = game.actions(state)
        state = game.result(state, moves[rng.randint(0, len(moves) - 1)])
    return game.utility(state, player)


def backprop(node, utility):
    bottom = node.depth
    while node is not None:
        node.U += utility if (bottom - node.depth) % 2 == 0 else -utility
        node.N += 1
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(reversed(root.children.values()), key=lambda child: child.N)
    return best.U / best.N, best.move
