"""Draws the handout's pictures, each for a light and a dark page.

What they show comes from running the solution, so they cannot drift away from it.
Run `python -m autograder.author.pictures` to write them to `handout/`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch
from xml.sax.saxutils import escape

from autograder.draw import show
from solution import alphabeta
from solution.mcts import Node, backprop, expand, select, simulate, ucb
from starter.games import FIGURE_5_2, BoardState, Game, Move, State, TicTacToe

HANDOUT = Path(__file__).resolve().parent.parent.parent / "handout"
THEMES = {
    "light": {
        "page": "#ffffff",
        "ink": "#1f2328",
        "soft": "#59636e",
        "faint": "#9aa4ae",
        "node": "#eef2f6",
        "accent": "#0969da",
        "glow": "#ddf4ff",
        "stop": "#cf222e",
    },
    "dark": {
        "page": "#0d1117",
        "ink": "#f0f6fc",
        "soft": "#9198a1",
        "faint": "#646c76",
        "node": "#1b222c",
        "accent": "#58a6ff",
        "glow": "#10304f",
        "stop": "#ff7b72",
    },
}


# --- drawing --------------------------------------------------------------------------------------


class Picture:
    """An SVG drawing in the making, in the colours of one theme."""

    def __init__(self, width: int, height: int, title: str, colours: dict[str, str]) -> None:
        self.colours = colours
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" '
            'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" rx="10" fill="{colours["page"]}"/>',
        ]

    def line(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        colour: str = "soft",
        stroke: float = 1.3,
        dashes: str = "none",
    ) -> None:
        self.parts.append(
            f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}" '
            f'stroke="{self.colours[colour]}" stroke-width="{stroke}" stroke-dasharray="{dashes}"/>'
        )

    def shape(
        self,
        corners: list[tuple[float, float]],
        colour: str = "soft",
        fill: str = "node",
        stroke: float = 1.3,
        dashes: str = "none",
    ) -> None:
        points = " ".join(f"{x:g},{y:g}" for x, y in corners)
        self.parts.append(
            f'<polygon points="{points}" fill="{self.colours[fill]}" stroke-linejoin="round" '
            f'stroke="{self.colours[colour]}" stroke-width="{stroke}" stroke-dasharray="{dashes}"/>'
        )

    def box(self, x: float, y: float, width: float, height: float, **style: Any) -> None:
        """A rectangle with its middle at (x, y)."""
        left, right, top, bottom = x - width / 2, x + width / 2, y - height / 2, y + height / 2
        self.shape([(left, top), (right, top), (right, bottom), (left, bottom)], **style)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        colour: str = "ink",
        size: int = 13,
        anchor: str = "middle",
        weight: str = "normal",
    ) -> None:
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" fill="{self.colours[colour]}" font-size="{size}" '
            f'text-anchor="{anchor}" font-weight="{weight}">{escape(text)}</text>'
        )

    def board(self, x: float, y: float, state: BoardState, size: int = 15) -> None:
        """A board with its middle at (x, y)."""
        for row, marks in enumerate(state.rows):
            for column, mark in enumerate(marks):
                at = x + (column - 1) * size, y + (row - 1) * size
                self.box(*at, size, size, colour="faint", fill="page", stroke=1)
                if mark != ".":
                    self.text(at[0], at[1] + 0.3 * size, mark, size=size - 3, weight="600")

    def svg(self) -> str:
        return "\n".join([*self.parts, "</svg>"]) + "\n"


def number(value: float) -> str:
    """A number as it is printed in books."""
    return show(value).replace("-", "−").replace("inf", "∞")


# --- alpha-beta on the textbook's tree ------------------------------------------------------------


@dataclass
class Visit:
    """One position that alpha-beta looked at: its place in the order, its window, its value."""

    order: int
    alpha: float
    beta: float
    value: float = 0.0


def visits(game: Game) -> dict[tuple[str, ...], Visit]:
    """Run the solution's alpha-beta on a tree; return what it looked at, by path, in order."""
    seen: dict[tuple[str, ...], Visit] = {}

    def watched(search: Callable) -> Callable:
        def watch(
            game: Game, state: State, player: str, alpha: float, beta: float
        ) -> tuple[float, Move]:
            visit = seen[state.path] = Visit(len(seen), alpha, beta)
            visit.value, move = search(game, state, player, alpha, beta)
            return visit.value, move

        return watch

    with (
        patch.object(alphabeta, "max_value", watched(alphabeta.max_value)),
        patch.object(alphabeta, "min_value", watched(alphabeta.min_value)),
    ):
        alphabeta.alphabeta_search(game, game.initial)
    return seen


