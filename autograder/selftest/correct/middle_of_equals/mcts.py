import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = dict()
        self.U = 0.0
        self.N = 0

    @property
    def value(self):
        return self.U / self.N if self.N else 0.0

    @property
    def is_leaf(self):
        return not self.children


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.value + C * sqrt(log(node.parent.N) / node.N)


def middle(items):
    return items[len(items) // 2]


def select(node, C=1.4):
    while not node.is_leaf:
        ranking = sorted(((ucb(child, C), child) for child in node.children.values()),
                         key=lambda pair: pair[0], reverse=True)
        node = middle([child for bound, child in ranking if bound == ranking[0][0]])
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    moves = game.actions(node.state)
    states = [game.result(node.state, move) for move in moves]
    nodes = [Node(state, node, move) for state, move in zip(states, moves)]
    node.children = dict(zip(moves, nodes))
    return middle(nodes)


def simulate(game, state, rng):
    opponent = state.to_move
    while not game.is_terminal(state):
        moves = list(game.actions(state))
        rng.shuffle(moves)
        state = game.result(state, moves[0])
    return -1 * game.utility(state, opponent)


def backprop(node, utility):
    sign = 1
    while node is not None:
        node.N, node.U = node.N + 1, node.U + sign * utility
        sign, node = -sign, node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    ranking = sorted(root.children.values(), key=lambda child: (child.N, child.value))
    best = ranking[-1]
    return best.value, best.move
