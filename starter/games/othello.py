"""Othello, also known as Reversi."""

from starter.games._bits import WHOLE_BOARDS, find_placements
from starter.games.base import Move, illegal, other
from starter.games.boards import BoardGame, BoardState

PASS = "pass"
DIRECTIONS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def _sides(state: BoardState) -> tuple[int, int]:
    """Return the stones of the player to move, and the opponent's."""
    return (state.x, state.o) if state.to_move == "X" else (state.o, state.x)


class Othello(BoardGame):
    """Enclose the opponent's stones between yours to turn them; more stones win.

    A stone must enclose stones of the opponent's, in one or more of the eight directions, between
    itself and another of the player's; all that are enclosed change sides. A player who cannot do
    so passes. The game is over when neither player can; the one with more stones wins.

    A move is (row, column), row 0 on top, in the order of the rows; or "pass", when there is no
    other.
    """

    def __init__(self, size: int = 8) -> None:
        """Raise ValueError if the size is not 4, 6, 8 or 10."""
        if type(size) is not int or size not in WHOLE_BOARDS:
            raise ValueError(f"size must be 4, 6, 8 or 10, not {size!r}")
        super().__init__(size, size)
        squares, low, high = self._squares, size // 2 - 1, size // 2
        self._rays = {
            square: [self._ray(*place, *direction) for direction in DIRECTIONS]
            for place, square in squares.items()
        }
        x = squares[low, high] | squares[high, low]
        o = squares[low, low] | squares[high, high]
        self._middle = x | o
        self.initial = self._state(x, o, "X")

    def _ray(self, row: int, column: int, down: int, right: int) -> list[int]:
        """Return the squares from here to the edge, the nearest first."""
        places = ((row + i * down, column + i * right) for i in range(1, self.height))
        return [self._squares[place] for place in places if place in self._squares]

    def actions(self, state: BoardState) -> tuple[Move, ...]:
        if state.outcome is not None:
            return ()
        return self._moves.on(find_placements(*_sides(state), self.height)) or (PASS,)

    def result(self, state: BoardState, move: Move) -> BoardState:
        mine, theirs = _sides(state)
        if move == PASS:
            if self.actions(state) != (PASS,):
                raise illegal(self, state, move)
        else:
            square = self._free_square(state, move)
            turned = self._turned(mine, theirs, square) if square else 0
            if not turned:
                raise illegal(self, state, move)
            mine, theirs = mine | square | turned, theirs & ~turned
        x, o = (mine, theirs) if state.to_move == "X" else (theirs, mine)
        return self._judged(x, o, other(state.to_move))

    def _turned(self, mine: int, theirs: int, square: int) -> int:
        """Return the stones that change sides when I put one on a square."""
        turned = 0
        for ray in self._rays[square]:
            run = 0
            for place in ray:
                if place & theirs:
                    run |= place
                else:
                    if place & mine:
                        turned |= run
                    break
        return turned

    def _judged(self, x: int, o: int, to_move: str) -> BoardState:
        outcome, size = None, self.height
        mine, theirs = (x, o) if to_move == "X" else (o, x)
        if not find_placements(mine, theirs, size) and not find_placements(theirs, mine, size):
            lead = x.bit_count() - o.bit_count()
            outcome = "X" if lead > 0 else "O" if lead < 0 else "draw"
        # The same as BoardState(...), in half the time.
        return tuple.__new__(BoardState, (x, o, to_move, outcome, (self.height, self.width)))

    def _state(self, x: int, o: int, to_move: str) -> BoardState:
        if self._middle & ~(x | o):
            raise ValueError("the four squares in the middle are never empty")
        return self._judged(x, o, to_move)

    def __repr__(self) -> str:
        return f"Othello({self.height})"
