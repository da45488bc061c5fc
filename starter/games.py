"""Games for two players, X and O, who move in turn and see everything.

A *state* is a position, with the player to move. States never change: `game.result(state, move)`
gives a new one. They are equal when the position is equal, so they can be put into sets and
dictionaries.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (1, 1))
    >>> print(state)
      0 1 2
    0 . . .
    1 . X .
    2 . . .
    O to move
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, Union

if TYPE_CHECKING:
    import numpy

State = Any  # every game has its own class of states
Move = Any  # (row, column), a column, (pile, count), a name: see the game
Picture = dict[str, Any]  # how a state looks, as plain data


class Game:
    """What every game offers. An algorithm that asks for nothing else can play them all.

    `initial` is the state at the start. A state has `to_move`, "X" or "O"; `str(state)` draws it,
    and `key` is a short text that names it: states of one game are equal when their keys are.
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

    def is_terminal(self, state: State) -> bool:
        """Is the game over?"""
        raise NotImplementedError

    def utility(self, state: State, player: str) -> float:
        """What the end of the game is worth to `player`: +1 for a win, -1 for a loss, 0 for a draw
        (any number in a `GameTree`). It means something at terminal states only; elsewhere it is 0.
        """
        raise NotImplementedError

    def from_key(self, key: str) -> State:
        """The state with this `key`. Raises ValueError when there is none."""
        raise NotImplementedError


def other(player: str) -> str:
    """The opponent of `player`."""
    return "O" if player == "X" else "X"


def _illegal(game: Game, state: State, move: Move) -> ValueError:
    if game.is_terminal(state):
        return ValueError(f"{move!r} cannot be played: the game is over")
    legal = ", ".join(map(repr, game.actions(state)))
    return ValueError(f"{move!r} is not a legal move here; choose one of {legal}")


def _check_size(what: str, number: object) -> None:
    if type(number) is not int or number < 1:
        raise ValueError(f"{what} must be a whole number, 1 or more, not {number!r}")


def _check_player(player: object) -> None:
    if player not in ("X", "O"):
        raise ValueError(f'to_move must be "X" or "O", not {player!r}')


# --- Games on a board -----------------------------------------------------------------------------


@lru_cache(maxsize=10_000)  # a heuristic may ask again for every square
def _rows(x: int, o: int, height: int, width: int) -> tuple[str, ...]:
    return tuple(
        "".join(
            "X" if x >> square & 1 else "O" if o >> square & 1 else "."
            for square in range(row * (width + 1), row * (width + 1) + width)
        )
        for row in range(height)
    )


class BoardState(NamedTuple):
    """A position on a board.

    `rows` and `board()` are for reading; the fields below are for speed. A set of squares is one
    integer: the square in row r and column c (row 0 on top) is bit `r * (width + 1) + c`. No
    square has the bit at the end of a row, so a set can be shifted by 1 (to the left neighbours),
    width + 1 (those above), width or width + 2 (diagonally) and no stone slips into another row.
    """

    x: int  # the squares where X has stones
    o: int  # the squares where O has stones
    to_move: str  # "X" or "O"
    outcome: str | None  # "X" or "O" (the winner), "draw", or None while the game goes on
    shape: tuple[int, int]  # (height, width)

    @property
    def rows(self) -> tuple[str, ...]:
        """The board as strings of X, O and `.`, top row first."""
        return _rows(self.x, self.o, *self.shape)

    def board(self) -> numpy.ndarray[Any, Any]:
        """The board as a new NumPy array of int: +1 for X, -1 for O, 0 for an empty square."""
        import numpy  # here, because most uses of this module need no NumPy

        return numpy.array([["O.X".index(mark) - 1 for mark in row] for row in self.rows])

    @property
    def key(self) -> str:
        """The rows, joined by "/"; then who is to move, if O began."""
        if self.to_move == ("X" if self.x.bit_count() == self.o.bit_count() else "O"):
            return "/".join(self.rows)
        return f"{'/'.join(self.rows)} {self.to_move}"

    @property
    def _ending(self) -> str:
        if self.outcome is None:
            return f"{self.to_move} to move"
        return "draw" if self.outcome == "draw" else f"{self.outcome} has won"

    def picture(self) -> Picture:
        """The rows, top row first, and a line that says whose turn it is or who has won."""
        return {"kind": "board", "rows": self.rows, "says": self._ending}

    def __str__(self) -> str:
        # The labels are the last digits of the numbers, so that wide boards stay aligned.
        lines = [" ".join([" ", *(str(column % 10) for column in range(self.shape[1]))])]
        lines += [" ".join([str(number % 10), *row]) for number, row in enumerate(self.rows)]
        return "\n".join([*lines, self._ending])

    def __repr__(self) -> str:
        return f"BoardState(rows={self.rows}, to_move={self.to_move!r})"


