"""Draw pictures (see `diagram.py`) as SVG, by pure functions.

`draw` is for a page that contains STYLE once; `draw_file` is a whole SVG file. Colours follow
the reader's light or dark mode.
"""

import textwrap
from collections.abc import Callable
from html import escape
from math import hypot
from typing import Any

from autograder.diagram import Board, Node, Picture, Tree, is_tree
from autograder.feedback.text_drawing import fold
from autograder.printable import sanitize
from starter.games import State

CHARACTER, LINE = 7.3, 16  # the size of a 12 px monospace character, and of a line
PAD = 7  # inside a node's box
SQUARE = 34  # the side of a board's square
GAP, ROW = 12, 46  # between neighbours, and between a node and its children
TOP = LINE + 4  # of a node's box, under its label
SMALL = 0.42  # the scale of a board inside a node
MOST_NODES = 36  # of one tree; beyond, the lowest subtrees are folded
# A board's marks, on a square at the origin.
STONES = {
    "X": '<path class="x" d="M9 9L25 25M25 9L9 25"/>',
    "O": '<circle class="o" cx="17" cy="17" r="9"/>',
    "|": '<circle class="lone" cx="17" cy="17" r="10"/>',
    ".": "",
}
Drawn = tuple[float, float, list[str]]  # width, height, parts

LIGHT = (
    "--ink:#1f2933;--soft:#586472;--line:#9aa5b1;--box:#ffffff;--max:#dcebfb;--min:#fdebd3;"
    "--chance:#e3f1dc;"
    "--bad:#c62828;--bad-box:#fde2e1;--good:#1b7f3b;--good-box:#d8f3dc;--x:#1c5fb0;--o:#b45309"
)
DARK = (
    "--ink:#e6eaf0;--soft:#9aa5b1;--line:#64707d;--box:#1d242c;--max:#1c3a5a;--min:#4a3517;"
    "--chance:#24421f;"
    "--bad:#ff8a80;--bad-box:#5a1f1f;--good:#7ddc9a;--good-box:#1d4a2b;--x:#7db8ff;--o:#ffb45c"
)
STYLE = (
    f".drawing{{{LIGHT}}}@media(prefers-color-scheme:dark){{.drawing{{{DARK}}}}}"
    ".drawing{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    ".drawing text{fill:var(--ink);text-anchor:middle}"
    ".drawing .best{fill:var(--good);font-weight:bold}"
    ".drawing .soft{fill:var(--soft)}.drawing .mark{fill:var(--bad);font-weight:bold}"
    ".drawing path,.drawing line{stroke:var(--line);fill:none;stroke-width:1.3}"
    ".drawing rect{fill:var(--box);stroke:var(--line)}"
    ".drawing .max>rect{fill:var(--max)}.drawing .min>rect{fill:var(--min)}"
    ".drawing .chance>circle{fill:var(--chance);stroke:var(--line)}"
    ".drawing .wrong>rect,.drawing .wrong>circle{stroke:var(--bad);stroke-width:2.2}"
    # Not by opacity: a pruned leaf's value matters to the reader, and grey text keeps its contrast.
    ".drawing .faded>text,.drawing .waiting>text{fill:var(--soft)}"
    ".drawing .faded>rect,.drawing .faded>circle,.drawing .waiting>rect,.drawing .waiting>circle"
    "{fill:none}"
    ".drawing .waiting>rect,.drawing .waiting>circle{stroke-dasharray:1 4}"
    ".drawing .faded>rect,.drawing .faded>circle,.drawing path.faded,.drawing .new>rect"
    "{stroke-dasharray:4 3}"
    ".drawing .lit>rect,.drawing .lit>circle{stroke:var(--x);stroke-width:2.2}"
    ".drawing .good{fill:var(--good-box)}.drawing .bad{fill:var(--bad-box)}"
    ".drawing .x{stroke:var(--x);stroke-width:3;stroke-linecap:round}"
    ".drawing .o{stroke:var(--o);stroke-width:3;fill:none}"
    ".drawing circle.lone,.drawing circle.good,.drawing circle.bad{stroke:var(--ink)}"
    ".drawing .last{fill:var(--line);stroke:none;opacity:.25}.drawing .lone{fill:var(--line)}"
    ".drawing text.line{text-anchor:start;white-space:pre}"
)


def draw(picture: Picture, row: int = ROW) -> str:
    """Return an SVG element without style; `row` is as ROW."""
    if isinstance(picture, Tree):
        width, height, drawn = draw_subtree(fold(picture.root, MOST_NODES), row)
        tree = f'<g transform="translate({width / 2:g} 0)">{drawn}</g>'
        return make_element(width, height + PAD, picture.caption or "a tree", [tree])
    what = picture.state.picture()
    width, height, parts = KINDS[what["kind"]](what, picture, True)
    if "says" in what:  # whose move it is
        width = max(width, CHARACTER * len(what["says"]) + GAP)
        height += 24
        parts.append(write_text(width / 2, height - 7, what["says"], "soft"))
    return make_element(width, height, picture.state.key or "the root", parts)


