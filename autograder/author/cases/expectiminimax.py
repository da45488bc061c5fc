"""Make question 5's cases: trees with chance nodes, and their exact values."""

import contextlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from random import Random
from typing import Any

from autograder.author.cases.registry import UnfitCase, cases_of, require
from autograder.author.cases.selection import select_and_draw, select_cases
from autograder.author.cases.trees import (
    LARGEST,
    Tree,
    choose_fine_numbers,
    compute_values,
    make_special_leaf_trees,
)
from autograder.checks.ask.values import TOLERANCE
from autograder.checks.play.matches import draw_opening
from autograder.diagram import default_side
from autograder.serving.cases import SearchCase
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import other


def solve_chance_game(
    spec: list[Any], state: str | None = None, player: str | None = None
) -> SearchCase:
    """Return a case with value and best move; a tree has its nodes' values."""
    game = make_game(spec)
    root = make_state(game, state)
    side = default_side(root)
    known = compute_values(game, root, player or side)
    value = known[root]
    moves = game.actions(root) if root.to_move != "chance" else ()
    worth = [known[game.result(root, move)] for move in moves]
    near = TOLERANCE * float(max(1, *map(abs, known.values())))
    best = [i for i, other in enumerate(worth) if abs(other - value) <= near]
    apart = all(i in best or abs(other - value) >= 500 * near for i, other in enumerate(worth))
    require(apart, f"two moves of {spec} are worth almost the same")
    sign = 1 if player in (None, side) else -1
    tree = known if spec[0] == "ChanceTree" else {}
    return SearchCase(
        game=spec,
        state=state,
        value=make_json_number(value),
        best=best,
        values={node.key: make_json_number(sign * v) for node, v in tree.items()},
        player=player,
    )


def make_json_number(value: float | Fraction) -> float:
    """Return the value as JSON has it, a whole number as an int."""
    return int(value) if value == int(value) else float(value)


C = "chance"
# Of a tree: 0 for a leaf, else the player to move and the shapes below, ("X", 0, (C, 0, 0)).
Shape = Any

Chances = Callable[[Random, int], Sequence[Any]]  # returns this number of probabilities


def make_equal_chances(rng: Random, count: int) -> list[str]:
    return [f"1/{count}"] * count


def draw_fractions(rng: Random, count: int) -> list[Any]:
    """Return different fractions; a single outcome is certain."""
    shares = rng.sample(range(1, 9), count)
    return [str(Fraction(share, sum(shares))) for share in shares] if count > 1 else [1]


def draw_decimals(rng: Random, count: int) -> list[float]:
    """Return probabilities in hundredths."""
    shares = rng.sample(range(1, 50), count - 1)
    if sum(shares) >= 100 or 100 - sum(shares) in shares:
        return draw_decimals(rng, count)
    return [share / 100 for share in (*shares, 100 - sum(shares))]


def draw_lopsided_chances(rng: Random, count: int) -> list[Any]:
    """Return equal probabilities, except one that is tiny or slightly larger."""
    if count == 1:
        return [1]
    first = rng.choice((Fraction(1, 2000), Fraction(1, count) + Fraction(1, 250)))
    return [str(first), *[str((1 - first) / (count - 1))] * (count - 1)]


def fill_shape(rng: Random, shape: Shape, leaf: Callable[[], float], chances: Chances) -> Tree:
    """Return a tree of this shape with numbers at leaves, and with probabilities."""
    if isinstance(shape, int):
        return leaf()
    who, *below = shape
    subtrees = [fill_shape(rng, child, leaf, chances) for child in below]
    if who == C:
        return {who: [list(pair) for pair in zip(chances(rng, len(below)), subtrees)]}
    return {who: subtrees}


def choose_averaged_numbers(rng: Random) -> Callable[[], float]:
    """Return a source of numbers, no larger than rounding of a mean allows."""
    kinds: list[Callable[[], float]] = [
        lambda: rng.randint(-3, 3),
        lambda: rng.randint(-1000, 1000),
        lambda: rng.randint(-3, 3) * LARGEST // 3,
        lambda: round(rng.uniform(-9, 9), 2),
        choose_fine_numbers(rng),
    ]
    return rng.choice(kinds)


def make_spine(plies: int) -> Shape:
    """Return the shape of a tree with one leaf per ply; X moves at the root."""
    shape: Shape = 0
    for level in range(plies)[::-1]:
        shape = (("X", C, "O", C)[level % 4], 0, shape)
    return shape


DEEP = make_spine(17)


def draw_shape(rng: Random, depth: int, who: str = "") -> Shape:
    """Return a random shape; `who` moves at the root, branches end at random depths."""
    if not who and (depth == 0 or rng.random() < 0.2):
        return 0
    width = rng.choice((2, 3)) if who else rng.choice((1, 2, 2, 3))
    below = [draw_shape(rng, depth - 1) for _ in range(width)]
    return (who or rng.choice(("X", "O", C, C)), *below)


def draw_shapes(rng: Random, depths: Iterable[int], who: str = "") -> list[Shape]:
    """Return random shapes with `who` at the root, by default X or chance."""
    return [draw_shape(rng, depth, who or rng.choice(("X", C))) for depth in depths]


