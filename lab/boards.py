"""List the games of the lab, and what can be chosen and searched."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from math import perm
from operator import or_
from typing import Any

from starter.games import ConnectFour, Game, Hex, Nim, Othello, Pig, State, TakeAway, TicTacToe

Square = tuple[int, int]

# The games that can be measured, by name.
BOARDS: dict[str, Game] = {
    "tic-tac-toe": TicTacToe(),
    "tic-tac-toe 4 x 4": TicTacToe(4, 4, 4),
    "Connect Four": ConnectFour(),
    "Othello": Othello(),
    "Othello 4 x 4": Othello(4),
    "Hex 4 x 4": Hex(4),
    "Hex 7 x 7": Hex(7),
}
SMALL_BOARDS: dict[str, Game] = {  # small enough for minimax to the end
    "tic-tac-toe 3 x 3": TicTacToe(),
    "tic-tac-toe 2 x 4, 3 in a row": TicTacToe(2, 4, 3),
    "Connect Four 3 x 4, 3 in a row": ConnectFour(3, 4, 3),
}

MAX_PLIES = 9  # the largest that can be chosen: it reaches the end of tic-tac-toe
MAX_POSITIONS = 600_000  # in one search; the whole tree of tic-tac-toe has 549,946


@dataclass(frozen=True)
class Category:
    """One kind of game: what can be chosen and searched in it.

    name:      as the page calls it
    game:      its class
    sizes:     what can be chosen, with the default values
    plies:     how many can be searched while one waits; if None, the squares decide
    positions: examples to search, by key
    """

    name: str
    game: Callable[..., Game]
    sizes: dict[str, int]
    plies: int | None = None
    positions: dict[str, str] = field(default_factory=dict)

    def make_game(self, sizes: Mapping[str, int] | None = None) -> Any:
        """Return the game in these sizes, by default those of the category."""
        values = tuple((sizes or self.sizes).values())
        return Nim(values) if self.game is Nim else self.game(*values)

    def choose_depth(self, game: Any) -> int:
        """Return the number of plies that can be searched while one waits.

        With at most nine squares, it reaches the end of a game in which a move takes any of them.
        """
        if self.plies:
            return self.plies
        squares = game.height * game.width
        if squares <= 9:
            return MAX_PLIES
        return max(plies for plies in range(1, 6) if perm(squares, plies) <= MAX_POSITIONS)


CATEGORIES = (
    Category(
        "tic-tac-toe",
        TicTacToe,
        {"height": 3, "width": 3, "in a row": 3},
        positions={
            "tic-tac-toe, empty": ".../.../...",
            "tic-tac-toe, a fork": "X../.O./..X",
            "tic-tac-toe, win or lose": "XX./OO./...",
            "tic-tac-toe, 4 squares left": "XOX/.O./.X. O",
        },
    ),
    Category("Gomoku", TicTacToe, {"height": 15, "width": 15, "in a row": 5}),
    Category(
        "Connect Four",
        ConnectFour,
        {"height": 6, "width": 7, "in a row": 4},
        5,
        {
            "Connect Four, empty": "......./......./......./......./......./.......",
            "Connect Four, block or lose": "......./......./......./......./...O.../.OXXX..",
            "Connect Four, middle game": "......./...X.../...O.../..XXO../..OXX../.OXOO..",
        },
    ),
    Category(
        "Othello",
        Othello,
        {"size": 8},
        4,
        {
            "Othello, start": Othello().initial.key,
            "Othello, a corner to take": (
                "......../.O....../..O...../...OX.../...XX.../......../......../........"
            ),
        },
    ),
    Category(
        "Hex",
        Hex,
        {"size": 7},
        positions={
            "Hex, empty": "...../...../...../...../.....",
            "Hex, a bridge to save": "..X../..XO./.O.../.XO../.....",
        },
    ),
    Category(
        "Nim",
        Nim,
        {f"pile\N{NO-BREAK SPACE}{number}": 2 + number for number in range(3)},
        5,
        {"Nim, two piles": "0,1,2 X"},
    ),
    Category("take-away", TakeAway, {"coins": 21, "most": 3}, MAX_PLIES),
    Category("Pig", Pig, {"goal": 20}, 6, {"Pig, roll or hold": "12-16 X 7"}),
)
BY_NAME = {category.name: category for category in CATEGORIES}


def find_winning_squares(game: Any, state: Any) -> frozenset[Square]:
    """Return the squares that decided the game: all full lines, or a chain that joins two sides."""
    decisive = []
    if isinstance(game, (TicTacToe, ConnectFour)):
        decisive = [line for line in game.lines if line in (line & state.x, line & state.o)]
    elif isinstance(game, Hex):
        for (first, last), stones in zip(game.sides.values(), (state.x, state.o)):
            decisive.append(game.reached(first, stones) & game.reached(last, stones))
    squares = reduce(or_, decisive, 0)
    bits = (bit for bit in range(squares.bit_length()) if squares >> bit & 1)
    return frozenset(divmod(bit, game.width + 1) for bit in bits)


def list_marks(state: State) -> Sequence[str]:
    """Return the marks on the squares, row by row, or the counters of the piles.

    A state without a board has none.
    """
    picture = state.picture()
    if picture["kind"] == "piles":
        return ["|" * pile for pile in picture["piles"]]
    rows: Sequence[str] = picture.get("rows", ())
    return rows
