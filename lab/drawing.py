"""The lab's pictures: positions and trees by the grader's own drawer, and small HTML tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from autograder import diagram
from autograder.diagram import Board, Grown, Node, Picture
from autograder.feedback import svg
from lab.boards import won
from lab.experiments.experiment import Row
from lab.watch import Deep, Horizon, Path, Phase, Seen
from starter.games import Game, State


def number(value: float | None) -> str:
    """A number as a person writes it: 0.25, 1,000, -∞."""
    if value is None:
        return ""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def known(bounds: tuple[float, float], v: float | None) -> str:
    """What is known of a value that lies between two bounds: 3, at most 2; v if nothing is."""
    low, high = bounds
    if low == high or (low, high) == (-math.inf, math.inf):
        return number(v if low != high else low)
    if math.isinf(low):
        return f"at most {number(high)}"
    return f"at least {number(low)}" if math.isinf(high) else f"{number(low)} to {number(high)}"


# --- Positions and trees --------------------------------------------------------------------------


def position(game: Game, state: State, player: str) -> str:
    """A picture of a position of any game, what has won marked; of a game tree, all of it, as seen
    by the player."""
    picture = diagram.position(game, state, player)
    if isinstance(picture, Board):
        picture.good = won(game, state)
    return f'<div class="wide">{svg.standalone(picture)}</div>'


def tree_picture(picture: Picture) -> str:
    """A tree in full, which scrolls where the window is narrow."""
    return f'<div class="wide tree" tabindex="0">{svg.standalone(picture, most=1_000)}</div>'


def searched_tree(
    game: Game, tree: dict[Path, State], seen: dict[Path, Seen], now: Path, cuts: dict[Path, str]
) -> str:
    """The tree after some steps of a search with MAX and MIN. Cut branches are grey and dashed, and
    the position where the search stands is lit.

    cuts: why nodes were left early
    """
    plies = max(map(len, tree))
    picture = diagram.game_tree(Horizon(game, tree[()], plies), Deep(tree[()], 0))
    for node, (path, state) in zip(picture.root.walk(), tree.items()):
        sight = seen[path]
        node.state = state
        node.order = sight.order - 1 if sight.order else None
        node.faded = sight.status == "cut"
        node.look = "lit" if path == now else "waiting" if sight.status == "waiting" else ""
        if sight.v is not None or not game.is_terminal(state):
            node.texts = inside(sight, node.kind == "leaf")
        node.texts += [cuts[path]] if path in cuts else []
    picture.caption = "the search so far"
    return tree_picture(picture)


def inside(sight: Seen, leaf: bool) -> list[str]:
    """What stands in a node that has been looked at: v, alpha and beta while it is searched, then
    what is known of its value."""
    if leaf or sight.status == "done":
        words = known((sight.low, sight.high), sight.v)
        words = words.replace("at most", "<=").replace("at least", ">=")
        return [f"h = {words}" if sight.judged else words] if words else []
    window = {"v": sight.v, "alpha": sight.alpha, "beta": sight.beta}
    return [f"{name} = {number(value)}" for name, value in window.items() if value is not None]


def after(game: Game, state: State, path: Path) -> State | None:
    """The state at the end of a path; None if one of its moves is not legal."""
    for move in path:
        if move not in game.actions(state):
            return None
        state = game.result(state, move)
    return state


def growing_tree(phase: Phase, game: Game, root: State) -> str:
    """The tree of MCTS after a phase; the nodes that the phase is about are lit."""
    stats = phase.tree
    end = phase.leaf if phase.name in ("select", "expand") else phase.child
    touched = {end[:length] for length in range(len(end) + 1)}
    if phase.name == "expand":
        touched = {path for path in stats if path[:-1] == end and path}
    if phase.name == "simulate" or not touched:
        touched = {end}
    paths = list(stats)
    numbers = {path: i for i, path in enumerate(paths)}

    def decorate(node: Node, i: int) -> None:
        path = paths[i]
        node.state = after(game, root, path)
        if node.state is None:
            node.mark = f"{path[-1]!r} is no legal move there"
        node.look = "lit" if path in touched else ""
        if stats[path].ucb is not None:
            node.texts.append(f"UCB = {number(stats[path].ucb)}")

    picture = diagram.search_tree(
        (
            Grown(str(path[-1]) if path else "root", numbers[path[:-1]] if path else None, U, N)
            for path, (U, N, _) in stats.items()
        ),
        decorate,
    )
    picture.caption = f"the tree after {phase.name}"
    return tree_picture(picture)


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
