"""The page Play: the board, whose turn it is, what a move is worth."""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Any

from autograder.diagram import squares_of
from lab.boards import Square, cells, kind_of, won
from lab.engines import OWN
from lab.pages.parts import found, kindly
from lab.table import HUMAN, Table
from starter.games import Game, State, other


def squares(table: Table, shown: int) -> list[dict[str, Any]]:
    """Every square of the board after so many moves, row by row; then, wide, the lines of a state
    without a board, and the moves that no square stands for.

    mark, note: what stands there; what the move is worth
    look, says: its classes; what a screen reader says
    column:     where on the grid it begins, if not after the one before
    move:       the name of the move that a click makes, or None
    fills:      the places, in this list, that the move fills
    """
    with table.lock:
        shown = min(shown, len(table.moves))  # the page may be behind: a new game has begun
        game, state, kind = table.game, table.positions[shown], kind_of(table.game)
        live = shown == len(table.moves)
        legal = game.actions(state) if live and table.humans_turn else ()
        values = dict(table.estimates) if live else {}
        looks = looks_of(table, shown)
    if kind is None:
        raise ValueError(f"{game!r} is not played by clicking")
    fills = {move: sorted(squares_of(game, state, move)) for move in legal}
    board = marks_of(table, state)
    clicked = {place: kind.clicked(state, *place) for place in board}
    width = 1 + max((column for _, column in board), default=0)
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


def marks_of(table: Table, state: State) -> dict[Square, str]:
    """What stands on each square; the board is as wide as at the beginning of the game."""
    width = max(map(len, cells(table.positions[0])), default=0)
    return {
        (row, column): mark
        for row, line in enumerate(cells(state))
        for column, mark in enumerate(line.ljust(width))
    }


def looks_of(table: Table, shown: int) -> dict[str, Collection[Square]]:
    """The squares that are set off: by the last move, as those that have won, at a side that a
    player of a slanted board has to reach."""
    game, state = table.game, table.positions[shown]
    looks: dict[str, Collection[Square]] = {"won": won(game, state)}
    if shown:
        looks["last"] = squares_of(game, table.positions[shown - 1], table.moves[shown - 1])
    if state.picture().get("slanted"):
        board = marks_of(table, state)
        for i, sides in enumerate((("top", "bottom"), ("left", "right"))):
            for side, end in zip(sides, (0, max(place[i] for place in board))):
                looks[side] = [place for place in board if place[i] == end]
    return looks


SAID = ("won", "last", "best")
NAMES = {".": "empty", " ": "empty", "|": "a counter"}


def width_of(table: Table) -> int:
    """The squares in a row, from the beginning to the end of the game."""
    return max(map(len, cells(table.positions[0])), default=1)


def columns_of(table: Table) -> int:
    """The columns of the board's grid. On a slanted board each square takes two, and each row
    begins one further to the right."""
    rows, width = cells(table.positions[0]), width_of(table)
    return 2 * width + len(rows) - 1 if table.state.picture().get("slanted") else width


def signed(value: float) -> str:
    """An estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"


def names_of(table: Table) -> list[str]:
    """The moves so far, as they are called."""
    kind = kind_of(table.game)
    if kind is None or kind.told is None:
        return list(map(str, table.moves))
    return [kind.told(state.to_move, move) for state, move in zip(table.positions, table.moves)]


def lately(table: Table) -> str:
    """Where chance moves: what was played from the human's last move on."""
    if type(table.game).outcomes is Game.outcomes or not table.moves:
        return ""
    humans = [i for i, s in enumerate(table.positions[:-1]) if s.to_move == table.human]
    words = ", ".join(names_of(table)[humans[-1] if humans else 0 :])
    return f"{words[0].upper()}{words[1:]}. "


def whose_turn(table: Table, shown: int) -> str:
    """The state of the game in one line."""
    if shown < len(table.moves):
        return f"The board after {shown} of {len(table.moves)} moves; walk to the last to play on."
    return lately(table) + turn(table)


def turn(table: Table) -> str:
    """Whose turn it is, or how the game has ended."""
    name, mark = table.engine, table.state.to_move
    if table.problem:
        return kindly(f"{table.problem}\nMeanwhile, choose another opponent: random, for one.")
    if table.over:
        result = table.game.utility(table.state, table.human)
        winner = table.human if result > 0 else other(table.human)
        if result == 0:
            words = "A draw."
        elif table.engine == HUMAN:
            words = f"{winner} wins."
        else:
            words = "You win!" if winner == table.human else f"{name} wins."
        return f"<b>{words}</b>"
    if table.thinking:
        return f'<span class="thinking">{escape(name)} is thinking … {table.progress}</span>'
    if table.paused and not table.humans_turn:
        return "Stopped. “go on” lets it think again; or choose fewer plies or playouts."
    who = f"{mark} is to move" if table.engine == HUMAN else f"Your move: you are {table.human}"
    rating = f"rating your moves … {table.progress}" if table.estimating else ""
    return f"<span>{who}.</span> <small{' class=thinking' * bool(rating)}>{rating}</small>"


def behind(table: Table) -> str:
    """What the engine's last search found and cost, and what the figures on the board mean."""
    said = []
    if table.thought and table.thought.seconds:
        said.append(found(table.thought, other(table.human)))
    if table.engine == OWN:
        said.append(
            "<small>In the tests and the tournament a move may take one second of computing, and "
            "ten seconds more in a whole game. Here nothing stops it but you.</small>"
        )
    if table.estimates:
        said.append(
            f"<small>On the board: what {escape(table.engine)} thinks each of your moves is worth "
            "to you, from -1 (lost) to +1 (won).</small>"
        )
    return "".join(said)
