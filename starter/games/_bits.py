"""Sets of squares as integers, and what is remembered of them, for the speed of the board games.

The square in row r and column c (row 0 on top) is bit `r * (width + 1) + c`. No square has the bit
at the end of a row, so no stone slips into another row when a set is shifted: `squares << 1` are
the right neighbours of a set, `squares >> 1` the left ones, `squares << width + 1` those below.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

Square = tuple[int, int]  # row and column


@lru_cache(maxsize=10_000)  # a heuristic may ask again for every square
def make_rows(x: int, o: int, height: int, width: int) -> tuple[str, ...]:
    """Return the rows of a board, as strings of X, O and `.`."""
    return tuple(
        "".join(
            "X" if x >> square & 1 else "O" if o >> square & 1 else "."
            for square in range(row * (width + 1), row * (width + 1) + width)
        )
        for row in range(height)
    )


def find_turn(x: int, o: int) -> str:
    """Return the player to move if X began and each move has added one stone."""
    return "XO"[(x | o).bit_count() % 2]


def list_lines(squares: Mapping[Square, int], k: int) -> dict[int, list[int]]:
    """Return, for each square, the lines of k squares that it belongs to."""
    lines: dict[int, list[int]] = {bit: [] for bit in squares.values()}
    for row, column in squares:
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            places = [(row + i * down, column + i * right) for i in range(k)]
            if places[-1] in squares:  # otherwise the line leaves the board
                bits = [squares[place] for place in places]
                for bit in bits:
                    lines[bit].append(sum(bits))
    return lines


# All squares of a board of Othello, by its size.
WHOLE_BOARDS = {
    size: sum((1 << size) - 1 << row * (size + 1) for row in range(size)) for size in (4, 6, 8, 10)
}


@lru_cache(maxsize=10_000)  # needed when a move is made, and again for the moves after it
def find_placements(mine: int, theirs: int, size: int) -> int:
    """Return the squares on which a stone of mine would turn at least one of theirs.

    All are sets of squares. This is the rule of Othello.
    """
    found = 0
    for step in (1, size, size + 1, size + 2):
        run = mine << step & theirs
        while run:  # go on along all runs of their stones at once, until none goes on
            run <<= step
            found |= run
            run &= theirs
        run = mine >> step & theirs
        while run:
            run >>= step
            found |= run
            run &= theirs
    return found & WHOLE_BOARDS[size] & ~(mine | theirs)


class MoveTable:
    """The moves by their squares, in their order.

    The moves on some squares are combined from those on few squares, which are stored.
    """

    def __init__(self, move_of: dict[int, Any]) -> None:
        bits = list(move_of)
        self.move_of = move_of
        self.squares = sum(bits)
        self.groups = [sum(bits[first : first + 9]) for first in range(0, len(bits), 9)]
        self.moves: dict[int, tuple[Any, ...]] = {}  # by the set of their squares

    def on(self, squares: int) -> tuple[Any, ...]:
        """Return the moves that belong to a set of squares, in their order."""
        moves: tuple[Any, ...] = ()
        for group in self.groups:
            few = squares & group
            try:
                moves += self.moves[few]
            except KeyError:
                self.moves[few] = tuple(self.move_of[bit] for bit in self.move_of if bit & few)
                moves += self.moves[few]
        return moves
