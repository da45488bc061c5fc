"""Make question 5's cases: trees with chance nodes, and their exact values."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import cycle
from random import Random
from typing import Any

from autograder.author.cases.registry import Unfit, cases_of, require
from autograder.author.cases.selection import select, select_and_draw
from autograder.author.cases.trees import Tree, fine
from autograder.checks.matches import draw_opening
from autograder.checks.values import TOLERANCE
from autograder.diagram import default_side
from autograder.serving.cases import SearchCase
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import Game, State

# --- values ---------------------------------------------------------------------------------------


def exact(
    game: Game,
    state: State,
    player: str,
    known: dict[State, Fraction] | None = None,
) -> Fraction:
    """Return a position's exact value for `player`, with each state evaluated once."""
    known = {} if known is None else known
    if state not in known:
        below = [
            exact(game, game.result(state, move), player, known) for move in game.actions(state)
        ]
        if not below:
            known[state] = Fraction(game.utility(state, player))
        elif state.to_move == "chance":
            chances = (Fraction(chance) for chance, _ in game.outcomes(state))
            known[state] = sum((p * value for p, value in zip(chances, below)), Fraction())
        else:
            known[state] = (max if state.to_move == player else min)(below)
    return known[state]


def states_of(game: Game, state: State) -> Iterator[State]:
    """Yield the position and all below it."""
    yield state
    for move in game.actions(state):
        yield from states_of(game, game.result(state, move))


def judged(spec: list[Any], state: str | None = None, player: str | None = None) -> SearchCase:
    """Return a case with value and best move; a tree has its inner nodes' values."""
    game = make_game(spec)
    here = make_state(game, state)
    max_player = player or default_side(here)
    known: dict[State, Fraction] = {}
    value = exact(game, here, max_player, known=known)
    moves = game.actions(here) if here.to_move != "chance" else ()
    worth = [known[game.result(here, move)] for move in moves]
    near = TOLERANCE * float(max(Fraction(1), *map(abs, known.values())))
    best = [i for i, other in enumerate(worth) if abs(other - value) <= near]
    apart = all(i in best or abs(other - value) >= 500 * near for i, other in enumerate(worth))
    require(apart, f"two moves of {spec} are worth almost the same")
    sign = 1 if max_player == default_side(here) else -1
    values = {s.key: as_number(sign * v) for s, v in known.items() if spec[0] == "ChanceTree"}
    return SearchCase(
        game=spec, state=state, value=as_number(value), best=best, values=values, player=player
    )


def as_number(value: Fraction) -> float:
    """Return the value as JSON has it, a whole number as an int."""
    return int(value) if value.denominator == 1 else float(value)


# --- trees ----------------------------------------------------------------------------------------

C = "chance"
# Of a tree: 0 for a leaf, else the player to move and the shapes below, ("X", 0, (C, 0, 0)).
Shape = Any

Chances = Callable[[Random, int], Sequence[Any]]  # returns this number of probabilities


def equal(rng: Random, count: int) -> list[str]:
    return [f"1/{count}"] * count


def fractions(rng: Random, count: int) -> list[Any]:
    """Return different fractions; a single outcome is certain."""
    shares = rng.sample(range(1, 9), count)
    return [str(Fraction(share, sum(shares))) for share in shares] if count > 1 else [1]


def floats(rng: Random, count: int) -> list[float]:
    """Return probabilities in hundredths."""
    shares = rng.sample(range(1, 50), count - 1)
    if sum(shares) >= 100 or 100 - sum(shares) in shares:
        return floats(rng, count)
    return [share / 100 for share in (*shares, 100 - sum(shares))]


def lopsided(rng: Random, count: int) -> list[Any]:
    """Return equal probabilities, except one that is tiny or slightly larger."""
    if count == 1:
        return [1]
    first = rng.choice((Fraction(1, 2000), Fraction(1, count) + Fraction(1, 250)))
    others = (1 - first) / (count - 1)
    return [str(first), *[str(others)] * (count - 1)]


def filled(rng: Random, shape: Shape, leaf: Callable[[], float], chances: Chances) -> Tree:
    """Return a tree of this shape with numbers at leaves, and with probabilities."""
    if isinstance(shape, int):
        return leaf()
    who, *below = shape
    subtrees = [filled(rng, child, leaf, chances) for child in below]
    if who == C:
        return {who: [list(pair) for pair in zip(chances(rng, len(below)), subtrees)]}
    return {who: subtrees}


def numbers(rng: Random) -> Callable[[], float]:
    """Return a source of numbers, no larger than rounding of a mean allows."""
    kinds: list[Callable[[], float]] = [
        lambda: rng.randint(-3, 3),
        lambda: rng.randint(-1000, 1000),
        lambda: rng.randint(-3, 3) * 100_000_000,
        lambda: round(rng.uniform(-9, 9), 2),
        fine(rng),
    ]
    return rng.choice(kinds)


def spine(plies: int) -> Shape:
    """Return the shape of a tree with one leaf per ply; X moves at the root."""
    shape: Shape = 0
    for level in range(plies)[::-1]:
        shape = (("X", C, "O", C)[level % 4], 0, shape)
    return shape


DEEP = spine(17)


