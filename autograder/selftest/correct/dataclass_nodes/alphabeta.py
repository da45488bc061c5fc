from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import NamedTuple, Optional

from starter.games import Game, Move, State


class Answer(NamedTuple):
    value: float
    move: Optional[Move]


@dataclass(frozen=True)
class Bounds:
    alpha: float = -inf
    beta: float = inf

    def raised(self, value: float) -> Bounds:
        return replace(self, alpha=max(self.alpha, value))

    def lowered(self, value: float) -> Bounds:
        return replace(self, beta=min(self.beta, value))


def alphabeta_search(game: Game, state: State) -> Answer:
    return highest(game, state, state.to_move, Bounds())


def max_value(game: Game, state: State, player: str, alpha: float, beta: float) -> Answer:
    return highest(game, state, player, Bounds(alpha, beta))


def min_value(game: Game, state: State, player: str, alpha: float, beta: float) -> Answer:
    return lowest(game, state, player, Bounds(alpha, beta))


def highest(game: Game, state: State, player: str, bounds: Bounds) -> Answer:
    if game.is_terminal(state):
        return Answer(game.utility(state, player), None)
    best: Answer = Answer(-inf, None)
    for move in game.actions(state):
        reply: Answer = lowest(game, game.result(state, move), player, bounds)
        if reply.value > best.value:
            best = Answer(reply.value, move)
        if best.value >= bounds.beta:
            return best
        bounds = bounds.raised(best.value)
    return best


def lowest(game: Game, state: State, player: str, bounds: Bounds) -> Answer:
    if game.is_terminal(state):
        return Answer(game.utility(state, player), None)
    best: Answer = Answer(inf, None)
    for move in game.actions(state):
        reply: Answer = highest(game, game.result(state, move), player, bounds)
        if reply.value < best.value:
            best = Answer(reply.value, move)
        if best.value <= bounds.alpha:
            return best
        bounds = bounds.lowered(best.value)
    return best
