"""Games with dice."""

import re
from fractions import Fraction
from typing import NamedTuple

from starter.games.base import Game, Move, Picture, check_size, illegal, other

SIDES = (1, 2, 3, 4, 5, 6)


class PigState(NamedTuple):
    """The points of both players, and the current turn."""

    x: int  # X's points
    o: int
    turn: str  # whose it is, "X" or "O"
    rolled: int  # in this turn
    rolling: bool  # is the die in the air?
    goal: int

    @property
    def to_move(self) -> str:
        """The player whose turn it is or would be, or "chance" while the die rolls."""
        return "chance" if self.rolling else self.turn

    @property
    def winner(self) -> str | None:
        """The player who has reached the goal, counting the current turn."""
        x = self.x + self.rolled * (self.turn == "X")
        o = self.o + self.rolled * (self.turn == "O")
        return "X" if x >= self.goal else "O" if o >= self.goal else None

    @property
    def key(self) -> str:
        """Both points, whose turn it is, what was rolled, * while rolling: "3-7 X 5*"."""
        return f"{self.x}-{self.o} {self.turn} {self.rolled}{'*' * self.rolling}"

    def picture(self) -> Picture:
        """Return that its text is its picture."""
        return {"kind": "text"}

    def __str__(self) -> str:
        if self.winner:
            says = f"{self.winner} has won"
        else:
            says = f"{self.turn} rolls the die" if self.rolling else f"{self.turn} to move"
        return f"X has {self.x}, O has {self.o} of {self.goal}\n{self.rolled} in this turn\n{says}"


class Pig(Game):
    """Roll a die and add up; a 1 ends your turn; the first to reach `goal` wins.

    Roll as often as you like. If you hold, the turn ends and its points are yours; if you roll a 1,
    it ends with that single point. The current turn counts for the goal.

    The moves of a player are "roll" and, once something was rolled, "hold"; those of chance are
    what the die shows, 1 to 6. (In the usual rules a 1 is worth nothing. Then a game need never
    end, and no search could reach the end of every game.)
    """

    def __init__(self, goal: int = 20) -> None:
        """Raise ValueError if the goal is not a whole number of 1 or more."""
        check_size("goal", goal)
        self.goal = goal
        self.initial = PigState(0, 0, "X", 0, False, goal)

    def actions(self, state: PigState) -> tuple[Move, ...]:
        if state.winner:
            return ()
        if state.rolling:
            return SIDES
        return ("roll", "hold") if state.rolled else ("roll",)

    def result(self, state: PigState, move: Move) -> PigState:
        legal = self.actions(state)
        if move not in legal:
            raise illegal(self, state, move)
        move = legal[legal.index(move)]  # 2, where 2.0 was given
        if move == "roll":
            return state._replace(rolling=True)
        if move == "hold" or move == 1:
            return self._turn_over(state, state.rolled if move == "hold" else 1)
        return state._replace(rolled=state.rolled + move, rolling=False)

    def _turn_over(self, state: PigState, gained: int) -> PigState:
        x = state.x + gained * (state.turn == "X")
        o = state.o + gained * (state.turn == "O")
        return PigState(x, o, other(state.turn), 0, False, self.goal)

    def outcomes(self, state: PigState) -> tuple[tuple[Fraction, Move], ...]:
        return tuple((Fraction(1, 6), side) for side in SIDES) if state.rolling else ()

    def is_terminal(self, state: PigState) -> bool:
        return state.winner is not None

    def utility(self, state: PigState, player: str) -> int:
        if state.winner is None:
            return 0
        return 1 if state.winner == player else -1

    def from_key(self, key: str) -> PigState:
        found = re.fullmatch(r"(\d{1,9})-(\d{1,9}) ([XO]) (\d{1,9})(\*?)", key, re.ASCII)
        if not found:
            raise ValueError(f'a state of Pig is named like "3-7 X 5", not {key!r}')
        x, o, turn, rolled, rolling = found.groups()
        state = PigState(int(x), int(o), turn, int(rolled), bool(rolling), self.goal)
        if (
            max(state.x, state.o) > self.goal
            or state.x == state.o == self.goal
            or state.rolled == 1
            or state.rolled > self.goal + 5
            or (state.winner and state.rolling)
            or state.key != key
        ):
            raise ValueError(f"{key!r} cannot come about in {self!r}")
        return state

    def __repr__(self) -> str:
        return f"Pig({self.goal})"
