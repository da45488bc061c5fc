import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move, self.children = state, parent, move, {}
        self.U, self.N = 0.0, 0


def ucb(node, C=1.4):
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N) if node.N else inf


def select(node, C=1.4):
    if not node.children:
        return node
    first, *rest = node.children.values()
    return select(best(rest, first, lambda child: ucb(child, C)), C)


def best(nodes, so_far, key):
    if not nodes:
        return so_far
    return best(nodes[1:], nodes[0] if key(nodes[0]) > key(so_far) else so_far, key)


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    add_children(node, game, game.actions(node.state))
    return node.children[game.actions(node.state)[0]]


def add_children(node, game, moves):
    if moves:
        node.children[moves[0]] = Node(game.result(node.state, moves[0]), node, moves[0])
        add_children(node, game, moves[1:])


def simulate(game, state, rng):
    if game.is_terminal(state):
        return -game.utility(state, state.to_move)
    children = [game.result(state, move) for move in game.actions(state)]
    return -simulate(game, rng.choice(children), rng)


def backprop(node, utility):
    node.U += utility
    node.N += 1
    if node.parent:
        backprop(node.parent, -utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    first, *rest = root.children.values()
    chosen = best(rest, first, lambda child: child.N)
    return chosen.U / chosen.N, chosen.move
