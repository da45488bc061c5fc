"""Symmetries of boards, which are given by their rows."""

from collections.abc import Callable, Iterable
from typing import Any

Rows = tuple[str, ...]
Way = Callable[[Rows], Rows]


def keep(rows: Rows) -> Rows:
    return rows


def mirror(rows: Rows) -> Rows:
    return tuple(row[::-1] for row in rows)


def turn(rows: Rows) -> Rows:
    return tuple("".join(column) for column in zip(*rows[::-1]))


def list_symmetries(game: Any) -> list[Way]:
    """Return all symmetries of a board: eight if it is square, else four."""
    half: list[Way] = [keep, mirror, lambda rows: mirror(rows)[::-1], lambda rows: rows[::-1]]
    if game.height != game.width:
        return half
    return half + [lambda rows, way=way: turn(way(rows)) for way in half]


def find_canonical(rows: Rows, ways: Iterable[Way]) -> Rows:
    """Return the same board for all symmetric boards; `ways` includes `keep`."""
    return min(way(rows) for way in ways)
