"""Draws boards, trees and charts as SVG, and small HTML tables. The ink has the page's colour, so
that the pictures serve in light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import Any

from lab.watch import Path, Phase, Seen, Stats
from starter.games import Move, State

BLUE, ORANGE, GREEN, GREY = "#3b82f6", "#f97316", "#16a34a", "#94a3b8"  # told apart by colour-blind
SIDE = {"X": BLUE, "O": ORANGE}
BOLD = 'font-weight="700"'
FONT = 'font-family="system-ui, sans-serif"'


def number(value: float | None) -> str:
    """A number as a person writes it: 0.25, 1,000, -∞."""
    if value is None:
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def svg(width: float, height: float, body: str, label: str, css: str = "") -> str:
    """A picture that shrinks with the page, with words for those who can't see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" class="{css}" role="img" aria-label="{escape(label)}" {FONT} '
        f'style="max-width:100%;height:auto">{body}</svg>'
    )


def text(
    x: float, y: float, words: str, size: float = 12, anchor: str = "middle", extra: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" '
        f'fill="currentColor" {extra}>{escape(words)}</text>'
    )


Row = dict[str, Any]


# --- Boards ---------------------------------------------------------------------------------------


def stone(mark: str, x: float, y: float, size: float) -> str:
    """A stone of X or O in the middle of a square whose corner is at (x, y)."""
    a, b, width = 0.24 * size, 0.76 * size, max(1.4, 0.11 * size)
    style = f'stroke="{SIDE[mark]}" stroke-width="{width:.1f}" fill="none" stroke-linecap="round"'
    if mark == "O":
        middle = f'cx="{x + size / 2:.1f}" cy="{y + size / 2:.1f}"'
        return f'<circle {middle} r="{0.27 * size:.1f}" {style}/>'
    return (
        f'<path d="M{x + a:.1f} {y + a:.1f}L{x + b:.1f} {y + b:.1f}'
        f'M{x + b:.1f} {y + a:.1f}L{x + a:.1f} {y + b:.1f}" {style}/>'
    )


def board(rows: Sequence[str], size: float, x: float = 0, y: float = 0) -> str:
    """The inside of a picture: a board with its upper left corner at (x, y)."""
    height, width = len(rows), len(rows[0])
    lines = "".join(
        f"M{x} {y + i * size:.1f}h{width * size:.1f}" for i in range(height + 1)
    ) + "".join(f"M{x + i * size:.1f} {y}v{height * size:.1f}" for i in range(width + 1))
    stones = "".join(
        stone(mark, x + column * size, y + row * size, size)
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark != "."
    )
    return f'<path d="{lines}" stroke="{GREY}" stroke-width="1" fill="none"/>{stones}'


def position(state: State, size: float = 40) -> str:
    """A picture of a position of any game."""
    if not hasattr(state, "rows"):
        return f"<pre>{escape(str(state))}</pre>"
    height, width = state.shape
    return svg(
        width * size + 2, height * size + 2, board(state.rows, size, 1, 1), str(state), "position"
    )


def square(
    mark: str, size: int, place: str, note: str = "", best: bool = False, last: bool = False
) -> str:
    """One square of the board that is played on: a stone, or the estimate of a move.

    place: which square it is, for those who can't see it
    """
    body = ""
    if last:
        body = f'<rect width="{size}" height="{size}" fill="{SIDE[mark]}" opacity="0.14"/>'
    if mark in SIDE:
        body += stone(mark, 0, 0, size)
    elif note:
        extra = f'font-weight="700" style="fill:{GREEN}"' if best else 'opacity="0.65"'
        body += text(size / 2, size / 2 + 0.08 * size, note, max(10, 0.24 * size), extra=extra)
    said = f"{place}: {mark if mark in SIDE else 'empty'} {note}"
    return (
        f'<svg class="square" width="{size}" height="{size}" viewBox="0 0 {size} {size}" '
        f'role="img" aria-label="{escape(said)}" {FONT}>{body}</svg>'
    )


# --- Trees ----------------------------------------------------------------------------------------

LEVEL = 34  # room between a node and those below it


def _places(paths: Iterable[Path], width: float) -> dict[Path, float]:
    """Where each node stands from left to right: leaves side by side, parents above the middle."""
    children: dict[Path, list[Path]] = {path: [] for path in paths}
    for path in children:
        if path:
            children[path[:-1]].append(path)
    places: dict[Path, float] = {}
    right = width / 2

    def put(path: Path) -> None:
        nonlocal right
        for child in children[path]:
            put(child)
        if children[path]:
            places[path] = (places[children[path][0]] + places[children[path][-1]]) / 2
        else:
            places[path] = right
            right += width

    put(())
    return places


