"""Draws positions, game trees and search trees as text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starter.games import Game, State

MOST_LINES = 24  # of one drawing; a message fits on a screen


def name_of(state: State) -> str:
    """Name a position of an explicit tree by the moves that lead to it; a board by its rows."""
    path = getattr(state, "path", None)
    if path is None:
        return "/".join(state.rows)
    return "/".join(path) or "the root"


def show(value: Any) -> str:
    """A number as a person writes it."""
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def tree_lines(game: Game, root: State, note: Callable[[State], str]) -> list[str]:
    """Draw a game tree; leaves show X's utility, and `note` may add something to any node."""
    lines: list[str] = []

    def add(state: State, head: str, stem: str, name: str) -> None:
        if game.is_terminal(state):
            label = show(game.utility(state, "X"))
        else:
            label = f"({state.to_move} to move)"
        remark = note(state)
        lines.append(f"{head}{name} {label}" + (f"   {remark}" if remark else ""))
        moves = game.actions(state)
        for move in moves:
            last = move == moves[-1]
            branch, below = ("`-- ", "    ") if last else ("|-- ", "|   ")
            add(game.result(state, move), stem + branch, stem + below, str(move))

    add(root, "", "", "root")
    return shortened(lines)


def shortened(lines: list[str], most: int = MOST_LINES) -> list[str]:
    if len(lines) <= most:
        return lines
    left_out = len(lines) - most + 1
    return [*lines[: most - 1], f"... and {left_out} lines more"]


def board_lines(state: State) -> list[str]:
    return str(state).splitlines()


def position_lines(game: Game, state: State) -> list[str]:
    """Draw a position of any game."""
    if hasattr(state, "path"):
        return tree_lines(game, state, lambda _: "")
    return board_lines(state)


def search_tree_lines(rows: list[dict], mark: Callable[[int], str] = lambda i: "") -> list[str]:
    """Draw a search tree with U, N and the mean of every node."""
    children: dict[int | None, list[int]] = {}
    for i, row in enumerate(rows):
        children.setdefault(row["under"], []).append(i)
    lines: list[str] = []

    def add(i: int, depth: int) -> None:
        row = rows[i]
        name = "root" if row["under"] is None else f"child {row['key']}"
        remark = mark(i)
        lines.append(
            f"{'    ' * depth}{name}: U = {show(row['U'])}, N = {show(row['N'])}"
            + (f"   {remark}" if remark else "")
        )
        for child in children.get(i, ()):
            add(child, depth + 1)

    add(0, 0)
    return shortened(lines)
