import random
from math import inf, log, sqrt


class Node:
    __slots__ = ("state", "parent", "move", "children", "U", "N")

    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move, self.children = state, parent, move, {}
        self.U, self.N = 0.0, 0


def ucb(node, C=1.4):
    if not node.N:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    path = [node]
    while path[-1].children:
        best = None
        for child in path[-1].children.values():
            value = ucb(child, C)
            if best is None or value > best[0]:
                best = (value, child)
        path.append(best[1])
    return path.pop()


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    queue = list(game.actions(node.state))
    while queue:
        move = queue.pop(0)
        node.children[move] = child = Node(game.result(node.state, move), node, move)
    return child


def simulate(game, state, rng):
    states = [state]
    while not game.is_terminal(states[-1]):
        moves = list(game.actions(states[-1]))
        rng.shuffle(moves)
        states.append(game.result(states[-1], moves.pop()))
    loser = state.to_move
    return -game.utility(states[-1], loser)


def backprop(node, utility):
    path = []
    while node:
        path.append(node)
        node = node.parent
    for distance, node in enumerate(path):
        node.N += 1
        node.U += utility * (-1) ** distance


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    ranking = sorted(root.children.values(), key=lambda child: -child.N)
    return ranking[0].U / ranking[0].N, ranking[0].move
