"""Games in which objects are taken away."""

import re
from collections.abc import Sequence
from operator import index
from typing import NamedTuple

from starter.games.base import Game, Move, Picture, check_player, check_size, illegal, other


class NimState(NamedTuple):
    """The numbers of objects in the piles."""

    piles: tuple[int, ...]
    to_move: str

    @property
    def key(self) -> str:
        """The piles and the player to move: "3,4,5 X"."""
        return f"{','.join(map(str, self.piles))} {self.to_move}"

    @property
    def _ending(self) -> str:
        return f"{self.to_move} to move" if any(self.piles) else f"{other(self.to_move)} has won"

    def picture(self) -> Picture:
        """Return the piles, and a line that says who moves or has won."""
        return {"kind": "piles", "piles": self.piles, "says": self._ending}

    def __str__(self) -> str:
        lines = [f"pile {i}: {'|' * pile} ({pile})" for i, pile in enumerate(self.piles)]
        return "\n".join([*lines, self._ending])


class PileGame(Game):
    """A game of taking objects from piles in turn; taking the last one wins."""

    initial: NimState

    def is_terminal(self, state: NimState) -> bool:
        return not any(state.piles)

    def utility(self, state: NimState, player: str) -> int:
        if any(state.piles):
            return 0
        return -1 if player == state.to_move else 1  # the other player took the last object

    def from_key(self, key: str) -> NimState:
        numbers, _, to_move = key.rpartition(" ")
        check_player(to_move)
        most = self.initial.piles
        if not re.fullmatch(r"\d{1,9}(,\d{1,9})*", numbers, re.ASCII):
            raise ValueError(f"piles are numbers such as 3,4,5, not {numbers}")
        piles = tuple(map(int, numbers.split(",")))
        if len(piles) != len(most) or not all(0 <= n <= m for n, m in zip(piles, most)):
            raise ValueError(f"the piles {numbers} cannot come about in {self!r}")
        return NimState(piles, to_move)


class Nim(PileGame):
    """Take one object or more from one pile. The player who takes the last one wins.

    A move is (pile, count), both as numbers, pile 0 being the first; moves are ordered by pile,
    then by count.
    """

    def __init__(self, piles: Sequence[int]) -> None:
        """Raise ValueError if there is no pile, or one is not a positive int."""
        if not isinstance(piles, (list, tuple)) or not piles:
            raise ValueError(
                f"piles must be a list of whole numbers such as [3, 4, 5], not {piles!r}"
            )
        for pile in piles:
            check_size("a pile", pile)
        self.initial = NimState(tuple(piles), "X")

    def actions(self, state: NimState) -> tuple[Move, ...]:
        return tuple(
            (number, count)
            for number, pile in enumerate(state.piles)
            for count in range(1, pile + 1)
        )

    def result(self, state: NimState, move: Move) -> NimState:
        piles = list(state.piles)
        try:
            number, count = map(index, move)
        except (TypeError, ValueError):
            raise illegal(self, state, move) from None
        if not (0 <= number < len(piles) and 1 <= count <= piles[number]):
            raise illegal(self, state, move)
        piles[number] -= count
        return NimState(tuple(piles), other(state.to_move))

    def __repr__(self) -> str:
        return f"Nim({list(self.initial.piles)})"


class TakeAway(PileGame):
    """Take 1 to `most` coins from a single pile; the player who takes the last one wins.

    A move is the number of coins.
    """

    def __init__(self, coins: int = 21, most: int = 3) -> None:
        """Raise ValueError if either is not a whole number of 1 or more."""
        check_size("coins", coins)
        check_size("most", most)
        self.most = most
        self.initial = NimState((coins,), "X")

    def actions(self, state: NimState) -> tuple[Move, ...]:
        (coins,) = state.piles
        return tuple(range(1, min(self.most, coins) + 1))

    def result(self, state: NimState, move: Move) -> NimState:
        (coins,) = state.piles
        try:
            count = index(move)
        except TypeError:
            raise illegal(self, state, move) from None
        if not 1 <= count <= min(self.most, coins):
            raise illegal(self, state, move)
        return NimState((coins - count,), other(state.to_move))

    def __repr__(self) -> str:
        return f"TakeAway({self.initial.piles[0]}, {self.most})"