class BoardGame(Game):
    """Players put stones on a board in turn, X first; whoever first has `k` in a row, in any of the
    eight directions, wins. A full board without such a row is a draw.

    The games differ in `_reach`: the squares in which a move's stone falls to the lowest free one.
    """

    def __init__(self, height: int, width: int, k: int) -> None:
        """Raises ValueError when a size is not a whole number of 1 or more, or no row of k fits."""
        for what, number in (("height", height), ("width", width), ("k", k)):
            _check_size(what, number)
        if k > max(height, width):
            raise ValueError(f"k = {k} in a row cannot fit on a board of {height} x {width}")
        self.height, self.width, self.k = height, width, k
        self.initial = BoardState(0, 0, "X", None, (height, width))
        self._full = sum(self._bit(row, column) for row in range(height) for column in range(width))
        self._lines = self._lines_by_square()
        self._all_lines = {line for lines in self._lines.values() for line in lines}
        self._reach = self._reach_by_move()
        # A move is possible as long as the first (topmost) square in its reach is free.
        self._entrances = sum(reach & -reach for reach in self._reach.values())
        self._actions: dict[int, tuple[Move, ...]] = {}  # by the entrances taken

    def _bit(self, row: int, column: int) -> int:
        return 1 << row * (self.width + 1) + column

    def _reach_by_move(self) -> dict[Move, int]:
        raise NotImplementedError

    def _lines_by_square(self) -> dict[int, list[int]]:
        """For each square, the lines of k squares that it belongs to."""
        squares = [(row, column) for row in range(self.height) for column in range(self.width)]
        lines: dict[int, list[int]] = {self._bit(*square): [] for square in squares}
        for row, column in squares:
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                bits = [self._bit(row + i * down, column + i * right) for i in range(self.k)]
                if not sum(bits) & ~self._full:  # otherwise the line leaves the board
                    for bit in bits:
                        lines[bit].append(sum(bits))
        return lines

    def actions(self, state: BoardState) -> tuple[Move, ...]:
        if state.outcome is not None:
            return ()
        taken = (state.x | state.o) & self._entrances
        moves = self._actions.get(taken)
        if moves is None:
            free = self._entrances & ~taken
            moves = tuple(move for move, reach in self._reach.items() if reach & free)
            if len(self._actions) >= 100_000:  # bounds the memory on large boards
                self._actions.clear()
            self._actions[taken] = moves
        return moves

    def result(self, state: BoardState, move: Move) -> BoardState:
        x, o, player, outcome, shape = state
        try:
            free = self._reach[move] & ~(x | o)
        except (KeyError, TypeError):  # no such move, or not a move at all
            free = 0
        if not free or outcome is not None:
            raise _illegal(self, state, move)
        square = 1 << free.bit_length() - 1
        if player == "X":
            stones = x = x | square
            to_move = "O"
        else:
            stones = o = o | square
            to_move = "X"
        missing = self._full ^ stones
        for line in self._lines[square]:  # only a line through the new stone can be new
            if not line & missing:
                outcome = player
                break
        else:
            if x | o == self._full:
                outcome = "draw"
        # The same as BoardState(...), in half the time.
        return tuple.__new__(BoardState, (x, o, to_move, outcome, shape))

    def is_terminal(self, state: BoardState) -> bool:
        return state.outcome is not None

    def utility(self, state: BoardState, player: str) -> int:
        outcome = state.outcome
        if outcome is None or outcome == "draw":
            return 0
        return 1 if outcome == player else -1

    def state(self, rows: Sequence[str], to_move: str | None = None) -> BoardState:
        """The state with these `rows`: strings of X, O and `.`, top row first.

        Without `to_move` the numbers of stones tell whose turn it is, X having begun; with it, the
        player to move has as many stones as the opponent or one fewer. Raises ValueError when the
        rows have the wrong shape or the position cannot come about.
        """
        if isinstance(rows, str) or not all(isinstance(row, str) for row in rows):
            raise ValueError("rows must be a list or tuple of strings, top row first")
        if len(rows) != self.height or any(len(row) != self.width for row in rows):
            raise ValueError(f"there must be {self.height} rows of {self.width} squares: {rows!r}")
        text = "".join(rows)
        if set(text) - set("XO."):
            raise ValueError(f"rows may hold X, O and . only: {rows!r}")
        lead = text.count("X") - text.count("O")
        if to_move is None:
            to_move = "X" if lead == 0 else "O"
            possible = lead in (0, 1)
        else:
            _check_player(to_move)
            possible = lead in ((0, -1) if to_move == "X" else (0, 1))
        if not possible:
            raise ValueError(f"X leads by {lead} stones, which cannot be with {to_move} to move")

        x, o = (
            sum(
                self._bit(row, column)
                for row in range(self.height)
                for column in range(self.width)
                if rows[row][column] == player
            )
            for player in "XO"
        )
        outcome = "draw" if x | o == self._full else None
        for player, stones in (("X", x), ("O", o)):
            if any(stones & line == line for line in self._all_lines):
                if player == to_move:
                    raise ValueError(f"{player} has {self.k} in a row and cannot be to move")
                outcome = player
        return BoardState(x, o, to_move, outcome, (self.height, self.width))

    def from_key(self, key: str) -> BoardState:
        rows, _, to_move = key.partition(" ")
        return self.state(rows.split("/"), to_move or None)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.height}, {self.width}, {self.k})"


