"""Rebuild the search tree that recorded playouts imply, and check it against UCB.

The rules of the search determine the tree that a sequence of playouts grows. Each playout descends
from the root to a leaf, expands the leaf, and adds its result to every node on the way. So every
step of a playout inside the tree can be compared with the largest UCB there. (P. Auer, N.
Cesa-Bianchi, P. Fischer, "Finite-time Analysis of the Multiarmed Bandit Problem", 2002; Russell and
Norvig, 4th edition, figure 5.11.)
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from math import inf
from typing import NamedTuple

from autograder.checks.mcts.playouts import find_ends
from autograder.checks.mcts.rules import RIGHT, Rules
from autograder.serving.game_server import GameServer
from starter.games import Move, State, other

Path = tuple[Move, ...]  # a node of the tree, by the moves that lead to it from the root
ROUNDING = 1e-5  # of a UCB, in float32; a smaller difference proves nothing about a choice


# --- the tree -------------------------------------------------------------------------------------


class Child(NamedTuple):
    """The statistics of a node, and its UCB."""

    U: float
    N: int
    ucb: float


def find_best_moves(children: dict[Move, Child]) -> list[Move]:
    """Return the moves to the children with the largest UCB."""
    most = max(child.ucb for child in children.values())
    enough = most if most == inf else most - ROUNDING * max(1.0, abs(most))
    return [move for move, child in children.items() if child.ucb >= enough]


class ImpliedTree:
    """The search tree that playouts grow, one playout at a time."""

    def __init__(self, server: GameServer, C: float, rules: Rules = RIGHT) -> None:
        self.game, self.C, self.rules = server.game, C, rules
        self.states: dict[Path, State] = {(): server.root}
        self.expanded: set[Path] = set()
        self.U: defaultdict[Path, float] = defaultdict(float)
        self.N: Counter[Path] = Counter()
        if rules.early == "root":
            self.expand(())

    @property
    def playouts(self) -> int:
        return self.N[()]

    def children(self, path: Path) -> dict[Move, Child]:
        """Return the statistics of an expanded node's children, with their UCB."""
        found = {}
        for move in self.game.actions(self.states[path]):
            node = (*path, move)
            U, N = self.U[node], self.N[node]
            ucb = self.rules.formula(U, N, self.N[path], self.playouts, self.C) if N else inf
            found[move] = Child(U, N, ucb)
        return found

    def find_unexplained(self, moves: Path) -> Path | None:
        """Return the first node of a playout whose UCB was not the largest, or None."""
        path: Path = ()
        while path in self.expanded:
            move = moves[len(path)]
            if move not in find_best_moves(self.children(path)):
                return (*path, move)
            path = (*path, move)
        return None

    def play(self, moves: Path) -> None:
        """Add a playout with these moves, all of which are explained."""
        path: Path = ()
        while path in self.expanded:
            path = moves[: len(path) + 1]
        waits = self.rules.late and path and not self.N[path]
        for _ in range(0 if waits else 2 if self.rules.early == "twice" else 1):
            if not self.game.is_terminal(self.states[path]):
                self.expand(path)
                path = moves[: len(path) + 1]
        end = start = self.states[path]
        for move in moves[len(path) :]:
            end = self.game.result(end, move)
        utility = self.game.utility(end, other(start.to_move))
        result = self.rules.result(utility, start.to_move)
        for height, added in enumerate(self.rules.added(result, len(path) + 1)):
            node = path[: len(path) - height]
            self.U[node] += added
            self.N[node] += 1

    def expand(self, path: Path) -> None:
        self.expanded.add(path)
        for move in self.game.actions(self.states[path]):
            child = (*path, move)
            self.states[child] = self.game.result(self.states[path], move)

    def revisit(self) -> bool:
        """Add a playout from a known terminal node, if the largest UCB leads to one.

        Such a playout need not ask for anything, because its result is known.
        """
        for path in self.find_due_leaves(()):
            if self.N[path] and self.game.is_terminal(self.states[path]):
                self.play(path)
                return True
        return False

    def find_due_leaves(self, path: Path) -> Iterator[Path]:
        """Yield the leaves below a node that the largest UCB may lead to."""
        if path not in self.expanded:
            yield path
            return
        for move in find_best_moves(self.children(path)):
            yield from self.find_due_leaves((*path, move))


# --- the tree and the record ----------------------------------------------------------------------


class Step(NamedTuple):
    """A step down the search tree that UCB does not explain, when it was taken.

    playout:  the number of the playout, from 1
    path:     the node where the step was taken
    move:     the step
    N:        the node's visits
    children: the statistics of all children
    """

    playout: int
    path: Path
    move: Move
    N: int
    children: dict[Move, Child]


def find_best_reading(
    server: GameServer, playouts: int, C: float, rules: Rules = RIGHT
) -> tuple[ImpliedTree, Step | None]:
    """Return the tree that playouts imply, up to the first unexplained step.

    A playout from a terminal node may ask for the utility again, once or for both players, or
    remember it. And a terminal node may be the end of a playout, or one that it only examines. So
    the record has several readings. One reading suffices if it explains every step, and at least
    half of the playouts; otherwise the reading that explains most is returned.
    """
    found = []
    for tree, step in read_playouts(server, playouts, C, rules):
        if step is None and tree.playouts == playouts:
            return tree, None
        found.append((step is None and tree.playouts >= playouts // 2, tree.playouts, tree, step))
    _, _, tree, step = max(found, key=lambda each: each[:2])
    return tree, step


def read_playouts(
    server: GameServer, playouts: int, C: float, rules: Rules = RIGHT
) -> Iterator[tuple[ImpliedTree, Step | None]]:
    """Yield each reading's tree, with the first unexplained step."""
    differ = find_ends(server) != find_ends(server, looks=False)
    for looks, times in product((True, False) if differ else (True,), (1, 2, 0)):
        yield replay_playouts(server, playouts, C, rules, times, looks)


def replay_playouts(
    server: GameServer, playouts: int, C: float, rules: Rules, times: int, looks: bool
) -> tuple[ImpliedTree, Step | None]:
    """Return the tree and the first unexplained step, in one reading of the record."""
    tree = ImpliedTree(server, C, rules)
    for end in find_ends(server, times, looks):
        if tree.playouts == playouts:
            break
        moves = server.moves(end.node)
        while path := tree.find_unexplained(moves):  # unless a silent revisit came before
            if times or tree.playouts == playouts or not tree.revisit():
                break
        if path:
            above = path[:-1]
            visits, children = tree.N[above], tree.children(above)
            return tree, Step(tree.playouts + 1, above, path[-1], visits, children)
        tree.play(moves)
    while not times and tree.playouts < playouts and tree.revisit():
        pass
    return tree, None
