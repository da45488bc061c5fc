"""Define the lab's widgets: a board, buttons that play back steps, and a tree."""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from autograder.feedback import svg, svg_positions

LAB = Path(__file__).resolve().parent
STONES = {mark: stone(0, 0) for mark, stone in svg_positions.STONES.items()}


class BoardView(anywidget.AnyWidget):
    """A board to click on, or to use with the arrow keys.

    columns: the number of columns of the grid on which the squares lie
    row:     the number of squares side by side
    squares: row by row, what stands on each, and what can be done there (see `squares.py`)
    played:  the number of moves made on the board, and the name of the last move
    """

    _esm = (LAB / "board.js").read_text(encoding="utf-8")
    _css = svg.STYLE
    stones = traitlets.Dict(STONES).tag(sync=True)
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
