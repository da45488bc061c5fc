"""Hex."""

from starter.games.base import Move, Picture, check_size, illegal
from starter.games.boards import BoardGame, BoardState, check_lead


class HexState(BoardState):
    """A position of Hex: each row stands half a square to the right of the one above.

    So a square has six neighbours: two beside it, two above and two below.
    """

    __slots__ = ()

    def picture(self) -> Picture:
        """Return the picture of a board, to be drawn slanted."""
        return {**super().picture(), "slanted": True}

    def __str__(self) -> str:
        numbers, *lines, ending = super().__str__().split("\n")
        slanted = [" " * row + line for row, line in enumerate(lines)]
        return "\n".join([numbers, *slanted, ending])


class Hex(BoardGame):
    """Join top and bottom (X) or left and right (O) with a chain of stones.

    A stone may be put on any free square. There are no draws.

    A square's neighbours are those beside it, those above and below it, and the ones above to the
    right and below to the left: see `HexState`. A move is (row, column), row 0 on top; moves are
    ordered row by row.
    """

    def __init__(self, size: int) -> None:
        """Raise ValueError if the size is not a whole number of 1 or more."""
        check_size("size", size)
        super().__init__(size, size)

        def side(axis: int, end: int) -> int:
            return sum(bit for place, bit in self._squares.items() if place[axis] == end)

        # The two sides that each player joins, as sets of squares.
        self.sides = {"X": (side(0, 0), side(0, size - 1)), "O": (side(1, 0), side(1, size - 1))}
        self.initial = HexState(0, 0, "X", None, (size, size))

    def actions(self, state: BoardState) -> tuple[Move, ...]:
        if state.outcome is not None:
            return ()
        return self._moves.on(self.full ^ (state.x | state.o))

    def result(self, state: BoardState, move: Move) -> BoardState:
        x, o, player, outcome, shape = state
        square = self._free_square(state, move)
        if not square or outcome is not None:
            raise illegal(self, state, move)
        if player == "X":
            stones = x = x | square
            to_move = "O"
        else:
            stones = o = o | square
            to_move = "X"
        if self._joins(player, square, stones):
            outcome = player
        # The same as HexState(...), in half the time.
        return tuple.__new__(HexState, (x, o, to_move, outcome, shape))

    def _joins(self, player: str, start: int, stones: int) -> bool:
        """Do the player's stones join the two sides, by a chain with one of `start`?"""
        first, last = self.sides[player]
        if not (stones & first and stones & last):
            return False
        chain = self.reached(start, stones)
        return bool(chain & first and chain & last)

    def near(self, squares: int) -> int:
        """Return squares with their neighbours, and perhaps bits that are no squares."""
        right, left = squares | squares << 1, squares | squares >> 1
        return right | left | right << self.width | left >> self.width

    def reached(self, start: int, squares: int) -> int:
        """Return the squares that chains of neighbours in `squares` join to `start`."""
        reached, before = start & squares, 0
        while reached != before:
            reached, before = self.near(reached) & squares, reached
        return reached

    def _state(self, x: int, o: int, to_move: str) -> BoardState:
        check_lead(x, o, to_move)
        outcome = None
        for player, stones in (("X", x), ("O", o)):
            if self._joins(player, self.sides[player][0], stones):
                if player == to_move:
                    raise ValueError(f"{player} has joined the sides and cannot be to move")
                outcome = player
        return HexState(x, o, to_move, outcome, (self.height, self.width))

    def __repr__(self) -> str:
        return f"Hex({self.height})"
