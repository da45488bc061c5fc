import random
from collections import Counter
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.seen = Counter()  # result: how often
        self.start = (0.0, 0)  # what U and N were set to, if they were

    @property
    def N(self):
        return self.start[1] + sum(self.seen.values())

    @N.setter
    def N(self, visits):
        self.start = (self.U, visits)
        self.seen.clear()

    @property
    def U(self):
        return self.start[0] + sum(result * times for result, times in self.seen.items())

    @U.setter
    def U(self, total):
        self.start = (total, self.N)
        self.seen.clear()


def ucb(node, C=1.4):
    visits = node.N
    if visits == 0:
        return inf
    return node.U / visits + C * sqrt(log(node.parent.N) / visits)


def select(node, C=1.4):
    while node.children:
        untried = [child for child in node.children.values() if not child.N]
        node = untried[-1] if untried else max(node.children.values(), key=lambda c: ucb(c, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.children[move]


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    while node is not None:
        node.seen[utility] += 1
        node, utility = node.parent, -utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
