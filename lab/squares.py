"""Describe the board of a match in the form that `board.js` expects."""

from collections.abc import Collection
from typing import Any

from autograder.diagram import find_squares
from lab.boards import Square, find_winning_squares, list_marks
from lab.match import Match
from starter.games import ConnectFour, Move


def describe_board(match: Match, values: dict[Move, float]) -> dict[str, Any]:
    """Return the columns of the grid, the length of a row, and all squares.

    Wide squares follow: the lines of a state without a board, and the moves that no square makes.

    values: what the human's moves are worth

    In each square:

    mark, note: what stands there; the value of the move
    look, says: its classes; what a screen reader says
    column:     where it begins on the grid, if not after the previous square
    move:       the name of the move that a click makes, or None
    fills:      the indices of the squares that the move fills
    """
    game, state = match.game, match.state
    first = list_marks(match.positions[0])  # the board keeps this size
    width, slanted = max(map(len, first), default=1), bool(state.picture().get("slanted"))
    marks = {
        (row, column): mark
        for row, line in enumerate(list_marks(state))
        for column, mark in enumerate(line.ljust(width))
    }
    looks = find_highlights(match)
    legal = game.actions(state) if match.is_human_to_move else ()
    fills = {move: sorted(find_squares(game, state, move)) for move in legal}
    clicks = {filled[0]: move for move, filled in fills.items() if filled}
    if isinstance(game, ConnectFour):  # a click anywhere in a column
        clicks = {(row, column): column for row, column in marks if column in legal}
    squares: list[dict[str, Any]] = []
    for (row, column), mark in marks.items():
        place, move = (row, column), clicks.get((row, column))
        is_legal = move is not None
        # A move's value stands where its stone would lie, or at the first counter that it takes.
        is_rated = move in values and fills[move][0] == place
        worth = format_signed(values[move]) if is_rated else ""
        look = [name for name, there in looks.items() if place in there]
        look += ["best"] * (is_rated and values[move] == max(values.values()))
        says = [f"row {row}, column {column}: {NAMES.get(mark, mark)}", f"plays {move}" * is_legal]
        says += [f"worth {worth}" * is_rated, *(name for name in look if name in SPOKEN_LOOKS)]
        squares.append(
            {
                "mark": mark,
                "note": worth,
                "look": " ".join(look),
                "says": ", ".join(filter(None, says)),
                "column": row + 2 * column + 1 if slanted else None,
                "move": str(move) if is_legal else None,
                "fills": [r * width + c for r, c in fills.get(move, ())],
            }
        )
    wide: list[tuple[str, str | None]] = []
    if not marks:
        wide += [(line, None) for line in str(state).splitlines()]
    for move in [move for move in legal if move not in clicks.values()]:
        worth = f": {format_signed(values[move])}" if move in values else ""
        wide.append((f"{move}{worth}", str(move)))
    squares += [
        {"note": words, "look": "wide", "says": words, "move": name, "fills": []}
        for words, name in wide
    ]
    # On a slanted board a square takes two columns; each row begins one further to the right.
    columns = 2 * width + len(first) - 1 if slanted else width
    return {"columns": columns, "row": width, "squares": squares}


def find_highlights(match: Match) -> dict[str, Collection[Square]]:
    """Return the squares to highlight: last move, winning squares, sides to join."""
    game, state = match.game, match.state
    looks: dict[str, Collection[Square]] = {"won": find_winning_squares(game, state)}
    if match.moves:
        looks["last"] = find_squares(game, match.positions[-2], match.moves[-1])
    if state.picture().get("slanted"):
        places = range(len(list_marks(state)))
        looks |= {
            "top": [(0, place) for place in places],
            "bottom": [(places[-1], place) for place in places],
            "left": [(place, 0) for place in places],
            "right": [(place, places[-1]) for place in places],
        }
    return looks


SPOKEN_LOOKS = ("won", "last", "best")
NAMES = {".": "empty", " ": "empty", "|": "a counter"}


def format_signed(value: float) -> str:
    """Format an estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"
