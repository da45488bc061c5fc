"""What all games have in common."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Union

State = Any  # every game has its own class of states
Move = Any  # (row, column), a column, (pile, count), a name: see the game
Probability = Union[float, Fraction]
Picture = dict[str, Any]  # how a state looks, as plain data


class Game:
    """What every game offers. An algorithm that asks for nothing else can play them all.

    `initial` is the state at the start. A state has `to_move`, "X" or "O" (or "chance", when dice
    are rolled or the like); `str(state)` draws it, and `key` is a short text that names it: states
    of one game are equal when their keys are.
    `state.picture()` is for drawing: plain data with a "kind" ("board", "piles", "tree", or
    "text" for a state that is its own drawing) and what belongs to it.
    """

    initial: State

    def actions(self, state: State) -> tuple[Move, ...]:
        """The legal moves, always in the same order; none when the game is over."""
        raise NotImplementedError

    def result(self, state: State, move: Move) -> State:
        """The state after `move`. Raises ValueError when the move is illegal."""
        raise NotImplementedError

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        """What can happen where `to_move` is "chance": pairs (probability, move), in the order of
        `actions`. The probabilities add up to 1; elsewhere there are none."""
        return ()

    def is_terminal(self, state: State) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def utility(self, state: State, player: str) -> float:
        """What the end of the game is worth to `player`: +1 for a win, -1 for a loss, 0 for a draw
        (any number in a tree). It means something at terminal states only; elsewhere it is 0.
        """
        raise NotImplementedError

    def from_key(self, key: str) -> State:
        """The state with this `key`. Raises ValueError when there is none."""
        raise NotImplementedError


def other(player: str) -> str:
    """The opponent of `player`."""
    return "O" if player == "X" else "X"


def illegal(game: Game, state: State, move: Move) -> ValueError:
    """The error for a `move` that cannot be played in `state`."""
    if game.is_terminal(state):
        return ValueError(f"{move!r} cannot be played: the game is over")
    legal = ", ".join(map(repr, game.actions(state)))
    return ValueError(f"{move!r} is not a legal move here; choose one of {legal}")


def check_size(what: str, number: object) -> None:
    """Raises ValueError when a size is not a whole number of 1 or more."""
    if type(number) is not int or number < 1:
        raise ValueError(f"{what} must be a whole number, 1 or more, not {number!r}")


def check_player(player: object) -> None:
    """Raises ValueError when `player` is neither X nor O."""
    if player not in ("X", "O"):
        raise ValueError(f'to_move must be "X" or "O", not {player!r}')
