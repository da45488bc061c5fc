"""Boards on which a search that keeps values by the state alone gets another value."""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import inf
from random import Random

from autograder.author.cases.boards import best_by_values, board_values
from autograder.cases import CutoffCase, by_squares
from autograder.inside.protocol import make_game
from autograder.judge.matches import opening
from starter.games import Game, Move, State


def keeping_search(
    game: Game, state: State, depth: int, h: Callable[[State], float], kept: Collection[str]
) -> tuple[float, Move]:
    """A depth-limited search that is wrong: it keeps the values of some nodes by their state alone.

    kept: the kinds of nodes, "max" or "min"; in the games here a state is met at one depth only, so
          to keep values by state and depth, or by state and player, comes to the same
    """
    player, sign = state.to_move, 1 if state.to_move == "X" else -1
    known: dict[State, tuple[float, Move]] = {}

    def look(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        if game.is_terminal(here):
            return game.utility(here, player), None
        if level > depth:
            return sign * h(here), None
        kind = "max" if level % 2 == 0 else "min"
        if kind not in kept:
            return search(here, alpha, beta, level)
        if here not in known:
            known[here] = search(here, alpha, beta, level)
        return known[here]

    def search(here: State, alpha: float, beta: float, level: int) -> tuple[float, Move]:
        mine = level % 2 == 0
        v, best_move = -inf if mine else inf, None
        for move in game.actions(here):
            v2, _ = look(game.result(here, move), alpha, beta, level + 1)
            if v2 > v if mine else v2 < v:
                v, best_move = v2, move
            if v >= beta if mine else v <= alpha:
                break
            alpha, beta = (max(alpha, v), beta) if mine else (alpha, min(beta, v))
        return v, best_move

    return look(state, -inf, inf, 0)


def reached_twice(rng: Random, some: Collection[str]) -> CutoffCase:
    """A board on which two searches go wrong: one that keeps the values of all nodes, and one that
    keeps those of some kinds only."""
    spec, depth = ["ConnectFour", 4, 5, 4], 4
    game = make_game(spec)
    while True:
        state = opening(game, rng, rng.randint(7, 12))
        squares = [rng.randint(0, 9) for _ in range(20)]
        h = by_squares(squares)
        values = board_values(game, state, depth, h)
        if len(values) > 300:  # too many to be served quickly
            continue
        value = values[state.key]
        kinds: tuple[Collection[str], ...] = (("max", "min"), some)
        wrong = [keeping_search(game, state, depth, h, kept)[0] for kept in kinds]
        if value not in wrong:
            return CutoffCase(
                game=spec,
                state=state.key,
                value=value,
                best=best_by_values(game, state, values),
                depth=depth,
                squares=squares,
            )
