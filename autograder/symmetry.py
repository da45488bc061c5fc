"""Symmetries of boards, which are given by their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Rows = tuple[str, ...]
Way = Callable[[Rows], Rows]


def same(rows: Rows) -> Rows:
    return rows


def mirrored(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in rows)


def flipped(rows: Rows) -> Rows:
    return rows[::-1]


def half_turned(rows: Rows) -> Rows:
    return flipped(mirrored(rows))


def turned(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*rows[::-1]))


def all_around(game: Any) -> list[Way]:
    """Return all symmetries of a board: eight if it is square, else four."""
    half: list[Way] = [same, mirrored, flipped, half_turned]
    if game.height != game.width:
        return half
    return half + [lambda rows, way=way: turned(way(rows)) for way in half]


def canonical(rows: Rows, ways: Iterable[Way]) -> Rows:
    """Return the same board for all symmetric boards; `ways` includes `same`."""
    return min(way(rows) for way in ways)
