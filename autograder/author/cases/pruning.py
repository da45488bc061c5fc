"""Make trees in which a search without pruning misses prunes of given kinds."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from autograder.author.cases.trees import Tree, by_size, chain, judged, mirrored, random_tree, size
from autograder.checks.replay import Replay
from autograder.serving.cases import SearchCase
from autograder.serving.record import RecordingGame
from starter.games import GameTree, State


class Kind(NamedTuple):
    """A kind of prunes, see `checks/pruning.py`."""

    side: str
    deep: bool = False
    equal: bool = False


PLAIN_MIN, PLAIN_MAX = Kind("min"), Kind("max")
PLAIN = {PLAIN_MIN, PLAIN_MAX}
DEEP = {Kind("min", deep=True), Kind("max", deep=True)}
EQUAL = {Kind("min", equal=True), Kind("max", equal=True)}


def chances_to_cut(tree: Tree, case: SearchCase) -> set[Kind]:
    """Return the kinds of prunes that a search of `tree` without pruning misses.

    Values and window are the case's; the tree may be cut off.
    """
    to_move, player = case.game[2], case.max_player
    game = GameTree(tree, to_move)
    recorded = RecordingGame(game, game.initial)

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        worth = case.values[state.key]
        return worth if player == to_move else -worth

    def visit(state: State) -> None:
        if recorded.is_terminal(state):
            recorded.utility(state, player)
        for move in recorded.actions(state):
            visit(recorded.result(state, move))

    visit(recorded.initial)
    replay = Replay(recorded.record, value, player, (case.alpha, case.beta))
    return {Kind(cut.side, cut.deep, cut.equal) for cut in replay.missed}


def pruning_cases(
    rng: Random,
    count: int,
    wanted: set[Kind],
    depth: int,
    largest: int = 45,
    widths: Sequence[int] = (2, 2, 3),
) -> list[SearchCase]:
    """Return trees in which a search without pruning misses each given kind of prune."""
    cases: list[SearchCase] = []
    while len(cases) < count:
        numbers = (
            [rng.randint(0, 9) for _ in range(200)]  # with ties
            if wanted >= EQUAL
            else rng.sample(range(-99, 100), 199)
        )
        tree = random_tree(rng, depth, numbers.pop, widths, 0.05)
        if not isinstance(tree, list) or size(tree) > largest:
            continue
        case = judged(["GameTree", tree, "XXO"[len(cases) % 3]])
        if wanted <= chances_to_cut(tree, case):
            cases.append(case)
    return by_size(cases)


def late_at_min_nodes(rng: Random) -> Tree:
    """Return a tree with prunes after the first and second move, at min nodes.

    They separate a missing prune from one that is a move late or never made after the first move,
    and a bound that is not passed from one that is a move behind.
    """
    n = sorted(rng.sample(range(-60, 61), 7))
    return [n[2], [n[1], n[5], n[0]], [n[4], n[0], n[6]]]


def late_at_max_nodes(rng: Random) -> Tree:
    """Return the same for max nodes."""
    n = sorted(rng.sample(range(-60, 61), 10))
    return [[[n[5], n[3]], [n[8], n[0], n[2]], [n[4], n[7], n[1]]], n[6]]


def forgotten_bounds() -> list[SearchCase]:
    """Make trees that catch setting a bound to v instead of tightening it."""
    trees = [5, [[3, [4, 9]], 8]], [[-5, [[-3, [-4, -9]], -8]]]
    return [judged(["GameTree", tree, "X"]) for tree in trees]


def far_bounds() -> list[Tree]:
    """Make trees with prunes by a bound from five or nine plies above.

    The node is of either kind. Each tree also has plain prunes of both kinds, to detect searches
    that miss those.
    """
    min_trees: list[Tree] = [[[7, [8, 1]], [3, 9], chain(plies, [2, 8])] for plies in (4, 8)]
    return [*min_trees, *([mirrored(tree)] for tree in min_trees)]


def cut_after_a_line() -> tuple[Tree, Tree]:
    """Return trees with a prune of each kind of node after a line of ten moves."""
    tree: Tree = [5, [chain(9, 3), 9]]
    return tree, [mirrored(tree)]
