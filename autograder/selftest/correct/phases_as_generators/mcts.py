import random
from collections import deque
from functools import reduce
from itertools import accumulate, cycle, repeat, starmap, takewhile
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.__dict__.update(state=state, parent=parent, move=move, children={}, U=0.0, N=0)


def ucb(node, C=1.4):
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N) if node.N else inf


def last(iterable):
    return deque(iterable, maxlen=1).pop()


def downwards(node, C):
    yield node
    if node.children:
        yield from downwards(
            reduce(lambda a, b: b if ucb(b, C) > ucb(a, C) else a, node.children.values()), C
        )


def upwards(node):
    return takewhile(lambda node: node is not None, accumulate(repeat(node), lambda n, _: n and n.parent))


def game_from(game, state, rng):
    yield state
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
        yield state


def select(node, C=1.4):
    return last(downwards(node, C))


def expand(node, game):
    moves = () if game.is_terminal(node.state) else game.actions(node.state)
    states = map(game.result, repeat(node.state), moves)
    node.children.update(zip(moves, starmap(Node, zip(states, repeat(node), moves))))
    return next(iter(node.children.values()), node)


def simulate(game, state, rng):
    return game.utility(last(game_from(game, state, rng)), "O" if state.to_move == "X" else "X")


def backprop(node, utility):
    for above, sign in zip(upwards(node), cycle((1, -1))):
        above.N += 1
        above.U += sign * utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for leaf in starmap(select, repeat((root, C), playouts)):
        child = expand(leaf, game)
        backprop(child, simulate(game, child.state, rng))
    best = reduce(lambda a, b: b if b.N > a.N else a, root.children.values())
    return best.U / best.N, best.move