def _tree(
    paths: Sequence[Path],
    size: tuple[float, float],
    node: Callable[[Path, float, float], str],
    edge: Callable[[Path], str],
    label: str,
) -> str:
    """A tree whose nodes take `size` and are drawn by `node(path, x, y)`, x being their middle and
    y their top. `edge` gives the style of the line that leads to a node."""
    width, height = size
    places = _places(paths, width)
    step = height + LEVEL
    lines, nodes = [], []
    for path in paths:
        x, y = places[path], 8 + len(path) * step
        if path:
            above = places[path[:-1]]
            lines.append(
                f'<path d="M{above:.1f} {y - LEVEL:.1f}L{x:.1f} {y:.1f}" fill="none" {edge(path)}/>'
            )
            nodes.append(
                text(
                    (above + 2 * x) / 3,
                    y - LEVEL / 3 + 4,
                    move_name(path[-1]),
                    10,
                    extra='class="move"',
                )
            )
        nodes.append(f'<g class="node">{node(path, x, y)}</g>')
    depth = max(map(len, paths))
    wide = max(places.values()) + width / 2
    picture = svg(wide, 16 + depth * step + height, "".join(lines + nodes), label, "tree")
    # Small trees are shown larger; large ones shrink with the page, then scroll.
    picture = picture.replace(
        f'width="{wide:g}"', f'width="{max(wide, min(1.4 * wide, 900)):g}"', 1
    )
    least = f"max-width:100%;min-width:{0.75 * wide:.0f}px"
    picture = picture.replace("max-width:100%", least, 1)
    return f'<div class="wide">{picture}</div>'


def path_name(path: Path) -> str:
    return "/".join(map(move_name, path)) or "the root"


def move_name(move: Move) -> str:
    return ",".join(map(str, move)) if isinstance(move, tuple) else str(move)


def _small_board(state: State, x: float, y: float, size: float) -> str:
    return board(state.rows, size, round(x - state.shape[1] * size / 2), y)


def search_tree(
    tree: dict[Path, State], seen: dict[Path, Seen], root_player: str, now: Path | None
) -> str:
    """The tree after some steps of minimax or alpha-beta. Cut branches are grey and dashed, and the
    position where the search stands is framed."""
    inner = {path[:-1] for path in tree if path}
    boards = hasattr(tree[()], "rows")
    small = 15  # the squares of small boards
    tall, wide = (
        (small * tree[()].shape[0] + 16, small * tree[()].shape[1] + 24) if boards else (36, 66)
    )

    def node(path: Path, x: float, y: float) -> str:
        state, sight = tree[path], seen[path]
        value = number(sight.value)
        if boards:
            shape = _small_board(state, x, y, small)
            shape += text(x, y + tall - 2, value, 13, extra=BOLD)
        elif path in inner:
            shape = _triangle(x, y, state.to_move, up=state.to_move == root_player, value=value)
        else:
            value = number(state.subtree if root_player == "X" else -state.subtree)
            shape = (
                f'<rect x="{x - 17:.1f}" y="{y}" width="34" height="26" rx="5" fill="none" '
                f'stroke="{GREY}"/>{text(x, y + 18, value, 13, extra=BOLD)}'
            )
        if path == now:
            shape = (
                f'<rect x="{x - wide / 2 + 3:.1f}" y="{y - 5}" width="{wide - 6:.1f}" '
                f'height="{tall + (24 if path in inner else 5)}" rx="8" fill="{GREEN}" '
                f'fill-opacity="0.12" stroke="{GREEN}"/>'
            ) + shape
        if sight.alpha is not None and path in inner:
            window = f"[{number(sight.alpha)}, {number(sight.beta)}]"
            shape += text(x, y + tall + 13, window, 10, extra='opacity="0.85"')
        said = f"{path_name(path)}: {sight.status}"
        if sight.order:
            said += f", number {sight.order} in the order of the search"
        opacity = 0.3 if sight.status in ("waiting", "cut") else 1
        return f'<g opacity="{opacity}"><title>{escape(said)}</title>{shape}</g>'

    def edge(path: Path) -> str:
        status = seen[path].status
        if status == "cut":
            return f'class="cut" stroke="{GREY}" stroke-dasharray="3 4" opacity="0.6"'
        return 'stroke="currentColor" opacity="{}"'.format(0.2 if status == "waiting" else 0.8)

    return _tree(list(tree), (wide, tall + 20), node, edge, "the search so far")


