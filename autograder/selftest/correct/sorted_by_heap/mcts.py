import heapq
import random
from math import inf, log2, sqrt

LN_2 = 0.6931471805599453


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
    return (node.U + C * sqrt(LN_2 * log2(node.parent.N) * node.N)) / node.N


def select(node, C=1.4):
    while node.children:
        heap = []
        for i, child in enumerate(node.children.values()):
            bound = ucb(child, C)
            mean = 0.0 if bound == inf else child.U / child.N
            heapq.heappush(heap, (-bound, -mean, str(child.move), i, child))
        node = heap[0][-1]
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return max(node.children.values(), key=lambda child: len(game.actions(child.state)))


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        moves = game.actions(state)
        number = rng.getrandbits(8)
        while number >= 256 - 256 % len(moves):
            number = rng.getrandbits(8)
        state = game.result(state, moves[number % len(moves)])
    return game.utility(state, player)


def backprop(node, utility):
    nodes = []
    while node is not None:
        nodes.append(node)
        node = node.parent
    for mine in nodes[0::2]:
        mine.U += utility
    for theirs in nodes[1::2]:
        theirs.U -= utility
    for node in nodes:
        node.N += 1


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    (best,) = heapq.nlargest(1, root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