def draw_cases(
    rng: Random, shapes: Iterable[Shape], *chances: Chances, player: str | None = None
) -> list[SearchCase]:
    """Return a case for each shape, alternating the kinds of probabilities."""

    def draw(shape: Shape, kind: Chances) -> SearchCase:
        while True:
            with contextlib.suppress(UnfitCase):  # two moves may be worth almost the same
                spec = ["ChanceTree", fill_shape(rng, shape, choose_averaged_numbers(rng), kind)]
                return solve_chance_game(spec, player=player)

    return [draw(shape, kind) for shape, kind in zip(shapes, cycle(chances))]


@cases_of("5.1")
def make_equal_chance_cases(rng: Random) -> list[SearchCase]:
    end = solve_chance_game(["ChanceTree", rng.randint(2, 60)])
    candidates = draw_cases(rng, draw_shapes(rng, 40 * (1, 2, 3)), make_equal_chances)
    special = [
        solve_chance_game(["ChanceTree", add_chance(tree, to_move)])
        for tree, to_move in make_special_leaf_trees(rng)
    ]
    return [end, *select_cases(candidates, "5.1", 10), *special]


def add_chance(tree: Tree, to_move: str) -> Tree:
    """Return the tree with a fair coin in place of each choice between large leaves."""
    if not isinstance(tree, list):
        return tree
    if len(tree) == 2 and all(not isinstance(leaf, list) and abs(leaf) > 1 for leaf in tree):
        return {C: [["1/2", leaf] for leaf in tree]}
    return {to_move: [add_chance(child, other(to_move)) for child in tree]}


@cases_of("5.2")
def make_unequal_chance_cases(rng: Random) -> list[SearchCase]:
    def draw() -> SearchCase:
        shape = draw_shape(rng, rng.choice((1, 2, 3, 4)), rng.choice(("X", "X", C)))
        chances = rng.choice((draw_fractions, draw_decimals, draw_lopsided_chances))
        return draw_cases(rng, [shape], chances)[0]

    cases = select_and_draw((draw() for _ in range(60)), draw, "5.2", 16)
    return [*cases, *draw_cases(rng, [DEEP], draw_decimals)]


@cases_of("5.3")
def make_o_root_cases(rng: Random) -> list[SearchCase]:
    shapes = draw_shapes(rng, 15 * (2, 3, 4), "O")
    return select_cases(draw_cases(rng, shapes, draw_fractions, draw_decimals), "5.3", 7)


@cases_of("5.4")
def make_any_turn_order_cases(rng: Random) -> list[SearchCase]:
    shapes = draw_shapes(rng, 20 * (2, 3, 4))
    cases = select_cases(draw_cases(rng, shapes, draw_decimals, draw_fractions), "5.4", 9)
    below = sorted(rng.sample(range(-9, 10), 3))  # the best move is no move of the node above
    return [*cases, solve_chance_game(["ChanceTree", {C: [[1, {"X": below}]]}])]


@cases_of("5.5")
def make_node_kind_cases(rng: Random) -> list[SearchCase]:
    """Make cases for leaves, chance nodes and nodes of X and O; MAX is X, or O.

    Further trees expose depth limits, and a best value of 0 that is treated as none. The last two
    cases are boards with other values in an earlier game.
    """
    cases = [
        solve_chance_game(["ChanceTree", rng.choice((-1, 1)) * rng.randint(2, 60)], player=player)
        for player in "XO"
    ]
    for mover in ("chance", "X", "O"):
        for player in "XO":
            shapes = draw_shapes(rng, 20 * (2, 3), mover)
            candidates = draw_cases(rng, shapes, draw_fractions, draw_decimals, player=player)
            cases += select_cases(candidates, "5.5", 3)
    n = rng.randint(2, 60)
    nothing: Tree = {"X": [{C: [["1/2", -n], ["1/2", n]]}, -n]}
    cases += [solve_chance_game(["ChanceTree", nothing], player=player) for player in "XO"]
    for player in "XO":
        cases += draw_cases(rng, [DEEP], draw_decimals, player=player)
    spec, earlier = ["TicTacToe", 3, 4, 4], ["TicTacToe", 3, 4, 3]
    for plies in (7, 8):  # first O is to move
        cases.append(draw_changed_value_case(rng, spec, earlier, plies))
    return cases


def draw_changed_value_case(
    rng: Random, spec: list[Any], earlier: list[Any], plies: int
) -> SearchCase:
    """Return a board that has another value in an earlier game."""
    while True:
        state = draw_opening(make_game(earlier), rng, plies)
        case = solve_chance_game(spec, state.key, state.to_move)
        if case.value != solve_chance_game(earlier, state.key, state.to_move).value:
            return replace(case, earlier=earlier)


@cases_of("5.6")
def make_visit_once_cases(rng: Random) -> list[SearchCase]:
    shapes = draw_shapes(rng, 15 * (2, 3), "X")
    kinds = draw_fractions, draw_decimals, make_equal_chances
    return select_cases(draw_cases(rng, shapes, *kinds), "5.6", 7)


@cases_of("5.7")
def make_pig_cases(rng: Random) -> list[SearchCase]:
    """Make positions close to the end, and whole games, too short to hold in."""
    found = []
    for turn, rolling in (("X", ""), ("O", ""), (rng.choice("XO"), "*")):
        goal = rng.randint(5, 12)
        x, o = goal - rng.randint(2, 4), goal - rng.randint(3, 4)
        rolled = 2 if goal - (x if turn == "X" else o) > 2 else 0
        found.append(solve_chance_game(["Pig", goal], f"{x}-{o} {turn} {rolled}{rolling}"))
    return [*found, *(solve_chance_game(["Pig", goal]) for goal in (2, 3, 4))]
