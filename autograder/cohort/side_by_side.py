"""Two files side by side, with the passages that they share."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from autograder.cohort.fingerprints import Print

NEAR = 6  # lines between two shared places that still make them one passage

Marks = dict[int, int]  # the passage that a shared line belongs to, by the line's number


class Side(NamedTuple):
    """One file: its letter in links, and for each line its text, passage, and whether it begins it.

    A passage is 0 where nothing is shared.
    """

    letter: str
    lines: list[tuple[str, int, bool]]


class SharedFile(NamedTuple):
    """One file of a pair, and the passages that are marked on both sides."""

    name: str
    left: Side
    right: Side
    linked: set[int]


def shared_file(name: str, sources: tuple[str, str], marks: tuple[Marks, Marks]) -> SharedFile:
    left, right = (side(*one) for one in zip("ab", sources, marks))
    return SharedFile(name, left, right, set(marks[0].values()) & set(marks[1].values()))


def side(letter: str, source: str, marks: Marks) -> Side:
    lines, begun = [], {0}
    for number, line in enumerate(source.expandtabs(4).split("\n"), 1):  # as Python counts lines
        passage = marks.get(number, 0)
        lines.append((line, passage, passage not in begun))
        begun.add(passage)
    return Side(letter, lines)


def shared_lines(
    left: list[Print], right: list[Print], counted: Container[bytes]
) -> tuple[Marks, Marks]:
    """Return which lines of two files are shared, and to which passage each belongs.

    counted: the fingerprints that count
    """
    places = {one.hash: one for one in right}
    marks: tuple[Marks, Marks] = {}, {}
    passage, before = 0, (-NEAR, -NEAR)  # the last lines of the place before, in both files
    for one in left:
        if one.hash not in places or one.hash not in counted:
            continue
        other = places[one.hash]
        lines = before[1] - 2 * NEAR, before[1] + NEAR
        if one.first > before[0] + NEAR or not lines[0] <= other.first <= lines[1]:
            passage += 1
        before = one.last, other.last
        for side, place in zip(marks, (one, other)):
            for line in range(place.first, place.last + 1):
                side.setdefault(line, passage)
    return marks
