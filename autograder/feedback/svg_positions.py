"""Draw boards, piles and texts as parts of an SVG picture, see `svg.py`."""

from collections.abc import Callable
from html import escape
from typing import Any

from autograder.diagram import Board
from autograder.printable import sanitize

CHARACTER, LINE = 7.3, 16  # the size of a 12 px monospace character, and of a line
PAD = 7  # inside a node's box
SQUARE = 34  # the side of a board's square

Drawn = tuple[float, float, list[str]]  # width, height, parts


def write_text(x: float, y: float, text: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{style}>{escape(sanitize(text))}</text>'


def draw_rows(what: dict[str, Any], picture: Board, numbered: bool) -> Drawn:
    """Draw a board with numbered rows and columns.

    On a slanted board each row is shifted by half a square, and lines mark the sides of X and O.
    """
    rows, parts = what["rows"], []
    height, width = len(rows), len(rows[0])
    left = top = 22 if numbered else 1
    shift = SQUARE // 2 if what.get("slanted") else 0
    if numbered:
        parts += [write_text(left + SQUARE * (c + 0.5), 15, str(c), "soft") for c in range(width)]
        parts += [
            write_text(10 + shift * r, top + SQUARE * (r + 0.5) + 4, str(r), "soft")
            for r in range(height)
        ]
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            x, y = left + SQUARE * c + shift * r, top + SQUARE * r
            kind = "bad" if (r, c) in picture.bad else "good" if (r, c) in picture.good else ""
            style = f' class="{kind}"' if kind else ""
            parts.append(f'<rect{style} x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>')
            parts.append(STONES[mark](x, y))
    if shift:
        parts += draw_sides(left, top, height, width)
    lower = top + SQUARE * height + (2 if shift else 0)
    return left + SQUARE * width + shift * (height - 1) + left / 5, lower, parts


def draw_sides(left: float, top: float, height: int, width: int) -> list[str]:
    """Draw the sides of a slanted board: X's above and below, O's left and right."""
    step = SQUARE // 2
    down = "".join(f"v{SQUARE}h{step}" for _ in range(height - 1)) + f"v{SQUARE}"
    low = left + step * (height - 1)
    return [
        f'<path class="x" d="M{left} {top}h{SQUARE * width}"/>',
        f'<path class="x" d="M{low} {top + SQUARE * height}h{SQUARE * width}"/>',
        f'<path class="o" d="M{left} {top}{down}"/>',
        f'<path class="o" d="M{left + SQUARE * width} {top}{down}"/>',
    ]


def draw_piles(what: dict[str, Any], picture: Board, numbered: bool) -> Drawn:
    """Draw piles as rows of counters, numbered on the left and counted on the right."""
    left, step, parts = 22 if numbered else 1, 22, []
    for r, pile in enumerate(what["piles"]):
        y = 16 + step * r
        if numbered:
            parts.append(write_text(10, y + 4, str(r), "soft"))
        for c in range(pile):
            kind = "bad" if (r, c) in picture.bad else "good" if (r, c) in picture.good else "lone"
            parts.append(
                f'<circle class="{kind}" cx="{left + step * (c + 0.5):g}" cy="{y}" r="8"/>'
            )
        count = f"({pile})"
        parts.append(write_text(left + step * pile + 4 + CHARACTER * len(count) / 2, y + 4, count))
    wide = left + step * max(what["piles"]) + 8 + CHARACTER * 4
    return wide, 8 + step * len(what["piles"]), parts


def draw_text(what: dict[str, Any], picture: Board, numbered: bool) -> Drawn:
    """Draw a state by its text."""
    lines = str(picture.state).splitlines()
    parts = [
        f'<text class="line" x="{PAD}" y="{LINE * (i + 1)}">{escape(sanitize(line))}</text>'
        for i, line in enumerate(lines)
    ]
    return CHARACTER * max(map(len, lines)) + 2 * PAD, LINE * len(lines) + PAD, parts


KINDS: dict[str, Callable[[dict[str, Any], Board, bool], Drawn]] = {
    "board": draw_rows,
    "piles": draw_piles,
    "text": draw_text,
}


def draw_cross(x: float, y: float) -> str:
    a, b = 9, SQUARE - 9
    return f'<path class="x" d="M{x + a} {y + a}L{x + b} {y + b}M{x + b} {y + a}L{x + a} {y + b}"/>'


def draw_ring(x: float, y: float) -> str:
    middle = SQUARE / 2
    return f'<circle class="o" cx="{x + middle:g}" cy="{y + middle:g}" r="{middle - 8:g}"/>'


def draw_counter(x: float, y: float) -> str:
    middle = SQUARE / 2
    return f'<circle class="lone" cx="{x + middle:g}" cy="{y + middle:g}" r="{middle - 7:g}"/>'


STONES: dict[str, Callable[[float, float], str]] = {
    "X": draw_cross,
    "O": draw_ring,
    "|": draw_counter,
    ".": lambda x, y: "",
}
