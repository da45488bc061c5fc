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


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def descend(root, C):
    path = [root]
    while path[-1].children:
        parent = path[-1]
        best_score = -inf
        best_child = None
        for child in parent.children.values():
            if child.N > 0:
                mean = child.U / child.N
                bonus = C * sqrt(log(parent.N) / child.N)
                score = mean + bonus
            else:
                score = inf
            if score > best_score:
                best_score = score
                best_child = child
        path.append(best_child)
    return path


def select(node, C=1.4):
    return descend(node, C)[-1]


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return list(node.children.values())[-1]


def simulate(game, state, rng):
    mover = "O" if state.to_move == "X" else "X"
    history = [state]
    while not game.is_terminal(history[-1]):
        move = rng.choice(list(game.actions(history[-1])))
        history.append(game.result(history[-1], move))
    return game.utility(history[-1], mover)


def record(path, utility):
    for node in reversed(path):
        node.N += 1
        node.U += utility
        utility = -utility


def backprop(node, utility):
    path = [node]
    while path[0].parent is not None:
        path.insert(0, path[0].parent)
    record(path, utility)


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    if rng is None:
        rng = random.Random()
    root = Node(state)
    for i in range(playouts):
        path = descend(root, C)
        child = expand(path[-1], game)
        if child is not path[-1]:
            path.append(child)
        record(path, simulate(game, child.state, rng))
    best_move, best_visits = None, -1
    for move in root.children:
        if root.children[move].N > best_visits:
            best_move, best_visits = move, root.children[move].N
    return root.children[best_move].U / best_visits, best_move
