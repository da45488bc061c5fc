"""Define the lab's widgets: a board, buttons that walk along steps, and a tree."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from autograder.feedback import svg, svg_positions

LAB = Path(__file__).resolve().parent
STONES = {mark: stone(0, 0) for mark, stone in svg_positions.STONES.items()}


class Board(anywidget.AnyWidget):
    """A board to click on, or to walk over with the arrow keys.

    columns: of the grid on which the squares lie
    row:     so many squares stand side by side
    squares: row by row, what stands on each, and what can be done there (see `squares.py`)
    played:  how often something was played, and the name of the last move
    """

    _esm = (LAB / "board.js").read_text(encoding="utf-8")
    _css = svg.STYLE
    stones = traitlets.Dict(STONES).tag(sync=True)
    columns = traitlets.Int(1).tag(sync=True)
    row = traitlets.Int(1).tag(sync=True)
    squares: Any = traitlets.List().tag(sync=True)
    played = traitlets.List([0, ""]).tag(sync=True)


class Playback(anywidget.AnyWidget):
    """Walks along steps, 0 to `steps`: back, on, to the next stop, by itself.

    stops: the steps that "next" goes to
    next:  what they are called
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