def _triangle(x: float, y: float, player: str, up: bool, value: str) -> str:
    """A node of an explicit tree: MAX's triangle points up, MIN's down."""
    tip, base = (y, y + 36) if up else (y + 36, y)
    return (
        f'<path d="M{x} {tip}L{x + 24} {base}H{x - 24}Z" fill="{SIDE[player]}" fill-opacity="0.18" '
        f'stroke="{SIDE[player]}"/>{text(x, y + (29 if up else 17), value, 13, extra=BOLD)}'
    )


def growing_tree(phase: Phase, states: dict[Path, State]) -> str:
    """The tree of MCTS after a phase; the nodes that the phase is about are filled."""
    stats = phase.tree
    way = phase.leaf if phase.name in ("select", "expand") else phase.child
    touched = {way[:length] for length in range(len(way) + 1)}
    if phase.name == "expand":
        touched = {path for path in stats if path[: len(way)] == way and len(path) == len(way) + 1}
    if phase.name == "simulate" or not touched:
        touched = {way}
    root = states[()]
    boards = hasattr(root, "rows")
    size = 13
    tall = size * root.shape[0] + 3 if boards else 4
    wide = max(70, size * root.shape[1] + 14 if boards else 0)

    def node(path: Path, x: float, y: float) -> str:
        one: Stats = stats[path]
        lit = path in touched
        box = (
            f'<rect x="{x - wide / 2 + 3:.1f}" y="{y - 4}" width="{wide - 6:.1f}" '
            f'height="{tall + 46}" rx="7" stroke="{GREEN if lit else GREY}" '
            f'fill="{GREEN if lit else "none"}" fill-opacity="0.14" '
            f'stroke-opacity="{1 if lit else 0.45}"/>'
        )
        picture = _small_board(states[path], x, y, size) if boards else ""
        lines = [f"U {number(one.U)}", f"N {one.N}"]
        lines.append("" if one.ucb is None else f"UCB {number(one.ucb)}")
        words = "".join(text(x, y + tall + 10 + 13 * i, line, 10.5) for i, line in enumerate(lines))
        return box + picture + words

    def edge(path: Path) -> str:
        lit = path in touched and phase.name != "simulate"
        return f'stroke="{GREEN if lit else GREY}" stroke-width="{2.5 if lit else 1}"'

    return _tree(list(stats), (wide, tall + 42), node, edge, f"the tree after {phase.name}")


# --- Charts and tables ----------------------------------------------------------------------------


def _ticks(low: float, high: float, log: bool) -> list[float]:
    if log:
        powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        return [10.0**power for power in powers]
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9)))
    step *= next(m for m in (0.2, 0.5, 1, 2) if (high - low) / (m * step) <= 6 or m == 2)
    return [step * i for i in range(math.floor(low / step), math.ceil(high / step - 1e-9) + 1)]


