"""The squares of the board that one plays on, as `board.js` takes them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from autograder.diagram import squares_of
from lab.boards import Square, category_of, cells, won
from lab.match import Match
from starter.games import Move


def squares(match: Match, values: dict[Move, float]) -> list[dict[str, Any]]:
    """Return every square of the board, row by row; then, wide, the lines of a state without a
    board, and the moves that no square stands for.

    values: what the human's moves are worth

    In each square:

    mark, note: what stands there; what the move is worth
    look, says: its classes; what a screen reader says
    column:     where on the grid it begins, if not after the one before
    move:       the name of the move that a click makes, or None
    fills:      the places, in this list, that the move fills
    """
    game, state, kind = match.game, match.state, category_of(match.game)
    legal = game.actions(state) if match.is_human_to_move else ()
    looks = looks_of(match)
    if kind is None:
        raise ValueError(f"{game!r} is not played by clicking")
    fills = {move: sorted(squares_of(game, state, move)) for move in legal}
    board = marks_of(match)
    clicked = {place: kind.clicked(state, *place) for place in board}
    width = width_of(match)
    made = []
    for (row, column), move in clicked.items():
        mark, place = board[row, column], (row, column)
        can = move in fills and mark != " "
        # A move's worth stands where its stone would lie; of counters, at the first that is taken.
        worth = signed(values[move]) if can and move in values and fills[move][0] == place else ""
        look = [name for name, there in looks.items() if place in there]
        look += ["best"] * (worth != "" and values[move] == max(values.values()))
        says = [f"row {row}, column {column}: {NAMES.get(mark, mark)}", f"plays {move}" * can]
        says += [f"worth {worth}" * bool(worth), *(name for name in look if name in SAID)]
        made.append(
            {
                "mark": mark,
                "note": worth,
                "look": " ".join(look),
                "says": ", ".join(filter(None, says)),
                "column": row + 2 * column + 1 if "top" in looks else None,
                "move": str(move) if can else None,
                "fills": [r * width + c for r, c in fills[move]] if can else [],
            }
        )
    lines = [] if board else str(state).splitlines()
    wide: list[tuple[str, str | None]] = [(line, None) for line in lines]
    for move in [move for move in legal if move not in clicked.values()]:
        worth = f": {signed(values[move])}" if move in values else ""
        wide.append((f"{move}{worth}", str(move)))
    return made + [
        {"note": words, "look": "wide", "says": words, "move": name, "fills": []}
        for words, name in wide
    ]


def marks_of(match: Match) -> dict[Square, str]:
    """Return the mark on each square; the board is as wide as at the beginning of the game."""
    return {
        (row, column): mark
        for row, line in enumerate(cells(match.state))
        for column, mark in enumerate(line.ljust(width_of(match)))
    }


def looks_of(match: Match) -> dict[str, Collection[Square]]:
    """Return the squares that are set off: by the last move, as those that have won, or at a side
    that a player of a slanted board has to reach."""
    game, state = match.game, match.state
    looks: dict[str, Collection[Square]] = {"won": won(game, state)}
    if match.moves:
        looks["last"] = squares_of(game, match.positions[-2], match.moves[-1])
    if state.picture().get("slanted"):
        board = marks_of(match)
        for i, sides in enumerate((("top", "bottom"), ("left", "right"))):
            for side, end in zip(sides, (0, max(place[i] for place in board))):
                looks[side] = [place for place in board if place[i] == end]
    return looks


SAID = ("won", "last", "best")
NAMES = {".": "empty", " ": "empty", "|": "a counter"}


def width_of(match: Match) -> int:
    """Count the squares in a row, from the beginning to the end of the game."""
    return max(map(len, cells(match.positions[0])), default=1)


def columns_of(match: Match) -> int:
    """Count the columns of the board's grid. On a slanted board each square takes two, and each row
    begins one further to the right."""
    rows, width = cells(match.positions[0]), width_of(match)
    return 2 * width + len(rows) - 1 if match.state.picture().get("slanted") else width


def signed(value: float) -> str:
    """Write an estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"