class TicTacToe(BoardGame):
    """A stone may be put on any free square. A move is (row, column), row 0 on top; moves are
    ordered row by row."""

    def __init__(self, height: int = 3, width: int = 3, k: int = 3) -> None:
        super().__init__(height, width, k)

    def _reach_by_move(self) -> dict[Move, int]:
        squares = [(row, column) for row in range(self.height) for column in range(self.width)]
        return {square: self._bit(*square) for square in squares}


class ConnectFour(BoardGame):
    """A stone falls to the lowest free square of its column. A move is a column, 0 on the left."""

    def __init__(self, height: int = 6, width: int = 7, k: int = 4) -> None:
        super().__init__(height, width, k)

    def _reach_by_move(self) -> dict[Move, int]:
        return {
            column: sum(self._bit(row, column) for row in range(self.height))
            for column in range(self.width)
        }

    def state(self, rows: Sequence[str], to_move: str | None = None) -> BoardState:
        state = super().state(rows, to_move)
        for number, column in enumerate(zip(*rows)):
            if "." in "".join(column).lstrip("."):
                raise ValueError(
                    f"a stone in column {number} has an empty square below it: {rows!r}"
                )
        return state


# --- Nim ------------------------------------------------------------------------------------------


class NimState(NamedTuple):
    """The numbers of objects in the piles."""

    piles: tuple[int, ...]
    to_move: str

    @property
    def key(self) -> str:
        """The piles and who is to move: "3,4,5 X"."""
        return f"{','.join(map(str, self.piles))} {self.to_move}"

    @property
    def _ending(self) -> str:
        return f"{self.to_move} to move" if any(self.piles) else f"{other(self.to_move)} has won"

    def picture(self) -> Picture:
        """The piles, and a line that says whose turn it is or who has won."""
        return {"kind": "piles", "piles": self.piles, "says": self._ending}

    def __str__(self) -> str:
        lines = [f"pile {i}: {'|' * pile} ({pile})" for i, pile in enumerate(self.piles)]
        return "\n".join([*lines, self._ending])


class Nim(Game):
    """Take one object or more from one pile; whoever takes the last object wins.

    A move is (pile, count), both as numbers, pile 0 being the first; moves are ordered by pile,
    then by count.
    """

    def __init__(self, piles: Sequence[int]) -> None:
        """Raises ValueError when there is no pile, or a pile is not a whole number of 1 or more."""
        if not isinstance(piles, (list, tuple)) or not piles:
            raise ValueError(
                f"piles must be a list of whole numbers such as [3, 4, 5], not {piles!r}"
            )
        for pile in piles:
            _check_size("a pile", pile)
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
            raise _illegal(self, state, move) from None
        if not (0 <= number < len(piles) and 1 <= count <= piles[number]):
            raise _illegal(self, state, move)
        piles[number] -= count
        return NimState(tuple(piles), other(state.to_move))

    def is_terminal(self, state: NimState) -> bool:
        return not any(state.piles)

    def utility(self, state: NimState, player: str) -> int:
        if any(state.piles):
            return 0
        return -1 if player == state.to_move else 1  # the other player took the last object

    def from_key(self, key: str) -> NimState:
        numbers, _, to_move = key.rpartition(" ")
        _check_player(to_move)
        most = self.initial.piles
        try:
            piles = tuple(map(int, numbers.split(",")))
        except ValueError:
            raise ValueError(f"piles are numbers such as 3,4,5, not {numbers}") from None
        if len(piles) != len(most) or not all(0 <= n <= m for n, m in zip(piles, most)):
            raise ValueError(f"the piles {numbers} cannot come about in {self!r}")
        return NimState(piles, to_move)

    def __repr__(self) -> str:
        return f"Nim({list(self.initial.piles)})"


# --- Trees ----------------------------------------------------------------------------------------

# A leaf's number, or pairs of a move and the subtree below it (nested, hence Any).
_Subtree = Union[int, float, "tuple[tuple[str, Any], ...]"]


