"""Make boards that expose a transposition table which stores bounds as values."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from math import inf
from random import Random
from typing import Any

from autograder.author.cases.boards import cut_board, judged_position
from autograder.checks.matches import opening
from autograder.serving.cases import CutoffCase, PositionsCase, ValuedPosition, by_squares
from autograder.worker.inside.protocol import make_game
from solution.alphabeta import alphabeta_search
from starter.games import Game, Move, State

SMALL: list[Any] = ["ConnectFour", 4, 5, 4]
BOTH = ("max", "min")
Table = dict[State, tuple[float, Move, bool]]  # value, move, and whether the value is a bound


def keeping_search(
    game: Game,
    state: State,
    stored: Collection[str] = BOTH,
    stores_cutoffs_as_bounds: bool = False,
    depth: float = inf,
    h: Callable[[State], float] = lambda state: 0,
    known: Table | None = None,
    prunes: bool = True,
) -> tuple[float, Move]:
    """A buggy search with a table that ignores the window a value was found with.

    stored: the kinds of nodes, "max" or "min", whose values it stores. On a board each state occurs
            at one depth only, so a table by state and depth is the same
    stores_cutoffs_as_bounds: if true, fail-high values are stored as bounds, but fail-low values
                              still as exact
    depth:  the last depth that is searched; below it h counts, for X
    known:  the table of an earlier search; the root is not looked up
    prunes: if false, it is minimax
    """
    player, sign = state.to_move, 1 if state.to_move == "X" else -1
    table: Table = {} if known is None else known

    def look(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        if game.is_terminal(here):
            return game.utility(here, player), None
        if level > depth:
            return sign * h(here), None
        mine = level % 2 == 0
        value, move, bound = table.get(here, (0, None, True))
        if here not in table or (bound and not (value >= beta if mine else value <= alpha)):
            value, move, cut = search(here, alpha, beta, level)
            if BOTH[level % 2] in stored:
                table[here] = value, move, cut and stores_cutoffs_as_bounds
        return value, move

    def search(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move, bool]:
        mine = level % 2 == 0
        v, best_move = -inf if mine else inf, None
        for move in game.actions(here):
            v2, _ = look(game.result(here, move), alpha, beta, level + 1)
            if v2 > v if mine else v2 < v:
                v, best_move = v2, move
            if prunes and (v >= beta if mine else v <= alpha):
                return v, best_move, True
            if prunes:
                alpha, beta = (max(alpha, v), beta) if mine else (alpha, min(beta, v))
        return v, best_move, False

    return search(state, -inf, inf, 0)[:2]


def reached_twice(rng: Random, stored: Collection[str], stores_bounds: bool) -> CutoffCase:
    """Return a board that exposes two tables: one of all nodes, one of some kinds.

    The second stores some kinds of nodes only, or some values as bounds.
    """
    depth = 5 if stores_bounds and "min" not in stored else 4  # such boards with 4 are rare
    game = make_game(SMALL)
    while True:
        state = opening(game, rng, rng.randint(11, 13))
        squares = [rng.randint(0, 9) for _ in range(20)]
        h = by_squares(squares)
        value, _ = keeping_search(game, state, (), False, depth, h)  # a correct search
        if value == keeping_search(game, state, stored, stores_bounds, depth, h)[0]:
            continue
        if value == keeping_search(game, state, depth=depth, h=h)[0]:
            continue
        case = cut_board(SMALL, state, depth, squares)
        if len(case.values) <= 300:  # larger cases are slow to serve
            return replace(case, values={})


def reached_at_other_depths(rng: Random) -> CutoffCase:
    """Return a pile that exposes a table of exact values without their depth."""
    coins, depth = rng.randint(9, 14), rng.choice((2, 4))
    spec = ["TakeAway", coins, 3]
    game = make_game(spec)
    keys = [f"{left} {to_move}" for left in range(1, coins + 1) for to_move in "XO"]
    worth = {key: rng.randint(-40, 40) / 100 for key in keys}

    def h(state: State) -> float:
        return worth[state.key]

    value, _ = keeping_search(game, game.initial, (), False, depth, h, prunes=False)
    if value == keeping_search(game, game.initial, depth=depth, h=h, prunes=False)[0]:
        return reached_at_other_depths(rng)
    children = (game.result(game.initial, move) for move in game.actions(game.initial))
    below = [keeping_search(game, child, (), False, depth - 1, h)[0] for child in children]
    best = [i for i, reply in enumerate(below) if -reply == value]
    return CutoffCase(game=spec, value=value, best=best, depth=depth, h=worth)


def ends_reached_twice(rng: Random) -> PositionsCase:
    """Return boards, searched to the end, that expose tables of one kind of node.

    The tables store all values as exact, or all except fail-high ones. Such boards are rare,
    because few leaves differ in utility.
    """
    game = make_game(SMALL)
    found: dict[tuple[str, bool], ValuedPosition] = {}
    while len(found) < 4:
        state = opening(game, rng, rng.randint(11, 13))
        value, _ = alphabeta_search(game, state)
        for kind, bounds in product(BOTH, (False, True)):
            wrong, _ = keeping_search(game, state, (kind,), bounds)
            if (kind, bounds) not in found and value != wrong:
                found[kind, bounds] = judged_position(game, state)
    return PositionsCase(game=SMALL, positions=list(found.values()))


def worth_something_else(rng: Random, spec: list[Any], earlier: list[Any], plies: int) -> State:
    """Return a board that exposes tables with values from an earlier game.

    The tables store max nodes or min nodes only, with and without pruning.
    """
    game, before = make_game(spec), make_game(earlier)
    while True:
        state = opening(before, rng, plies)
        value, _ = alphabeta_search(game, state)
        if value == alphabeta_search(before, state)[0]:
            continue
        for kind, prunes in product(BOTH, (False, True)):
            known: Table = {}
            keeping_search(before, state, (kind,), known=known, prunes=prunes)
            if value == keeping_search(game, state, (kind,), known=known, prunes=prunes)[0]:
                break
        else:
            return state


def with_equal_states(
    rng: Random, spec: list[Any], earlier: list[Any], plies: int
) -> PositionsCase:
    """Return boards that have other values in an earlier game."""
    game = make_game(spec)
    states = (worth_something_else(rng, spec, earlier, plies) for _ in range(3))
    positions = [judged_position(game, state) for state in states]
    return PositionsCase(game=spec, earlier=earlier, positions=positions)
