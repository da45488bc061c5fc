"""Make trees and boards where a pruned, worse move returns the best value.

A search that replaces its move by an equal one, by any rule, answers with the worse move.
"""

from __future__ import annotations

from math import inf
from random import Random
from typing import Any

from autograder.author.cases.boards import TTT, judged_position
from autograder.author.cases.registry import require
from autograder.author.cases.trees import Tree, mirrored, size
from autograder.checks.matches import opening
from autograder.serving.cases import PositionsCase
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import min_value
from starter.games import Game, GameTree, Move, State

SMALL: list[Any] = ["ConnectFour", 4, 4, 3]
Pair = tuple[Move, Move]  # the best move, and an equal one that is worse
Trait = tuple[str, int]


# --- trees ----------------------------------------------------------------------------------------


def equal_bound_trees(rng: Random) -> list[tuple[Tree, str]]:
    """Return trees of value below, at and above 0, with their first player, by size.

    There are four of each sign. In three of them the best move ends the game. In the last it has
    more replies than one equal move, as many as another and fewer than a third. In one the equal
    move's name comes before the best move's.
    """
    trees: list[tuple[Tree, str]] = []
    for i, sign in enumerate((-1, 0, 1)):
        n = sign * rng.randint(2, 20)
        best = rng.sample([n, n + rng.randint(1, 9), n + rng.randint(1, 9)], 3)
        shapes: list[Tree] = [
            [n, pruned_at(rng, n, 0, 1)],
            [n - rng.randint(1, 9), n, pruned_at(rng, n, 1, 1), pruned_at(rng, n, 0, 1)],
            [n, [[n, n - 1], [n - 2, n - 3]], [[pruned_at(rng, n, 0, 1), n - 4]]],
            [best, pruned_at(rng, n, 0, 1), pruned_at(rng, n, 1, 1), pruned_at(rng, n, 1, 2)],
        ]
        for j, tree in enumerate(shapes):
            game = GameTree(tree)
            require(bool(equal_bounds(game, game.initial)), f"no equal move is worse in {tree}")
            side = "XO"[(i + j) % 2]
            seen = mirrored(tree) if side == "O" else tree
            trees.append((dict(zip(("d", "c", "b", "a"), seen)) if j == 1 else seen, side))
    return sorted(trees, key=lambda pair: size(pair[0]))


def pruned_at(rng: Random, n: float, before: int, after: int) -> Tree:
    """Return a min node that is left at its reply worth `n`, before worse replies."""
    higher = [n + rng.randint(1, 9) for _ in range(before)]
    return [*higher, n, *(n - rng.randint(1, 9) for _ in range(after))]


def equal_bounds(game: Game, root: State) -> list[Pair]:
    """Find worse moves whose search returns exactly the best value so far.

    There are none if another move is as good as the best one.
    """
    player, alpha = root.to_move, -inf
    best, found = None, list[Pair]()
    for move in game.actions(root):
        child = game.result(root, move)
        value, _ = min_value(game, child, player, alpha, inf)
        true, _ = min_value(game, child, player, -inf, inf)
        if value > alpha:
            best, alpha, found = move, value, []
        elif true == alpha:
            return []
        elif value == alpha:
            found.append((best, move))
    return found


# --- boards ---------------------------------------------------------------------------------------


def equal_bound_boards(rng: Random) -> list[PositionsCase]:
    """Return drawn and won boards, then boards of Connect Four.

    There an equal move leaves fewer replies, or more, or is nearer to the centre.
    """
    plans: list[tuple[list[Any], tuple[int, int], list[Trait]]] = [
        (TTT, (2, 6), [("value", 0), ("value", 1)]),
        (SMALL, (5, 10), [("replies", -1), ("replies", 1), ("centre", 1)]),
    ]
    cases = []
    for spec, plies, wanted in plans:
        game, states = make_game(spec), list[State]()
        for trait in 3 * wanted:
            state = opening(game, rng, rng.randint(*plies))
            while trait not in traits(game, state) or state in states:
                state = opening(game, rng, rng.randint(*plies))
            states.append(state)
        cases.append(PositionsCase(game=spec, positions=[judged_position(game, s) for s in states]))
    return cases


def traits(game: Game, root: State) -> set[Trait]:
    """Return signs of a board's value and of its equal moves' features.

    The features are the additional replies beside the best move and, in Connect Four, the smaller
    distance to the centre.

    There are none if no equal move is worse.
    """
    found = set[Trait]()
    for pair in equal_bounds(game, root):
        best, equal = (game.result(root, move) for move in pair)
        value, _ = min_value(game, best, root.to_move, -inf, inf)
        found.add(("value", sign(value)))
        found.add(("replies", sign(len(game.actions(equal)) - len(game.actions(best)))))
        if all(isinstance(move, int) for move in pair):
            off, equal_off = (abs(2 * column + 1 - root.shape[1]) for column in pair)
            found.add(("centre", sign(off - equal_off)))
    return found


def sign(number: float) -> int:
    return (number > 0) - (number < 0)