class TreeState(NamedTuple):
    """A place in a game tree, known by `path`: the moves that lead to it from the root."""

    path: tuple[str, ...]
    to_move: str
    subtree: _Subtree

    @property
    def key(self) -> str:
        """The path, joined by "/"; at the root ""."""
        return "/".join(self.path)

    def picture(self) -> Picture:
        """The place in the tree, without what is below it: that belongs to the game."""
        return {"kind": "tree", "path": self.path}

    def __hash__(self) -> int:
        return hash(self.path)  # equal states have equal paths, and subtrees can be large

    def __str__(self) -> str:
        return "\n".join(_drawing(self.subtree, self.to_move))

    def __repr__(self) -> str:
        return f"TreeState(path={self.path}, to_move={self.to_move!r})"


def _drawing(subtree: _Subtree, to_move: str) -> list[str]:
    """The lines that draw a subtree; the first one is about its root."""
    if not isinstance(subtree, tuple):
        return [str(subtree)]
    lines = [f"{to_move} to move"]
    for move, child in subtree:
        first, *rest = _drawing(child, other(to_move))
        lines += [f"  {move}: {first}", *(f"  {line}" for line in rest)]
    return lines


class GameTree(Game):
    """A game given as its tree, in nested data.

    An inner node is a list (or tuple) of subtrees, whose moves are then called "a", "b", "c", ...;
    or a dictionary from the names of the moves to the subtrees. A leaf is a number: what the end of
    the game is worth to X, to O its negative. The players move in turn; `to_move` begins at the
    root.

        >>> game = GameTree({"left": [3, 5], "right": 4})
        >>> game.actions(game.initial)
        ('left', 'right')
        >>> print(game.result(game.initial, "left"))
        O to move
          a: 3
          b: 5
    """

    def __init__(self, tree: object, to_move: str = "X") -> None:
        """Raises ValueError, saying where in the tree, for a node that is none of these."""
        _check_player(to_move)
        self.initial = TreeState((), to_move, _checked_subtree(tree, ()))

    def actions(self, state: TreeState) -> tuple[Move, ...]:
        return tuple(move for move, _ in state.subtree) if isinstance(state.subtree, tuple) else ()

    def result(self, state: TreeState, move: Move) -> TreeState:
        if isinstance(state.subtree, tuple):
            for name, child in state.subtree:
                if name == move:
                    return TreeState((*state.path, name), other(state.to_move), child)
        raise _illegal(self, state, move)

    def is_terminal(self, state: TreeState) -> bool:
        return not isinstance(state.subtree, tuple)

    def utility(self, state: TreeState, player: str) -> float:
        if isinstance(state.subtree, tuple):
            return 0
        return state.subtree if player == "X" else -state.subtree

    def from_key(self, key: str) -> TreeState:
        state: TreeState = self.initial
        for move in key.split("/") if key else ():
            state = self.result(state, move)
        return state

    def __repr__(self) -> str:
        return f"GameTree({_as_given(self.initial.subtree)}, {self.initial.to_move!r})"


def _checked_subtree(tree: object, path: tuple[str, ...]) -> _Subtree:
    where = f"at {'/'.join(path)}" if path else "at the root"
    if isinstance(tree, (list, tuple)):
        if len(tree) > 26:
            raise ValueError(f"{where}: {len(tree)} children are more than there are letters")
        tree = dict(zip("abcdefghijklmnopqrstuvwxyz", tree))
    if isinstance(tree, dict):
        if not tree:
            raise ValueError(f"{where}: a node without children must be a number")
        if not all(isinstance(move, str) and move and "/" not in move for move in tree):
            raise ValueError(f"{where}: the names of moves must be strings without /: {list(tree)}")
        return tuple((move, _checked_subtree(child, (*path, move))) for move, child in tree.items())
    if type(tree) is not int and not (isinstance(tree, float) and math.isfinite(tree)):
        raise ValueError(f"{where}: a leaf must be a finite number, not {tree!r}")
    return tree


def _as_given(subtree: _Subtree) -> object:
    """The dictionaries from which the subtree can be built again."""
    if not isinstance(subtree, tuple):
        return subtree
    return {move: _as_given(child) for move, child in subtree}


# The textbook's figure 5.2: the minimax value is 3, and a1 is the best move.
FIGURE_5_2 = GameTree(
    {
        "a1": {"b1": 3, "b2": 12, "b3": 8},
        "a2": {"c1": 2, "c2": 4, "c3": 6},
        "a3": {"d1": 14, "d2": 5, "d3": 2},
    }
)

# The smallest tree worth searching: the value is 3, and A is the best move.
TWO_MOVES = GameTree({"A": [3, 5], "B": [2, 1]})

# The games by name.
GAMES: dict[str, type[Game]] = {
    game.__name__: game for game in (TicTacToe, ConnectFour, Nim, GameTree)
}