def draw_alphabeta(colours: dict[str, str]) -> str:
    """Figure 5.2 as alpha-beta sees it: order, windows, values, and in grey what is cut off."""
    game, seen = FIGURE_5_2, visits(FIGURE_5_2)
    picture = Picture(900, 376, "Alpha-beta on the tree of figure 5.2", colours)
    root = (430.0, 62.0)
    for i, move in enumerate(game.actions(game.initial)):
        state = game.result(game.initial, move)
        node = (150.0 + 280 * i, 190.0)
        best = seen[state.path].value == seen[()].value
        draw_branch(picture, root, node, move, "accent" if best else "soft", 2.4 if best else 1.3)
        for j, reply in enumerate(game.actions(state)):
            end = game.result(state, reply)
            visit = seen.get(end.path)
            at = (node[0] + 88 * (j - 1), 318.0)
            if visit:
                draw_branch(picture, node, at, reply)
                picture.box(*at, 38, 30)
                picture.text(at[0], at[1] + 5, number(visit.value), weight="600")
                picture.text(at[0], at[1] + 34, f"#{visit.order}", "accent", 12)
            else:
                draw_branch(picture, node, at, reply, "faint", 1.3, "4 4")
                picture.box(*at, 38, 30, colour="faint", fill="page", dashes="4 4")
                picture.text(at[0], at[1] + 5, number(game.utility(end, "X")), "faint")
                picture.text(at[0], at[1] + 34, "never asked", "soft", 12)
        cuts = any((*state.path, reply) not in seen for reply in game.actions(state))
        draw_inner(picture, node, seen[state.path], -1, cuts)
    draw_inner(picture, root, seen[()], 1)
    picture.text(24, 36, "△ MAX to move   ▽ MIN to move", "soft", 12, "start")
    picture.text(24, 54, "#0, #1, ... the order of the search", "accent", 12, "start")
    return picture.svg()


def draw_branch(
    picture: Picture,
    start: tuple[float, float],
    end: tuple[float, float],
    name: str,
    colour: str = "soft",
    width: float = 1.3,
    dashes: str = "none",
) -> None:
    """A line with the name of its move beside its middle."""
    picture.line(start, end, colour, width, dashes)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    left = end[0] < start[0]
    picture.text(x - 8 if left else x + 8, y, name, colour, 12, "end" if left else "start")


def draw_inner(
    picture: Picture, at: tuple[float, float], visit: Visit, up: int, cuts: bool = False
) -> None:
    """A triangle that points up (MAX) or down (MIN), with the window it got and its value."""
    x, y = at
    picture.shape([(x - 27, y + 18 * up), (x + 27, y + 18 * up), (x, y - 28 * up)], colour="ink")
    picture.text(x, y + (14 if up > 0 else -2), number(visit.value), size=15, weight="700")
    picture.text(x - 34, y + 12, f"#{visit.order}", "accent", 12, "end")
    window = f"α = {number(visit.alpha)}, β = {number(visit.beta)}"
    picture.text(x + 36, y + 4, window, "ink", 12, "start")
    if visit.value <= visit.alpha:
        rule = f"v = {number(visit.value)} ≤ α: {'cut off' if cuts else 'but all seen'}"
        picture.text(x + 36, y + 21, rule, "stop" if cuts else "soft", 12, "start")


# --- one iteration of Monte Carlo tree search -----------------------------------------------------


@dataclass
class Iteration:
    """One iteration: the tree with its statistics before, and what the four phases did."""

    root: Node
    before: dict[Node, tuple[float, int]]  # U and N
    bounds: dict[Node, float]  # UCB of the root's children
    leaf: Node
    child: Node
    moves: list[Move]
    end: State
    utility: float


class Watched(TicTacToe):
    """Tic-tac-toe that remembers which moves were made."""

    def __init__(self) -> None:
        super().__init__()
        self.moves: list[Move] = []

    def result(self, state: BoardState, move: Move) -> BoardState:
        self.moves.append(move)
        return super().result(state, move)


