"""Limit the depth of any search, by a game that ends after some plies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from starter.games import Game, Move, Probability, State


class StateAtDepth(NamedTuple):
    """A state that also knows how many plies it is below the root."""

    state: State
    plies: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)


class DepthLimitedGame(Game):
    """A game that ends after a number of plies.

    Undecided positions at that depth are rated by h, by default as draws.
    """

    def __init__(
        self,
        game: Game,
        root: State,
        plies: int,
        h: Callable[[State, str], float] = lambda state, player: 0,
    ) -> None:
        self._game, self._plies, self._h = game, plies, h
        self.initial = StateAtDepth(root, 0)

    def actions(self, state: StateAtDepth) -> tuple[Move, ...]:
        return () if state.plies >= self._plies else self._game.actions(state.state)

    def outcomes(self, state: StateAtDepth) -> tuple[tuple[Probability, Move], ...]:
        return () if state.plies >= self._plies else self._game.outcomes(state.state)

    def result(self, state: StateAtDepth, move: Move) -> StateAtDepth:
        return StateAtDepth(self._game.result(state.state, move), state.plies + 1)

    def is_terminal(self, state: StateAtDepth) -> bool:
        return state.plies >= self._plies or self._game.is_terminal(state.state)

    def utility(self, state: StateAtDepth, player: str) -> float:
        judge = self._game.utility if self._game.is_terminal(state.state) else self._h
        return judge(state.state, player)
