"""The lab's pictures of positions, by the grader's own drawer, and small HTML tables."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from autograder import diagram
from autograder.diagram import Board
from autograder.feedback import svg
from lab.boards import won
from lab.experiments.experiment import Row
from lab.words import number
from starter.games import Game, State

# --- Positions --------------------------------------------------------------------------


def position(game: Game, state: State, player: str) -> str:
    """A picture of a position of any game, what has won marked; of a game tree, all of it, as seen
    by the player."""
    picture = diagram.position(game, state, player)
    if isinstance(picture, Board):
        picture.good = won(game, state)
    return f'<div class="wide">{svg.standalone(picture)}</div>'


# --- Tables ---------------------------------------------------------------------------------------


def tables(rows: Sequence[Row]) -> str:
    """Rows as tables, one for each set of fields."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(tuple(row), []).append(row)
    return "".join(map(table, alike.values()))


def table(rows: Sequence[Row]) -> str:
    """Rows of names and values as a table."""
    names = list(dict.fromkeys(name for row in rows for name in row))

    def cell(name: str, value: Any) -> str:
        if isinstance(value, tuple):  # an interval of shares
            return f"<td>{value[0]:.1%} to {value[1]:.1%}</td>"
        if not isinstance(value, (int, float)):
            return f"<td>{escape('' if value is None else str(value))}</td>"
        words = f"{value:.3f}" if name.startswith("seconds") else number(value)
        words = f"{value:.0%}" if name in ("share", "score") else words
        return f'<td class="number">{escape(words)}</td>'

    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(cell(name, row.get(name)) for name in names)}</tr>" for row in rows
    )
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide" tabindex="0"><table class="figures">{inside}</table></div>'


def facts(items: dict[str, Any]) -> str:
    """Figures side by side, each over its name."""
    return (
        '<div class="facts">'
        + "".join(
            f"<div><b>{escape(value if isinstance(value, str) else number(value))}</b>"
            f"<span>{escape(name)}</span></div>"
            for name, value in items.items()
        )
        + "</div>"
    )
