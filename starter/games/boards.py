"""Board games, among them those in which k stones in a row win.

How a state is read stands first, in `BoardState`; the games and their moves are at the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from starter.games._bits import MoveTable, find_turn, list_lines, make_rows
from starter.games.base import Game, Move, Picture, check_player, check_size, illegal

if TYPE_CHECKING:
    import numpy


class BoardState(NamedTuple):
    """A position on a board.

    `rows` and `board()` are for reading, with `to_move` and `outcome`. `x` and `o` are for speed: a
    set of squares is one integer, whose bits `_bits.py` explains.
    """

    x: int  # the squares where X has stones
    o: int  # the squares where O has stones
    to_move: str  # "X" or "O"
    outcome: str | None  # "X" or "O" (the winner), "draw", or None while the game goes on
    shape: tuple[int, int]  # (height, width)

    @property
    def rows(self) -> tuple[str, ...]:
        """The board as strings of X, O and `.`, top row first."""
        return make_rows(self.x, self.o, *self.shape)

    def board(self) -> numpy.ndarray[Any, Any]:
        """Return the board as a new NumPy array of int: +1 X, -1 O, 0 empty."""
        import numpy  # here, because most uses of this module need no NumPy

        return numpy.array([["O.X".index(mark) - 1 for mark in row] for row in self.rows])

    @property
    def key(self) -> str:
        """The rows, joined by "/", and the player to move where the stones do not tell.

        They tell if X began and nobody has passed.
        """
        if self.to_move == find_turn(self.x, self.o):
            return "/".join(self.rows)
        return f"{'/'.join(self.rows)} {self.to_move}"

    @property
    def _ending(self) -> str:
        if self.outcome is None:
            return f"{self.to_move} to move"
        return "draw" if self.outcome == "draw" else f"{self.outcome} has won"

    def picture(self) -> Picture:
        """Return the rows, top row first, and a line that says who moves or has won."""
        return {"kind": "board", "rows": self.rows, "says": self._ending}

    def __str__(self) -> str:
        # The labels are the last digits of the numbers, so that wide boards stay aligned.
        lines = [" ".join([" ", *(str(column % 10) for column in range(self.shape[1]))])]
        lines += [" ".join([str(number % 10), *row]) for number, row in enumerate(self.rows)]
        return "\n".join([*lines, self._ending])

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rows={self.rows}, to_move={self.to_move!r})"


class BoardGame(Game):
    """A game in which two players put stones on a board in turn, X first.

    The games differ in their moves, in `result`, and in `_state`.
    """

    def __init__(self, height: int, width: int) -> None:
        """Raise ValueError if a size is not a whole number of 1 or more."""
        check_size("height", height)
        check_size("width", width)
        self.height, self.width = height, width
        self._squares = {
            (row, column): 1 << row * (width + 1) + column
            for row in range(height)
            for column in range(width)
        }
        self.full = sum(self._squares.values())  # the set of all squares
        self._moves = MoveTable({bit: move for move, bit in self._squares.items()})

    def _free_square(self, state: BoardState, move: Move) -> int:
        """Return the free square that `move` names as (row, column), or 0."""
        try:
            return self._squares[move] & ~(state.x | state.o)
        except (KeyError, TypeError):
            return 0

    def is_terminal(self, state: BoardState) -> bool:
        return state.outcome is not None

    def utility(self, state: BoardState, player: str) -> int:
        outcome = state.outcome
        if outcome is None or outcome == "draw":
            return 0
        return 1 if outcome == player else -1

    def state(self, rows: Sequence[str], to_move: str | None = None) -> BoardState:
        """Return the state with these `rows`: strings of X, O and `.`, top row first.

        Without `to_move`, the number of stones tells whose turn it is: X began and nobody has
        passed. Raises ValueError if the rows have the wrong shape or the position is impossible.
        """
        if isinstance(rows, str) or not all(isinstance(row, str) for row in rows):
            raise ValueError("rows must be a list or tuple of strings, top row first")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise ValueError(f"there must be {self.height} rows of {self.width} squares: {rows!r}")
        if set("".join(rows)) - set("XO."):
            raise ValueError(f"rows may hold X, O and . only: {rows!r}")
        x, o = (
            sum(bit for (r, c), bit in self._squares.items() if rows[r][c] == player)
            for player in "XO"
        )
        if to_move is None:
            to_move = find_turn(x, o)
        check_player(to_move)
        return self._state(x, o, to_move)

    def _state(self, x: int, o: int, to_move: str) -> BoardState:
        """Return the state with these stones. Raises ValueError if it is impossible."""
        raise NotImplementedError

    def from_key(self, key: str) -> BoardState:
        rows, _, to_move = key.partition(" ")
        return self.state(rows.split("/"), to_move or None)


def check_lead(x: int, o: int, to_move: str) -> None:
    """Raise ValueError if the numbers of stones do not fit the player to move.

    That player has as many as the opponent or one fewer, as in every game in which each move adds
    a stone and none is lost.
    """
    lead = x.bit_count() - o.bit_count()
    if lead not in ((0, -1) if to_move == "X" else (0, 1)):
        raise ValueError(f"X leads by {lead} stones, which cannot be with {to_move} to move")


# --- k in a row -----------------------------------------------------------------------------------


class InARow(BoardGame):
    """The first player with `k` stones in a row, in any direction, wins.

    A full board without such a row is a draw.

    The games differ in `_reach`: the squares in which a move's stone falls to the lowest free one.
    """

    def __init__(self, height: int, width: int, k: int) -> None:
        """Raise ValueError if a size is not a positive int, or no row of k fits."""
        super().__init__(height, width)
        check_size("k", k)
        if k > max(height, width):
            raise ValueError(f"k = {k} in a row cannot fit on a board of {height} x {width}")
        self.k = k
        self.initial = BoardState(0, 0, "X", None, (height, width))
        self._lines = list_lines(self._squares, k)
        self.lines = {line for lines in self._lines.values() for line in lines}  # sets of squares
        self._reach = self._reach_by_move()
        # A move is possible as long as the first (topmost) square in its reach is free.
        self._moves = MoveTable({reach & -reach: move for move, reach in self._reach.items()})

    def _reach_by_move(self) -> dict[Move, int]:
        raise NotImplementedError

    def actions(self, state: BoardState) -> tuple[Move, ...]:
        if state.outcome is not None:
            return ()
        return self._moves.on(self._moves.squares & ~(state.x | state.o))

    def result(self, state: BoardState, move: Move) -> BoardState:
        x, o, player, outcome, shape = state
        try:
            free = self._reach[move] & ~(x | o)
        except (KeyError, TypeError):  # no such move, or not a move at all
            free = 0
        if not free or outcome is not None:
            raise illegal(self, state, move)
        square = 1 << free.bit_length() - 1
        if player == "X":
            stones = x = x | square
            to_move = "O"
        else:
            stones = o = o | square
            to_move = "X"
        missing = self.full ^ stones
        for line in self._lines[square]:  # only a line through the new stone can be new
            if not line & missing:
                outcome = player
                break
        else:
            if x | o == self.full:
                outcome = "draw"
        # The same as BoardState(...), in half the time.
        return tuple.__new__(BoardState, (x, o, to_move, outcome, shape))

    def _state(self, x: int, o: int, to_move: str) -> BoardState:
        check_lead(x, o, to_move)
        outcome = "draw" if x | o == self.full else None
        for player, stones in (("X", x), ("O", o)):
            if any(stones & line == line for line in self.lines):
                if player == to_move:
                    raise ValueError(f"{player} has {self.k} in a row and cannot be to move")
                outcome = player
        return BoardState(x, o, to_move, outcome, (self.height, self.width))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.height}, {self.width}, {self.k})"


class TicTacToe(InARow):
    """k in a row, where a stone may be put on any free square.

    A move is (row, column), row 0 on top; moves are ordered row by row. Gomoku is
    `TicTacToe(15, 15, 5)`.
    """

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        super().__init__(height, width, k)

    def _reach_by_move(self) -> dict[Move, int]:
        return dict(self._squares)


class ConnectFour(InARow):
    """k in a row, where a stone falls to the lowest free square of its column.

    A move is a column, 0 on the left.
    """

    def __init__(self, height: int = 6, width: int = 7, k: int = 4) -> None:
        super().__init__(height, width, k)

    def _reach_by_move(self) -> dict[Move, int]:
        return {
            column: sum(self._squares[row, column] for row in range(self.height))
            for column in range(self.width)
        }

    def _state(self, x: int, o: int, to_move: str) -> BoardState:
        state = super()._state(x, o, to_move)
        for number, column in enumerate(zip(*state.rows)):
            if "." in "".join(column).lstrip("."):
                raise ValueError(
                    f"a stone in column {number} has an empty square below it: {state.rows}"
                )
        return state
