"""Make trees in which a search without pruning misses prunes of given kinds."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import NamedTuple

from autograder.author.cases.trees import (
    Tree,
    judged,
    leaves,
    mirrored,
    random_tree,
    size,
    with_leaves,
)
from autograder.checks.replay import Replay
from autograder.checks.values import values_for
from autograder.serving.cases import SearchCase
from autograder.serving.record import Event, Record
from starter.games import GameTree, other


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
    record = Record(game, game.initial)
    values = values_for(player, game, case.values.__getitem__, to_move)

    def visit(number: int) -> None:
        state = record.state(number)
        if game.is_terminal(state):
            record.note(Event("utility", number, player, game.utility(state, player)))
        for move in game.actions(state):
            visit(record.add("result", game.result(state, move), number, move))

    visit(0)
    replay = Replay(record, values, player, (case.alpha, case.beta))
    return {Kind(cut.side, cut.deep, cut.equal) for cut in replay.missed}


def called_with(function: str, tree: Tree, player: str, alpha: float, beta: float) -> SearchCase:
    """Return a call of max_value or min_value with a window and `player`'s values."""
    to_move = player if function == "max_value" else other(player)
    case = judged(["GameTree", mirrored(tree) if player == "O" else tree, to_move])
    return replace(
        case,
        value=case.value if to_move == player else -case.value,
        player=player,
        function=f"alphabeta.{function}",
        alpha=alpha,
        beta=beta,
    )


def random_call(rng: Random, tree: Tree, inside: bool = True) -> SearchCase:
    """Return a call of either function with a window, which holds the tree's value if `inside`.

    From the root, where the window is infinite, several mistakes look the same.
    """
    function, player = rng.choice(("max_value", "min_value")), rng.choice("XO")
    case = called_with(function, tree, player, -1, 1)
    numbers = {leaf if player == "X" else -leaf for leaf in leaves(case.game[1])}
    far = 2 * max(1, *map(abs, numbers))
    bounds = sorted({-far, *numbers, far})
    alpha, beta = sorted(rng.sample(bounds, 2))
    if inside:
        alpha = rng.choice([number for number in bounds if number < case.value])
        beta = rng.choice([number for number in bounds if number > case.value])
    return replace(case, alpha=alpha, beta=beta)


def pruning_trees(
    rng: Random, count: int, wanted: set[Kind], depth: int = 4, stretched: float = 0.0
) -> list[SearchCase]:
    """Return searches that miss each of these kinds of prunes if they do not prune.

    Unless equality is wanted, the numbers are different, so that no prune is due by it, and one is
    0: a bound of 0 is a bound, too.
    """
    cases: list[SearchCase] = []
    while len(cases) < count:
        most = rng.choice((12, 99))
        numbers = rng.sample(range(-most, most + 1), 2 * most)
        if wanted >= EQUAL:
            scale = rng.choice((1, 2**27))  # a margin is lost among large numbers
            numbers = [scale * rng.randint(0, 9) for _ in range(99)]
        try:
            tree = random_tree(rng, depth, numbers.pop, (2, 2, 3), 0.1, stretched)
        except IndexError:  # more leaves than numbers
            continue
        if isinstance(tree, list) and size(tree) <= 60:
            if not wanted >= EQUAL:
                zero = rng.choice(leaves(tree))
                tree = with_leaves(tree, {leaf: leaf - zero for leaf in leaves(tree)})
            case = judged(["GameTree", tree, rng.choice("XO")])
            if wanted <= chances_to_cut(tree, case):
                cases.append(case)
    return cases


def pruning_calls(rng: Random, count: int, wanted: set[Kind]) -> list[SearchCase]:
    """Return such searches as calls with windows."""
    cases: list[SearchCase] = []
    while len(cases) < count:
        (case,) = pruning_trees(rng, 1, PLAIN)
        call = random_call(rng, case.game[1], inside=False)
        if wanted <= chances_to_cut(call.game[1], call):
            cases.append(call)
    return cases


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
