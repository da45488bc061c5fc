"""Limit the depth of any search, by a game that ends after some plies."""

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
    """A game that ends after a number of plies, as a draw where it is undecided."""

    def __init__(self, game: Game, root: State, plies: int) -> None:
        self._game, self._plies = game, plies
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
        over = self._game.is_terminal(state.state)
        return self._game.utility(state.state, player) if over else 0
