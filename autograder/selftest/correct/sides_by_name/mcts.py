import random
from collections import Counter
from math import inf, log, sqrt

OTHER = {"X": "O", "O": "X"}


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0
        self.mover = OTHER[state.to_move]


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        chosen = None
        for child in node.children.values():
            if chosen is None or ucb(child, C) >= ucb(chosen, C):
                chosen = child
        node = chosen
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    first, *_ = node.children.values()
    return first


def play_out(game, state, rng):
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return state


def simulate(game, state, rng):
    return game.utility(play_out(game, state, rng), OTHER[state.to_move])


def backprop(node, utility):
    worth = {node.mover: utility, OTHER[node.mover]: -utility}
    while node is not None:
        node.U += worth[node.mover]
        node.N += 1
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    visits = Counter({move: child.N for move, child in root.children.items()})
    ((move, N),) = visits.most_common(1)
    return root.children[move].U / N, move
