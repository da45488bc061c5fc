"""Build what the notebooks share: the head of a page, controls, results and widgets."""

from collections.abc import Sequence
from html import escape
from operator import attrgetter
from pathlib import Path
from typing import Any

import anywidget
import marimo as mo
import traitlets

from autograder.diagram import format_value
from autograder.feedback import svg
from autograder.settings import SETTINGS
from lab.boards import MAX_PLIES
from lab.engines import ENGINES, list_playable_engines
from lab.jobs import Session
from lab.student import FUNCTIONS, STUB, StudentCode
from lab.trees import render_position
from starter.games import Game, State

PAGES = {
    "watch": "Watch a search",
    "play": "Play",
    "measure": "Measure",
    "quiz": "Check yourself",
}
READ_TIMEOUT_S = 10  # for the student's files
LAB = Path(__file__).resolve().parent


def load_student(session: Session) -> StudentCode:
    """Find out in a job which of the student's functions can be used.

    The process of the page does not load the files, which may do anything when they are read.
    """
    job = session.run(attrgetter("missing"))
    if not job.wait(READ_TIMEOUT_S):
        job.stop()
        job.problem = f"no end within {READ_TIMEOUT_S:g} seconds, so it was stopped"
    if job.problem:
        why = f"your files can't be read: {job.problem}"
        missing = {(file, name): why for file in FUNCTIONS for name in FUNCTIONS[file]}
        return StudentCode({}, missing)
    return StudentCode({}, job.result)


def choose_default_engine(code: StudentCode, otherwise: str) -> str:
    """Return alpha-beta, or else the first engine that is written, or else `otherwise`."""
    written = [name for name in ("alpha-beta", *ENGINES) if name in list_playable_engines(code)]
    return written[0] if ENGINES[written[0]].file else otherwise


def make_links(page: str) -> Any:
    pages = "".join(
        f'<a href="?file={name}.py"{" aria-current=page" * (name == page)}>{title}</a>'
        for name, title in PAGES.items()
    )
    return mo.Html(
        f"<h1>{escape(SETTINGS.title)}: the lab</h1>"
        f'<nav class="pages" aria-label="pages">{pages}</nav>'
    )


def make_header(page: str, code: StudentCode, reload: Any) -> Any:
    """Return the links to all pages, and why files can't be used."""
    problem = next((why for why in code.missing.values() if why and STUB not in why), "")
    return mo.vstack([make_links(page), reload, *make_callouts(problem)])


def make_callouts(text: str, kind: Any = "warn") -> list[Any]:
    """Return a text as a callout, or nothing if it is empty."""
    return [mo.callout(mo.Html(f'<div class="text">{escape(text)}</div>'), kind)] if text else []


def make_status(words: str, busy: bool = False) -> Any:
    """Return words that a screen reader reads aloud when they change."""
    look = "busy" if busy else "turn"
    return mo.Html(f'<b class="{look}" role="status">{escape(words)}</b>')


def make_heading(words: str) -> Any:
    return mo.Html(f"<h2>{escape(words)}</h2>")


def make_table(rows: Sequence[dict[str, Any]]) -> Any:
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [{name: format_figure(name, row.get(name)) for name in names} for row in rows]
    numbers = [n for n in names if all(isinstance(row.get(n, 0), (int, float)) for row in rows)]
    return mo.ui.table(
        cells,
        selection=None,
        pagination=len(rows) > 20,
        page_size=20,
        show_column_summaries=False,
        show_data_types=False,
        show_download=False,
        show_search=False,
        text_justify_columns=dict.fromkeys(numbers, "right"),
    )


def format_figure(name: str, value: Any) -> str:
    if not isinstance(value, (int, float)):
        return "" if value is None else str(value)
    if name.startswith("seconds"):
        return f"{value:.3f}"
    if name in ("share", "score"):
        return f"{value:.0%}"
    return f"{value:,}" if isinstance(value, int) else format_value(value)


def show_position(game: Game, state: State, player: str) -> Any:
    """Return a picture of a position as seen by the player."""
    return mo.Html(f'<div class="scroll">{render_position(game, state, player)}</div>')


def make_slider(
    label: str, value: float, *limits: float, steps: Sequence[int] | None = None
) -> Any:
    """Return a slider that shows its value.

    limits: its start, stop and step (default 1), unless `steps` are given
    """
    start, stop, step = (*limits, None, None, None)[:3]
    return mo.ui.slider(start, stop, step, value, label=label, show_value=True, steps=steps)


def make_setting_controls(engine: str, depth: int) -> Any:
    """Return the controls of the settings that an engine uses, with `depth` plies at first."""
    controls = {
        "plies": make_slider("plies to look ahead", depth, 1, MAX_PLIES),
        "playouts": make_slider(
            "playouts in a search", 1000, steps=[10, 30, 100, 300, 1000, 3000, 10000]
        ),
        "C": make_slider("C, of UCB1", SETTINGS.C, 0, 4, 0.1),
    }
    return mo.ui.dictionary({name: controls[name] for name in ENGINES[engine].uses})


def arrange(*items: Any) -> Any:
    """Return items side by side, in more rows if there is no room."""
    return mo.hstack(items, justify="start", align="center", wrap=True, gap=1.2)


class BoardView(anywidget.AnyWidget):
    """A board to click on, or to use with the arrow keys.

    columns: the number of columns of the grid on which the squares lie
    row:     the number of squares side by side
    squares: row by row, what stands on each, and what can be done there (see `squares.py`)
    played:  the number of moves made on the board, and the name of the last move
    """

    _esm = (LAB / "board.js").read_text(encoding="utf-8")
    _css = svg.STYLE
    stones = traitlets.Dict(svg.STONES).tag(sync=True)
    columns = traitlets.Int(1).tag(sync=True)
    row = traitlets.Int(1).tag(sync=True)
    squares: Any = traitlets.List().tag(sync=True)
    played = traitlets.List([0, ""]).tag(sync=True)


class Playback(anywidget.AnyWidget):
    """Buttons that move along steps 0 to `steps`, to the next stop or by a clock.

    stops: the steps that the button "next" goes to
    next:  the label of that button
    """

    _esm = (LAB / "playback.js").read_text(encoding="utf-8")
    steps = traitlets.Int(0).tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    stops: Any = traitlets.List().tag(sync=True)
    next = traitlets.Unicode().tag(sync=True)


class TreeView(anywidget.AnyWidget):
    """A tree that fits into the window, zooms, pans and follows its active node.

    rows: the nodes (see `trees.row`)
    """

    _esm = "".join((LAB / name).read_text(encoding="utf-8") for name in ("vendor/d3.js", "tree.js"))
    _css = svg.STYLE
    rows: Any = traitlets.List().tag(sync=True)
