"""The lab's pictures: positions and trees by the grader's own drawer, plots by Altair, and small
HTML tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

import altair

from autograder import svg
from autograder.draw import Board, Grown, Node, Picture, game_tree, search_tree
from lab.watch import Path, Phase, Seen
from starter.games import Game, State

Row = dict[str, Any]
Part = Any  # of a page: HTML as text, or a chart


def number(value: float | None) -> str:
    """A number as a person writes it: 0.25, 1,000, -∞."""
    if value is None:
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


# --- Positions ------------------------------------------------------------------------------------


def position(state: State) -> str:
    """A picture of a position of any game."""
    return svg.standalone(Board(state))


def square(
    mark: str, size: int, place: str, note: str = "", best: bool = False, last: bool = False
) -> str:
    """One square of the board that is played on: a stone, or the estimate of a move.

    place: which square it is, for those who can't see it
    """
    side, middle = svg.SQUARE, svg.SQUARE / 2
    parts = [f'<rect class="last" width="{side}" height="{side}"/>'] if last else []
    if mark in svg.STONES:
        parts.append(svg.STONES[mark](0, 0))
    if note:
        small = 'style="font-size:9px"'
        kind = "" if mark == "|" else "best" if best else "soft"
        parts.append(svg.words(middle, middle + 4, note, kind).replace("<text", f"<text {small}"))
    said = f"{place}: {'empty' if mark == '.' else mark} {note}"
    box = f'class="drawing square" viewBox="0 0 {side} {side}" width="{size}" height="{size}"'
    return (
        f'<svg {box} role="img" aria-label="{escape(said)}"><style>{svg.STYLE}</style>'
        f"{''.join(parts)}</svg>"
    )


# --- Trees ----------------------------------------------------------------------------------------


def tree_picture(picture: Picture) -> str:
    """A tree in full, which scrolls where the window is narrow."""
    return f'<div class="wide tree">{svg.standalone(picture, most=1_000)}</div>'


def searched_tree(
    game: Game, tree: dict[Path, State], seen: dict[Path, Seen], now: Path | None
) -> str:
    """The tree after some steps of minimax or alpha-beta. Cut branches are grey and dashed, and the
    position where the search stands is lit."""
    picture = game_tree(game, tree[()])
    for node, (path, state) in zip(picture.root.walk(), tree.items()):
        sight = seen[path]
        node.state = state
        node.order = sight.order - 1 if sight.order else None
        node.faded = sight.status == "cut"
        node.look = "lit" if path == now else "waiting" if sight.status == "waiting" else ""
        if node.kind != "leaf":
            node.texts = [number(sight.value)]
            if sight.alpha is not None:
                node.texts.append(f"[{number(sight.alpha)}, {number(sight.beta)}]")
    picture.caption = "the search so far"
    return tree_picture(picture)


def growing_tree(phase: Phase, states: dict[Path, State]) -> str:
    """The tree of MCTS after a phase; the nodes that the phase is about are lit."""
    stats = phase.tree
    end = phase.leaf if phase.name in ("select", "expand") else phase.child
    touched = {end[:length] for length in range(len(end) + 1)}
    if phase.name == "expand":
        touched = {path for path in stats if path[:-1] == end and path}
    if phase.name == "simulate" or not touched:
        touched = {end}
    paths = {path: i for i, path in enumerate(stats)}

    def decorate(node: Node, i: int) -> None:
        path = list(stats)[i]
        node.state = states[path]
        node.look = "lit" if path in touched else ""
        if stats[path].ucb is not None:
            node.texts.append(f"UCB = {number(stats[path].ucb)}")

    picture = search_tree(
        (
            Grown(str(path[-1]) if path else "root", paths[path[:-1]] if path else None, U, N)
            for path, (U, N, _) in stats.items()
        ),
        decorate,
    )
    picture.caption = f"the tree after {phase.name}"
    return tree_picture(picture)


# --- Charts and tables ----------------------------------------------------------------------------


def lines(rows: Sequence[Row], x: str, y: str, name: str, log: str = "") -> list[Part]:
    """Points joined by lines, one for each value of the field `name`; none without rows.

    log: the field with a logarithmic scale, if any
    """
    if not rows:
        return []

    def axis(kind: type, field: str) -> Any:
        if log != field:
            ticks = altair.Axis(tickMinStep=1) if field == x else altair.Axis()
            return kind(field, type="quantitative", axis=ticks)
        powers = [10**power for power in range(9)]
        ticks = altair.Axis(values=powers)  # so that each line is ten times the one before
        return kind(field, type="quantitative", axis=ticks, scale=altair.Scale(type="log"))

    legend = altair.Legend(orient="bottom")
    chart = altair.Chart(altair.Data(values=list(rows))).mark_line(point=True)
    return [
        chart.encode(
            x=axis(altair.X, x),
            y=axis(altair.Y, y),
            color=altair.Color(name, type="nominal", sort=None, title=None, legend=legend),
            strokeDash=altair.StrokeDash(name, type="nominal", sort=None, title=None),
            tooltip=[altair.Tooltip(field) for field in (f"{name}:N", f"{x}:Q", f"{y}:Q")],
        ).properties(width="container", height=260)
    ]


def heat_map(rows: Sequence[Row], x: str, y: str, shade: str) -> list[Part]:
    """A grid of shares between 0 and 1, darker for more."""
    if not rows:
        return []
    grid = altair.Chart(altair.Data(values=list(rows))).encode(
        x=altair.X(x, type="ordinal", axis=altair.Axis(labelAngle=0)),
        y=altair.Y(y, type="ordinal"),
    )
    scale = altair.Scale(domain=[0, 1], scheme="blues")
    boxes = grid.mark_rect().encode(
        color=altair.Color(shade, type="quantitative", scale=scale, legend=None)
    )
    dark = altair.condition(f"datum.{shade} > 0.6", altair.value("white"), altair.value("black"))
    words = grid.mark_text(fontSize=14).encode(
        text=altair.Text(shade, type="quantitative", format=".0%"), color=dark
    )
    return [(boxes + words).properties(width="container", height=200)]


def shares(rows: Sequence[Row]) -> list[Part]:
    """A bar for the result of a match: won, drawn, lost."""
    if not rows:
        return []
    names = ["X won", "drawn", "O won"]
    values = [{"result": name, "games": rows[-1][name], "order": i} for i, name in enumerate(names)]
    colours = altair.Scale(domain=names, range=["#3b82f6", "#94a3b8", "#f97316"])
    chart = altair.Chart(altair.Data(values=values)).mark_bar(size=26)
    return [
        chart.encode(
            x=altair.X("games:Q", stack="zero", title="games"),
            color=altair.Color(
                "result:N", scale=colours, title=None, legend=altair.Legend(orient="bottom")
            ),
            order="order:O",
            tooltip=["result:N", "games:Q"],
        ).properties(width="container", height=36)
    ]


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
