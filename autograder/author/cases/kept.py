"""Boards on which a search that keeps values in a table, though they are bounds, goes wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from math import inf
from random import Random
from typing import Any

from autograder.author.cases.boards import cut_board, judged_position
from autograder.cases import CutoffCase, PositionsCase, ValuedPosition, by_squares
from autograder.inside.protocol import make_game
from autograder.judge.matches import opening
from solution.alphabeta import alphabeta_search
from starter.games import Game, Move, State

SMALL: list[Any] = ["ConnectFour", 4, 5, 4]
BOTH = ("max", "min")


def keeping_search(
    game: Game,
    state: State,
    kept: Collection[str] = BOTH,
    told: bool = False,
    depth: float = inf,
    h: Callable[[State], float] = lambda state: 0,
) -> tuple[float, Move]:
    """A search that is wrong: it keeps the values of some nodes, whatever alpha and beta were.

    kept:  the kinds of nodes, "max" or "min"; in the games here a state is met at one depth only,
           so to keep values by state and depth, or by state and player, comes to the same
    told:  whether it knows that what a cut-off leaves is a bound; it overlooks then that a value
           which has not come up to alpha (or down to beta) is one, too
    depth: the last depth at which it goes on; below it h counts, seen from X
    """
    player, sign = state.to_move, 1 if state.to_move == "X" else -1
    known: dict[State, tuple[float, Move, bool]] = {}

    def look(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        if game.is_terminal(here):
            return game.utility(here, player), None
        if level > depth:
            return sign * h(here), None
        mine = level % 2 == 0
        value, move, bound = known.get(here, (0, None, True))
        if here not in known or (bound and not (value >= beta if mine else value <= alpha)):
            value, move, cut = search(here, alpha, beta, level)
            if BOTH[level % 2] in kept:
                known[here] = value, move, cut and told
        return value, move

    def search(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move, bool]:
        mine = level % 2 == 0
        v, best_move = -inf if mine else inf, None
        for move in game.actions(here):
            v2, _ = look(game.result(here, move), alpha, beta, level + 1)
            if v2 > v if mine else v2 < v:
                v, best_move = v2, move
            if v >= beta if mine else v <= alpha:
                return v, best_move, True
            alpha, beta = (max(alpha, v), beta) if mine else (alpha, min(beta, v))
        return v, best_move, False

    return look(state, -inf, inf, 0)


def reached_twice(rng: Random, kept: Collection[str], told: bool) -> CutoffCase:
    """A board on which two searches go wrong: one that keeps the values of all nodes, and one that
    keeps those of some kinds only, or some as bounds."""
    depth = 5 if told and "min" not in kept else 4  # there are hardly any such boards with 4
    game = make_game(SMALL)
    while True:
        state = opening(game, rng, rng.randint(11, 13))
        squares = [rng.randint(0, 9) for _ in range(20)]
        h = by_squares(squares)
        value, _ = keeping_search(game, state, (), False, depth, h)  # that is a right one
        if value == keeping_search(game, state, kept, told, depth, h)[0]:
            continue
        if value == keeping_search(game, state, depth=depth, h=h)[0]:
            continue
        case = cut_board(SMALL, state, depth, squares)
        if len(case.values) <= 300:  # others can't be served quickly
            return replace(case, values={})


def reached_at_other_depths(rng: Random) -> CutoffCase:
    """A pile on which a search goes wrong that keeps exact values, but not how deep it looked."""
    coins, depth = rng.randint(9, 14), rng.choice((2, 4))
    spec = ["TakeAway", coins, 3]
    game = make_game(spec)
    keys = [f"{left} {to_move}" for left in range(1, coins + 1) for to_move in "XO"]
    worth = {key: rng.randint(-40, 40) / 100 for key in keys}

    def look(state: State, level: int, known: dict[State, float] | None) -> float:
        if game.is_terminal(state):
            return game.utility(state, "X")
        if level > depth:
            return worth[state.key]
        if known is not None and state in known:
            return known[state]
        best = max if state.to_move == "X" else min
        below = (game.result(state, move) for move in game.actions(state))
        value = best(look(child, level + 1, known) for child in below)
        if known is not None:
            known[state] = value
        return value

    value = look(game.initial, 0, None)
    if value == look(game.initial, 0, {}):
        return reached_at_other_depths(rng)
    children = [game.result(game.initial, move) for move in game.actions(game.initial)]
    best = [i for i, child in enumerate(children) if look(child, 1, None) == value]
    return CutoffCase(game=spec, value=value, best=best, depth=depth, h=worth)


def ends_reached_twice(rng: Random) -> PositionsCase:
    """Boards to be searched to the end, on which searches go wrong that keep values of one kind of
    node as exact: all of them, or all but what a cut-off leaves. There are few such boards, for few
    ends differ in their utility."""
    game = make_game(SMALL)
    found: dict[tuple[str, bool], ValuedPosition] = {}
    while len(found) < 4:
        state = opening(game, rng, rng.randint(11, 13))
        value, _ = alphabeta_search(game, state)
        for kind, told in product(BOTH, (False, True)):
            if (kind, told) not in found and value != keeping_search(game, state, (kind,), told)[0]:
                found[kind, told] = judged_position(game, state)
    return PositionsCase(game=SMALL, positions=list(found.values()))
