import random
from math import inf, log, sqrt


class Node(dict):
    def __init__(self, state, parent=None, move=None):
        super().__init__()
        self.state, self.parent, self.move = state, parent, move
        self.U, self.N = 0.0, 0

    @property
    def children(self):
        return self


def ucb(node, C=1.4):
    try:
        return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)
    except ZeroDivisionError:
        return inf


def select(node, C=1.4):
    try:
        return select(max(node.values(), key=lambda child: ucb(child, C) if child.N else inf), C)
    except ValueError:
        return node


def expand(node, game):
    node |= {move: Node(game.result(node.state, move), node, move) for move in game.actions(node.state)}
    return next(reversed(node.values()), node)


def simulate(game, state, rng):
    moves = game.actions(state)
    if not moves:
        return -game.utility(state, state.to_move)
    return -simulate(game, game.result(state, rng.choice(moves)), rng)


def backprop(node, utility):
    node.U += utility
    node.N += 1
    if node.parent is not None:
        backprop(node.parent, -utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    move, best = max(root.items(), key=lambda item: item[1].N)
    return best.U / best.N, move
