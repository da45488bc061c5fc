import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None): self.state, self.parent, self.move, self.children, self.U, self.N = state, parent, move, {}, 0.0, 0


ucb = lambda node, C=1.4: inf if not node.N else node.U / node.N + C * sqrt(log(node.parent.N) / node.N)
select = lambda node, C=1.4: select(max(node.children.values(), key=lambda n: ucb(n, C)), C) if node.children else node
simulate = lambda game, state, rng: -game.utility(state, state.to_move) if game.is_terminal(state) else -simulate(game, game.result(state, rng.choice(game.actions(state))), rng)


def expand(node, game):
    node.children.update((a, Node(game.result(node.state, a), node, a)) for a in game.actions(node.state))
    return [node, *node.children.values()][bool(node.children)]


def backprop(node, utility):
    while node: node.U, node.N, node, utility = node.U + utility, node.N + 1, node.parent, -utility


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng, root = rng or random.Random(), Node(state)
    for child in (expand(select(root, C), game) for _ in range(playouts)): backprop(child, simulate(game, child.state, rng))
    return max(((c.U / c.N, m) for m, c in root.children.items() if c.N), key=lambda pair: root.children[pair[1]].N)