def random_shape(rng: Random, depth: int, who: str = "") -> Shape:
    """Return a random shape; `who` moves at the root, branches end at random depths."""
    if not who and (depth == 0 or rng.random() < 0.2):
        return 0
    width = rng.choice((2, 3)) if who else rng.choice((1, 2, 2, 3))
    below = [random_shape(rng, depth - 1) for _ in range(width)]
    return (who or rng.choice(("X", "O", C, C)), *below)


def random_shapes(rng: Random, depths: Iterable[int], who: str) -> list[Shape]:
    return [random_shape(rng, depth, who) for depth in depths]


def any_shapes(rng: Random, depths: Iterable[int]) -> list[Shape]:
    """Return random shapes with X or chance at the root."""
    return [random_shape(rng, depth, rng.choice(("X", C))) for depth in depths]


def of_shapes(
    rng: Random, shapes: Iterable[Shape], *chances: Chances, player: str | None = None
) -> list[SearchCase]:
    """Return a case for each shape, alternating the kinds of probabilities."""

    def drawn(shape: Shape, kind: Chances) -> SearchCase:
        while True:
            with contextlib.suppress(Unfit):  # two moves may be worth almost the same
                spec = ["ChanceTree", filled(rng, shape, numbers(rng), kind)]
                return judged(spec, player=player)

    return [drawn(shape, kind) for shape, kind in zip(shapes, cycle(chances))]


# --- the tests ------------------------------------------------------------------------------------


@cases_of("5.1")
def equal_chances(rng: Random) -> list[SearchCase]:
    end = judged(["ChanceTree", rng.randint(2, 60)])
    return [end, *select(of_shapes(rng, any_shapes(rng, 40 * (1, 2, 3)), equal), "5.1", 10)]


@cases_of("5.2")
def other_chances(rng: Random) -> list[SearchCase]:
    def draw() -> SearchCase:
        shape = random_shape(rng, rng.choice((1, 2, 3, 4)), rng.choice(("X", "X", C)))
        return of_shapes(rng, [shape], rng.choice((fractions, floats, lopsided)))[0]

    cases = select_and_draw([draw() for _ in range(60)], draw, "5.2", 16)
    return [*cases, *of_shapes(rng, [DEEP], floats)]


@cases_of("5.3")
def o_at_the_root(rng: Random) -> list[SearchCase]:
    shapes = random_shapes(rng, 15 * (2, 3, 4), "O")
    return select(of_shapes(rng, shapes, fractions, floats), "5.3", 7)


@cases_of("5.4")
def any_order_of_moves(rng: Random) -> list[SearchCase]:
    shapes = any_shapes(rng, 20 * (2, 3, 4))
    cases = select(of_shapes(rng, shapes, floats, fractions), "5.4", 9)
    below = sorted(rng.sample(range(-9, 10), 3))  # the best move is no move of the node above
    certain = judged(["ChanceTree", {C: [[1, {"X": below}]]}])
    return [*cases, certain]


@cases_of("5.5")
def each_kind_of_node(rng: Random) -> list[SearchCase]:
    """Make cases for leaves, chance nodes and nodes of X and O; MAX is X, or O.

    Further trees expose depth limits, and a best value of 0 that is treated as none. The last two
    cases are boards with other values in an earlier game.
    """
    cases = [
        judged(["ChanceTree", rng.choice((-1, 1)) * rng.randint(2, 60)], player=player)
        for player in "XO"
    ]
    for mover in ("chance", "X", "O"):
        for player in "XO":
            shapes = random_shapes(rng, 20 * (2, 3), mover)
            cases += select(of_shapes(rng, shapes, fractions, floats, player=player), "5.5", 3)
    n = rng.randint(2, 60)
    nothing: Tree = {"X": [{C: [["1/2", -n], ["1/2", n]]}, -n]}
    cases += [judged(["ChanceTree", nothing], player=player) for player in "XO"]
    cases += [case for player in "XO" for case in of_shapes(rng, [DEEP], floats, player=player)]
    spec, earlier = ["TicTacToe", 3, 4, 4], ["TicTacToe", 3, 4, 3]
    for plies in (7, 8):  # first O is to move
        cases.append(worth_something_else(rng, spec, earlier, plies))
    return cases


def worth_something_else(
    rng: Random, spec: list[Any], earlier: list[Any], plies: int
) -> SearchCase:
    """Return a board that has another value in an earlier game."""
    while True:
        state = draw_opening(make_game(earlier), rng, plies)
        case = judged(spec, state.key, state.to_move)
        if case.value != judged(earlier, state.key, state.to_move).value:
            return replace(case, earlier=earlier)


@cases_of("5.6")
def nothing_twice(rng: Random) -> list[SearchCase]:
    shapes = random_shapes(rng, 15 * (2, 3), "X")
    return select(of_shapes(rng, shapes, fractions, floats), "5.6", 6)


@cases_of("5.7")
def pig(rng: Random) -> list[SearchCase]:
    """Make positions close to the end, and whole games, too short to hold in."""
    found = []
    for turn, rolling in (("X", ""), ("O", ""), (rng.choice("XO"), "*")):
        goal = rng.randint(5, 12)
        x, o = goal - rng.randint(2, 4), goal - rng.randint(3, 4)
        rolled = 2 if goal - (x if turn == "X" else o) > 2 else 0
        found.append(judged(["Pig", goal], f"{x}-{o} {turn} {rolled}{rolling}"))
    return [*found, *(judged(["Pig", goal]) for goal in (2, 3, 4))]
