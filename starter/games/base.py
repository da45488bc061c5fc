"""The interface of all games."""

from fractions import Fraction
from typing import Any, Protocol, Union

Move = Any  # (row, column), a column, (pile, count), a name: see the game
Probability = Union[float, Fraction]
Picture = dict[str, Any]  # how a state looks, as plain data


class State(Protocol):
    """What every state has; each game has a class with more. `str(state)` draws or names it."""

    @property
    def to_move(self) -> str:
        """The player to move: "X" or "O", or "chance" when dice are rolled or the like."""
        ...

    @property
    def key(self) -> str:
        """A short text that names the state: states of one game are equal when their keys are."""
        ...

    def picture(self) -> Picture:
        """Return what is to be drawn, as plain data.

        Its "kind" is "board", "piles", "tree", or "text" for a state that is its own drawing.
        """
        ...


class Game:
    """The methods of every game: an algorithm that uses no others can play them all.

    `initial` is the state at the start. Each game takes and returns states of one class.
    """

    initial: Any

    def actions(self, state: Any) -> tuple[Move, ...]:
        """Return the legal moves, always in the same order; none if the game is over."""
        raise NotImplementedError

    def result(self, state: Any, move: Move) -> Any:
        """Return the state after `move`. Raises ValueError if the move is illegal."""
        raise NotImplementedError

    def outcomes(self, state: Any) -> tuple[tuple[Probability, Move], ...]:
        """Return the pairs (probability, move) of a chance node.

        They are in the order of `actions`, and the probabilities add up to 1. Where a player is to
        move, there are none.
        """
        return ()

    def is_terminal(self, state: Any) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def utility(self, state: Any, player: str) -> float:
        """Return what a terminal state is worth to `player`.

        It is +1 for a win, -1 for a loss, 0 for a draw, and any number in a tree. At a state that
        is not terminal it is 0 and means nothing.
        """
        raise NotImplementedError

    def from_key(self, key: str) -> Any:
        """Return the state with this `key`. Raises ValueError if there is none."""
        raise NotImplementedError


def other(player: str) -> str:
    """Return the opponent of `player`."""
    return "O" if player == "X" else "X"


def illegal(game: Game, state: Any, move: Move) -> ValueError:
    """Return the error for a `move` that cannot be played in `state`."""
    if game.is_terminal(state):
        return ValueError(f"{move!r} cannot be played: the game is over")
    legal = ", ".join(map(repr, game.actions(state)))
    return ValueError(f"{move!r} is not a legal move here; choose one of {legal}")


def check_size(what: str, number: object) -> None:
    """Raise ValueError if a size is not a whole number of 1 or more."""
    if type(number) is not int or number < 1:
        raise ValueError(f"{what} must be a whole number, 1 or more, not {number!r}")


def check_player(player: object) -> None:
    """Raise ValueError if `player` is neither X nor O."""
    if player not in ("X", "O"):
        raise ValueError(f'to_move must be "X" or "O", not {player!r}')
