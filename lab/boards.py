"""List the games of the lab, and what can be chosen, searched and clicked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from math import perm
from operator import or_
from typing import Any

from starter.games import (
    ConnectFour,
    Game,
    Hex,
    Move,
    Nim,
    Othello,
    Pig,
    State,
    TakeAway,
    TicTacToe,
)

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
    """One kind of game: what can be chosen, searched and clicked in it.

    name:       as the page calls it
    game:       its class
    sizes:      what can be chosen, with the default values
    positions:  examples to search, by key

    choose_depth:         returns the number of plies that can be searched while one waits
    find_move:            returns the move that a click on (row, column) makes in a state; a move
                          that no click makes, such as a pass, has a button
    find_winning_squares: returns the squares that decided the game, if any did
    """

    name: str
    game: Callable[..., Game]
    sizes: dict[str, int]
    choose_depth: Callable[[Any], int]
    find_move: Callable[[State, int, int], Move]
    positions: dict[str, str] = field(default_factory=dict)
    find_winning_squares: Callable[[Any, Any], frozenset[Square]] = lambda game, state: frozenset()

    def make_game(self, sizes: Mapping[str, int] | None = None) -> Game:
        """Return the game in these sizes, by default those of the category."""
        values = tuple((sizes or self.sizes).values())
        return Nim(values) if self.game is Nim else self.game(*values)


def locate_stones(game: Any, stones: int) -> frozenset[Square]:
    """Return the squares of a set of stones, as (row, column)."""
    bits = (bit for bit in range(stones.bit_length()) if stones >> bit & 1)
    return frozenset(divmod(bit, game.width + 1) for bit in bits)


def find_winning_lines(game: Any, state: Any) -> frozenset[Square]:
    """Return the squares of all lines of k stones of one player."""
    winning = [line for line in game.lines if line in (line & state.x, line & state.o)]
    return locate_stones(game, reduce(or_, winning, 0))


def find_winning_chain(game: Any, state: Any) -> frozenset[Square]:
    """Return the squares of the stones that join two sides of Hex."""
    for (first, last), stones in zip((game.sides["X"], game.sides["O"]), (state.x, state.o)):
        if chain := game.reached(first, stones) & game.reached(last, stones):
            return locate_stones(game, chain)
    return frozenset()


def choose_depth_by_squares(game: Any) -> int:
    """Return a depth for games in which a move may take any free square.

    With at most nine squares, it reaches the end of the game.
    """
    squares = game.height * game.width
    if squares <= 9:
        return MAX_PLIES
    return max(plies for plies in range(1, 6) if perm(squares, plies) <= MAX_POSITIONS)


def place_stone(state: State, row: int, column: int) -> Move:
    return row, column


GOMOKU = Category(
    "Gomoku",
    TicTacToe,
    {"height": 15, "width": 15, "in a row": 5},
    choose_depth_by_squares,
    place_stone,
    find_winning_squares=find_winning_lines,
)
CATEGORIES = (
    replace(
        GOMOKU,
        name="tic-tac-toe",
        sizes={"height": 3, "width": 3, "in a row": 3},
        positions={
            "tic-tac-toe, empty": ".../.../...",
            "tic-tac-toe, a fork": "X../.O./..X",
            "tic-tac-toe, win or lose": "XX./OO./...",
            "tic-tac-toe, 4 squares left": "XOX/.O./.X. O",
        },
    ),
    GOMOKU,
    Category(
        "Connect Four",
        ConnectFour,
        {"height": 6, "width": 7, "in a row": 4},
        lambda game: 5,
        lambda state, row, column: column,
        {
            "Connect Four, empty": "......./......./......./......./......./.......",
            "Connect Four, block or lose": "......./......./......./......./...O.../.OXXX..",
            "Connect Four, middle game": "......./...X.../...O.../..XXO../..OXX../.OXOO..",
        },
        find_winning_squares=find_winning_lines,
    ),
    Category(
        "Othello",
        Othello,
        {"size": 8},
        lambda game: MAX_PLIES if game.height == 4 else 4,
        place_stone,
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
        choose_depth_by_squares,
        place_stone,
        {
            "Hex, empty": "...../...../...../...../.....",
            "Hex, a bridge to save": "..X../..XO./.O.../.XO../.....",
        },
        find_winning_squares=find_winning_chain,
    ),
    Category(
        "Nim",
        Nim,
        {f"pile\N{NO-BREAK SPACE}{number}": 2 + number for number in range(3)},
        lambda game: 5,
        lambda state, pile, counter: (pile, state.piles[pile] - counter),
        positions={"Nim, two piles": "0,1,2 X"},
    ),
    Category(
        "take-away",
        TakeAway,
        {"coins": 21, "most": 3},
        lambda game: MAX_PLIES,
        lambda state, pile, counter: state.piles[pile] - counter,
    ),
    Category(
        "Pig",
        Pig,
        {"goal": 20},
        lambda game: 6,
        place_stone,  # never called: the game has no squares
        positions={"Pig, roll or hold": "12-16 X 7"},
    ),
)
BY_NAME = {category.name: category for category in CATEGORIES}


def find_category(game: Game) -> Category | None:
    """Return the category of a game, if it has one."""
    return next((category for category in CATEGORIES if type(game) is category.game), None)


def find_winning_squares(game: Game, state: State) -> frozenset[Square]:
    """Return the squares that decided the game."""
    category = find_category(game)
    return category.find_winning_squares(game, state) if category else frozenset()


def list_marks(state: State) -> Sequence[str]:
    """Return the marks on the squares, row by row, or the counters of the piles.

    A state without a board has none.
    """
    picture = state.picture()
    if picture["kind"] == "piles":
        return ["|" * pile for pile in picture["piles"]]
    rows: Sequence[str] = picture.get("rows", ())
    return rows
