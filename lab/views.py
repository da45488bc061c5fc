"""What the lab says and shows, as HTML made of plain data."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

from lab import drawing
from lab.engines import ENGINES, Settings
from lab.student import FUNCTIONS, Student
from lab.table import HUMAN, Table
from starter.games import ConnectFour, Move, other

HEADING = (
    '<h1 class="lab-title">The lab</h1><p class="lab-lead">Play against your own functions, watch them '
    "search, measure what they cost.</p>"
)

NAMES = {
    "minimax": "minimax",
    "alphabeta": "alpha-beta",
    "cutoff": "heuristic alpha-beta",
    "mcts": "MCTS",
}


def kindly(problem: str) -> str:
    """A trouble, told as something to do next; nothing if there is none."""
    return f'<div class="kind">{escape(problem)}</div>' if problem else ""


def what_is_written(code: Student) -> str:
    """Which of the student's files are ready, and what is to be written next."""
    chips, first = [], ""
    for file in FUNCTIONS:
        trouble = code.trouble(file)
        first = first or trouble
        css, mark = ("missing", "○") if trouble else ("ready", "✓")
        chips.append(
            f'<span class="chip {css}" title="{escape(trouble or "written")}">'
            f"{mark} {NAMES[file]}</span>"
        )
    following = f"<span>Next: {escape(first)}</span>" if first else "<span>All written.</span>"
    return f'<div class="chips">{"".join(chips)}{following}</div>'


# --- Settings -------------------------------------------------------------------------------------


def setting_controls(mo: ModuleType, engine: str, large: bool) -> Any:
    """The controls of the settings that concern an engine, for a large or a small board."""
    uses = ENGINES[engine].uses if engine in ENGINES else ()
    to_the_end = engine in ("minimax", "alpha-beta") and not large
    controls = {
        "plies": mo.ui.slider(
            1, 9, value=9 if to_the_end else 5, label="plies looked ahead", show_value=True
        ),
        "playouts": mo.ui.slider(
            steps=[10, 30, 100, 300, 1000, 3000, 10000],
            value=1000,
            label="playouts",
            show_value=True,
        ),
        "C": mo.ui.slider(0, 3, step=0.1, value=1.4, label="C, exploration", show_value=True),
    }
    return mo.ui.dictionary({name: controls[name] for name in uses})


def settings(values: dict[str, Any]) -> Settings:
    return Settings(**values)


# --- Play -----------------------------------------------------------------------------------------


def playable(table: Table) -> list[tuple[Move, str]]:
    """The squares that can be clicked, each with the move it makes and its picture, row by row."""
    if not table.humans_turn:
        return []
    legal = set(table.game.actions(table.state))
    return [
        (move, picture)
        for move, picture in squares(table)
        if move in legal
    ]


def squares(table: Table) -> list[tuple[Move, str]]:
    """Every square of the board, row by row, with the move that a click on it means."""
    state, columns = table.state, isinstance(table.game, ConnectFour)
    height, width = state.shape
    size = max(26, min(92, 460 // max(height, width)))
    best = max(table.estimates.values(), default=None)
    before = table.positions[-2].rows if table.moves else state.rows
    pictures: list[tuple[Move, str]] = []
    for row, line in enumerate(state.rows):
        for column, mark in enumerate(line):
            move = column if columns else (row, column)
            free = mark == "." and (
                not columns or row == height - 1 or state.rows[row + 1][column] != "."
            )
            value = table.estimates.get(move) if free else None
            note = "" if value is None else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"
            if value == 0:
                note = "0"
            last = mark != before[row][column]
            pictures.append(
                (move, drawing.square(mark, size, note, value is not None and value == best, last))
            )
    return pictures


def board(table: Table, buttons: list[str]) -> str:
    """The board, with buttons in place of the squares that can be clicked."""
    clickable = iter(buttons)
    moves = {move for move, _ in playable(table)}
    cells = "".join(
        f"<div>{next(clickable) if move in moves else picture}</div>"
        for move, picture in squares(table)
    )
    width = table.state.shape[1]
    return f'<div class="board" style="grid-template-columns:repeat({width},auto)">{cells}</div>'


def whose_turn(table: Table) -> str:
    """The state of the game in one line."""
    name, mark = table.engine, table.state.to_move
    if table.problem:
        return kindly(f"{name}: {table.problem}")
    if table.over:
        outcome = table.state.outcome
        if outcome == "draw":
            words = "A draw."
        elif table.engine == HUMAN:
            words = f"{outcome} wins."
        else:
            words = "You win!" if outcome == table.human else f"{name} wins."
        return f"<b>{words}</b>"
    if table.thinking:
        return f'<span class="thinking">{escape(name)} is thinking … {table.progress}</span>'
    if table.paused and not table.humans_turn:
        return "Stopped. “go on” lets it think again; or choose fewer plies or playouts."
    who = f"{mark} is to move" if table.engine == HUMAN else f"Your move: you are {table.human}"
    return f"<span>{who}.</span>"


def thought(table: Table) -> str:
    """What the engine's last search found and cost."""
    if table.engine == HUMAN:
        return ""
    lines = []
    if table.thought and table.thought.counts:
        found = table.thought
        side = other(table.human)
        lines.append(
            drawing.facts(
                {
                    f"value for {side}": found.value,
                    **found.counts,
                    "seconds": f"{found.seconds:.3f}",
                }
            )
        )
    if table.estimates:
        lines.append(
            f"<small>On the board: what {escape(table.engine)} thinks each of your moves is worth "
            "to you, from -1 (lost) to +1 (won).</small>"
        )
    elif table.estimating:
        lines.append(f'<small class="thinking">rating your moves … {table.progress}</small>')
    return "".join(lines)