def draw_file(picture: Picture) -> str:
    return draw(picture).replace(">", f"><style>{STYLE}</style>", 1)


def make_element(width: float, height: float, label: str, parts: list[str]) -> str:
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" {size} role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )


def draw_subtree(node: Node, row: int) -> tuple[float, float, str]:
    """Draw a node, and its children side by side under it; return width, height and SVG.

    The middle of the node is at x = 0.
    """
    room, bottom, drawn_node = draw_node(node)
    below = [draw_subtree(child, row) for child in node.children]
    total, y = sum(width for width, _, _ in below), bottom + row - TOP
    left, edges, subtrees = -total / 2, "", ""
    for child, (width, _, drawn) in zip(node.children, below):
        x = left + width / 2
        style = f' class="{child.look}"' if child.look else ""
        edges += f'<path{style} d="M0 {bottom:g}L{x:g} {y + TOP - LINE - 1:g}"/>'
        subtrees += f'<g transform="translate({x:g} {y:g})">{drawn}</g>'
        left += width
    lowest = max((y + height for _, height, _ in below), default=bottom)
    return max(room + GAP, total), lowest, edges + drawn_node + subtrees


def draw_inset(state: State | None) -> Drawn:
    """Draw the position inside a node, small."""
    if state is None or is_tree(state):
        return 0, 0, []
    what = state.picture()
    width, height, parts = KINDS[what["kind"]](what, Board(state), False)
    scaled = f'<g transform="scale({SMALL})">{"".join(parts)}</g>'
    return SMALL * width, SMALL * height + PAD, [scaled]


def draw_node(node: Node) -> tuple[float, float, str]:
    """Draw a node around x = 0; return its width with label and mark, its lower edge, and SVG."""
    inside, tall, small = draw_inset(node.state)
    label = node.name if node.order is None else f"{node.name} #{node.order}"
    marks = textwrap.wrap(node.mark, 26, break_long_words=False, break_on_hyphens=False)
    content = max([inside, *(CHARACTER * len(line) for line in node.lines)])
    wide, high = max(24, content + 2 * PAD), LINE * max(1, len(node.lines)) + PAD + tall
    width, height = wide, high
    shape = f'<rect x="{-width / 2:g}" y="{TOP}" width="{width:g}" height="{height:g}"'
    shape += ' rx="3"/>' if node.kind in ("max", "min") else ' rx="9"/>'
    if node.kind == "chance":
        width = height = hypot(wide, high) - PAD
        shape = f'<circle cx="0" cy="{TOP + height / 2:g}" r="{width / 2:g}"/>'
    parts = [shape, write_text(0, TOP - 4, label, "soft")]
    if small:
        corner = f"{-inside / 2:g} {TOP + PAD:g}"
        parts.append(f'<g transform="translate({corner})">{"".join(small)}</g>')
    first = TOP + (height - high) / 2 + tall + PAD / 2
    for i, line in enumerate(node.lines):
        parts.append(write_text(0, first + LINE * (i + 0.78), line))
    for i, line in enumerate(marks):
        parts.append(write_text(0, TOP + height + LINE * (i + 0.85), line, "mark"))
    kinds = " ".join(filter(None, ["node", node.kind, node.look, "wrong" * bool(marks)]))
    room = max(width, CHARACTER * max(map(len, [label, *marks])))
    bottom = TOP + height + LINE * len(marks) + 4 * bool(marks)
    return room, bottom, f'<g class="{kinds}">{"".join(parts)}</g>'


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
            if mark != ".":
                parts.append(f'<g transform="translate({x} {y})">{STONES[mark]}</g>')
    if shift:
        parts += draw_sides(left, top, height, width)
    lower = top + SQUARE * height + (2 if shift else 0)
    return left + SQUARE * width + shift * (height - 1) + left / 5, lower, parts


def draw_sides(left: float, top: float, height: int, width: int) -> list[str]:
    """Draw the sides of a slanted board: X's above and below, O's left and right."""
    step, across = SQUARE // 2, SQUARE * width
    down = f"v{SQUARE}h{step}" * (height - 1) + f"v{SQUARE}"
    lower = f"M{left + step * (height - 1)} {top + SQUARE * height}h{across}"
    return [
        f'<path class="x" d="M{left} {top}h{across}{lower}"/>',
        f'<path class="o" d="M{left} {top}{down}M{left + across} {top}{down}"/>',
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