def line_chart(
    series: dict[str, list[tuple[float, float]]],
    x_name: str,
    y_name: str,
    log_x: bool = False,
    log_y: bool = False,
    span: tuple[float, float] | None = None,
) -> str:
    """Points joined by lines, one colour and one mark for each name. `span` fixes the y axis."""
    points = [point for line in series.values() for point in line]
    if not points:
        return ""
    width, height, left, top, right, bottom = 560, 300, 64, 14, 16, 46

    def scale(
        values: list[float], log: bool, start: float, end: float, fixed: bool
    ) -> tuple[Callable[[float], float], list[float]]:
        low, high = min(values), max(values)
        ticks = _ticks(low, high if high > low else low + 1, log)
        if not log and not fixed:
            ticks = [tick for tick in ticks if tick == int(tick)] or ticks
        low, high = min(low, ticks[0]), max(high, ticks[-1])
        f = math.log10 if log else float
        return lambda v: start + (f(v) - f(low)) / ((f(high) - f(low)) or 1) * (end - start), ticks

    xs = [point[0] for point in points]
    ys = list(span) if span else [point[1] for point in points]
    if not log_y and not span:
        ys.append(0)
    to_x, x_ticks = scale(xs, log_x, left, width - right, False)
    to_y, y_ticks = scale(ys, log_y, height - bottom, top, span is not None)
    parts = []
    for tick in y_ticks:
        y = to_y(tick)
        parts.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="{GREY}" opacity="0.3"/>')
        parts.append(text(left - 8, y + 4, number(tick), 11, "end", 'opacity="0.8"'))
    for tick in x_ticks:
        parts.append(
            text(to_x(tick), height - bottom + 18, number(tick), 11, extra='opacity="0.8"')
        )
    parts.append(text((left + width - right) / 2, height - 8, x_name, 12))
    middle = (top + height - bottom) / 2
    parts.append(text(14, middle, y_name, 12, extra=f'transform="rotate(-90 14 {middle})"'))
    legend = []
    for (name, line), colour, dash in zip(
        series.items(), (BLUE, ORANGE, GREEN, GREY), ("", "6 3", "2 3", "8 2 2 2")
    ):
        way = "L".join(f"{to_x(x):.1f} {to_y(y):.1f}" for x, y in line)
        parts.append(
            f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2.2" '
            f'stroke-dasharray="{dash}"/>'
        )
        parts += [
            f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3.6" fill="{colour}">'
            f"<title>{escape(name)}: {number(x)}, {number(y)}</title></circle>"
            for x, y in line
        ]
        legend.append(f'<span><b style="color:{colour}">●</b> {escape(name)}</span>')
    picture = svg(width, height, "".join(parts), f"{y_name} against {x_name}", "chart")
    return f'<div>{picture}<div class="legend">{"".join(legend)}</div></div>'


def heat_map(rows: Sequence[Row], x: str, y: str, shade: str) -> str:
    """A grid of shares between 0 and 1, darker for more."""
    if not rows:
        return ""
    columns = list(dict.fromkeys(row[x] for row in rows))
    lines = list(dict.fromkeys(row[y] for row in rows))
    cell, tall, left, top = 76, 46, 70, 12
    parts = []
    for row in rows:
        cx, cy = left + columns.index(row[x]) * cell, top + lines.index(row[y]) * tall
        parts.append(
            f'<rect x="{cx}" y="{cy}" width="{cell - 3}" height="{tall - 3}" rx="5" fill="{BLUE}" '
            f'fill-opacity="{0.08 + 0.72 * row[shade]:.2f}"/>'
        )
        parts.append(text(cx + cell / 2 - 1, cy + tall / 2 + 3, f"{row[shade]:.0%}", 14))
    bottom = top + len(lines) * tall
    for i, value in enumerate(columns):
        parts.append(text(left + i * cell + cell / 2, bottom + 16, number(value), 11))
    for i, value in enumerate(lines):
        parts.append(text(left - 8, top + i * tall + tall / 2 + 3, number(value), 11, "end"))
    middle = left + len(columns) * cell / 2
    parts.append(text(middle, bottom + 36, x, 12))
    half = (top + bottom) / 2
    parts.append(text(14, half, y, 12, extra=f'transform="rotate(-90 14 {half})"'))
    wide = left + max(3, len(columns)) * cell + 10
    return svg(wide, bottom + 46, "".join(parts), f"{shade} by {x} and {y}", "chart")


def shares(rows: Sequence[Row]) -> str:
    """A bar for the result of a match: won, drawn, lost."""
    if not rows:
        return ""
    row, x, parts = rows[-1], 0.0, []
    for name, colour in (("X won", BLUE), ("drawn", GREY), ("O won", ORANGE)):
        wide = 560 * row[name] / row["games"]
        parts.append(
            f'<rect x="{x:.1f}" y="4" width="{wide:.1f}" height="26" fill="{colour}" '
            f'fill-opacity="0.75"/>'
        )
        if wide > 90:
            parts.append(text(x + wide / 2, 22, f"{name}: {row[name]}"))
        x += wide
    return svg(560, 36, "".join(parts), f"X won {row['X won']} of {row['games']}", "chart")


def table(rows: Sequence[Row]) -> str:
    """Rows of names and values as a table."""
    if not rows:
        return ""

    def cell(value: Any) -> str:
        words = number(value) if isinstance(value, (int, float)) else str(value)
        css = ' class="number"' if isinstance(value, (int, float)) else ""
        return f"<td{css}>{escape(words)}</td>"

    head = "".join(f"<th>{escape(name)}</th>" for name in rows[-1])
    body = "".join(f"<tr>{''.join(map(cell, row.values()))}</tr>" for row in rows)
    inside = f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody>"
    return f'<div class="wide"><table class="figures">{inside}</table></div>'


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
