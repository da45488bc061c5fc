import random

import numpy as np


class Statistics:
    """Two columns, U and N, with one row for each node of a tree."""

    def __init__(self):
        self.size = 0
        self.U = np.zeros(16)
        self.N = np.zeros(16, dtype=np.int64)

    def new_row(self):
        if self.size == len(self.U):
            self.U = np.concatenate([self.U, np.zeros_like(self.U)])
            self.N = np.concatenate([self.N, np.zeros_like(self.N)])
        self.size += 1
        return self.size - 1


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state, self.parent, self.move = state, parent, move
        self.children = {}
        self.table = Statistics() if parent is None else parent.table
        self.row = self.table.new_row()

    @property
    def U(self):
        return self.table.U[self.row]

    @U.setter
    def U(self, value):
        self.table.U[self.row] = value

    @property
    def N(self):
        return self.table.N[self.row]

    @N.setter
    def N(self, value):
        self.table.N[self.row] = value


def bounds(table, rows, parent_visits, C):
    N = table.N[rows]
    tried = np.maximum(N, 1)
    exploration = C * np.sqrt(np.log(max(parent_visits, 1)) / tried)
    return np.where(N == 0, np.inf, table.U[rows] / tried + exploration)


def ucb(node, C=1.4):
    return bounds(node.table, [node.row], node.parent.N, C)[0]


def select(node, C=1.4):
    while node.children:
        children = list(node.children.values())
        rows = [child.row for child in children]
        node = children[bounds(node.table, rows, node.N, C).argmax()]
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.children[move]


def simulate(game, state, rng):
    me = "X" if state.to_move == "O" else "O"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, me)


def backprop(node, utility):
    rows = []
    table = node.table
    while node is not None:
        rows.append(node.row)
        node = node.parent
    signs = np.where(np.arange(len(rows)) % 2 == 0, 1.0, -1.0)
    table.N[rows] += 1
    table.U[rows] += signs * utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    children = list(root.children.values())
    rows = [child.row for child in children]
    best = int(np.argmax(root.table.N[rows]))
    return children[best].U / children[best].N, children[best].move
