import random
from math import inf, log, sqrt

from starter.games import Game, other
from starter.players import play_game


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0


def ucb(node, C=1.4):
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N) if node.N else inf


def select(node, C=1.4):
    if not node.children:
        return node
    # Untried children first, in order; that is what an infinite bound means.
    for child in node.children.values():
        if child.N == 0:
            return select(child, C)
    return select(max(node.children.values(), key=lambda child: ucb(child, C)), C)


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return node.children[move]


class Starting(Game):
    """A game that begins at a given state."""

    def __init__(self, game, state):
        self.initial = state
        self.actions, self.result = game.actions, game.result
        self.is_terminal, self.utility = game.is_terminal, game.utility


def simulate(game, state, rng):
    def player(game, state):
        return rng.choice(game.actions(state))

    record = play_game(Starting(game, state), {"X": player, "O": player})
    return game.utility(record.state, other(state.to_move))


def backprop(node, utility):
    sign = 1
    while node:
        node.N += 1
        node.U += sign * utility
        sign *= -1
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        child = expand(select(root, C), game)
        backprop(child, simulate(game, child.state, rng))
    by_visits = {child.N: child for child in root.children.values()}
    best = by_visits[max(by_visits)]
    return best.U / best.N, best.move