def example_iteration() -> Iteration:
    """The seventh iteration of a search from a position with four free squares and O to move."""
    game = Watched()
    rng = random.Random(7)
    root = Node(game.state(["XXO", "..X", ".O."]))
    for _ in range(6):
        child = expand(select(root), game)
        backprop(child, simulate(game, child.state, rng))
    before = {node: (node.U, node.N) for node in nodes_of(root)}
    bounds = {node: ucb(node) for node in root.children.values()}
    leaf = select(root)
    child = expand(leaf, game)
    game.moves.clear()
    utility = simulate(game, child.state, rng)
    moves, end = game.moves[:], child.state
    for move in moves:
        end = game.result(end, move)
    backprop(child, utility)
    return Iteration(root, before, bounds, leaf, child, moves, end, utility)


def nodes_of(root: Node) -> list[Node]:
    return [root, *(below for child in root.children.values() for below in nodes_of(child))]


def draw_mcts(colours: dict[str, str]) -> str:
    """The tree around one iteration: the path of the selection, the new nodes, the statistics."""
    it = example_iteration()
    picture = Picture(900, 520, "One iteration of Monte Carlo tree search", colours)
    path = [it.root, it.leaf, it.child]
    places = {it.root: (450.0, 66.0)}
    for i, child in enumerate(it.root.children.values()):
        places[child] = (121.5 + 219 * i, 200.0)
        for j, below in enumerate(child.children.values()):
            places[below] = (121.5 + 219 * i + 70 * (j - 1), 330.0)

    for node, (x, y) in places.items():
        if node.parent:
            colour, stroke = ("accent", 2.6) if node in path else ("soft", 1.3)
            dashes = "none" if node in it.before else "5 4"
            top = (x, y - 48) if node in it.bounds else (x, y)  # above the UCB
            picture.line(places[node.parent], top, colour, stroke, dashes)
    end = (places[it.child][0], 466.0)
    picture.line(places[it.child], end, "stop", 2, "2 4")
    for node, at in places.items():
        draw_node(picture, it, node, at, node in path)
    picture.board(*end, it.end)

    x = end[0] + 34
    played = ", ".join(map(str, it.moves))
    winner = it.leaf.state.to_move
    picture.text(x, end[1] - 32, "3 simulate", "stop", 13, "start", "700")
    picture.text(x, end[1] - 14, f"random moves {played}", "ink", 12, "start")
    picture.text(
        x, end[1] + 4, f"{winner} wins: {number(it.utility)} for {winner},", "ink", 12, "start"
    )
    picture.text(x, end[1] + 22, f"who moved into {it.child.move}", "ink", 12, "start")
    picture.text(24, 40, "1 select", "accent", 13, "start", "700")
    picture.text(102, 40, "the child with the largest UCB", "ink", 12, "start")
    picture.text(24, 60, "2 expand", "accent", 13, "start", "700")
    picture.text(102, 60, "the three dashed nodes are new", "ink", 12, "start")
    picture.text(570, 40, "4 backprop", "accent", 13, "start", "700")
    picture.text(664, 40, "U and N, before → after;", "ink", 12, "start")
    picture.text(664, 58, "the sign flips at every step up", "ink", 12, "start")
    return picture.svg()


def draw_node(
    picture: Picture, it: Iteration, node: Node, at: tuple[float, float], chosen: bool
) -> None:
    """A box with the move, U and N (before and after, where they changed), and a child's UCB."""
    x, y = at
    width = 62 if node.parent not in (None, it.root) else 92
    new = node not in it.before
    colour, fill, stroke = ("accent", "glow", 2.0) if chosen else ("soft", "node", 1.3)
    dashes = "5 4" if new else "none"
    picture.box(x, y, width, 58, colour=colour, fill=fill, stroke=stroke, dashes=dashes)
    U, N = it.before.get(node, (0.0, 0))
    name = str(node.move) if node.parent else "root"
    picture.text(x, y - 13, name, size=13, weight="600")
    for label, old, now, line in (("U", U, node.U, 5), ("N", N, node.N, 22)):
        change = number(old) if old == now else f"{number(old)} → {number(now)}"
        picture.text(x, y + line, f"{label}: {change}", size=12)
    if node in it.bounds:
        text = f"UCB {it.bounds[node]:.3f}"
        picture.text(x, y - 36, text, "accent" if chosen else "soft", 12, weight="600")
    if not node.parent:
        picture.board(x + 82, y + 8, node.state, 14)


DRAWINGS = {"alphabeta": draw_alphabeta, "mcts": draw_mcts}


def pictures() -> dict[str, str]:
    """All pictures by file name."""
    return {
        f"{name}-{theme}.svg": draw(colours)
        for name, draw in DRAWINGS.items()
        for theme, colours in THEMES.items()
    }


if __name__ == "__main__":
    HANDOUT.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (HANDOUT / name).write_text(text, encoding="utf-8")
