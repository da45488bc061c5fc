"""Two files side by side, with the passages that they share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from autograder.cohort.fingerprints import Prints

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


def shared_lines(left: Prints, right: Prints, counts: npt.NDArray[np.bool_]) -> tuple[Marks, Marks]:
    """Return which lines of two files are shared, and to which passage each belongs.

    counts: which of the left one's fingerprints count
    """
    places = {hash: lines for hash, *lines in zip(*(part.tolist() for part in right))}
    marks: tuple[Marks, Marks] = {}, {}
    passage, before = 0, (-NEAR, -NEAR)  # the last lines of the place before, in both files
    for hash, first, last in zip(*(part[counts].tolist() for part in left)):
        if hash not in places:
            continue
        there, end = places[hash]
        if not (first <= before[0] + NEAR and before[1] - 2 * NEAR <= there <= before[1] + NEAR):
            passage += 1
        before = last, end
        for side, lines in zip(marks, (range(first, last + 1), range(there, end + 1))):
            for line in lines:
                side.setdefault(line, passage)
    return marks
