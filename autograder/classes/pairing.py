"""Who plays whom: all against all in a small field, otherwise rounds by rating and finals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

ALL_AGAINST_ALL = 40  # players at most
ROUNDS, FINALISTS = 10, 16

Meeting = frozenset[int]  # of two players, by their numbers


def round_robin(players: Sequence[int]) -> list[Meeting]:
    """Each against each, once."""
    return [frozenset(two) for two in combinations(players, 2)]


def by_rating(ranked: Sequence[int], met: Collection[Meeting]) -> list[Meeting]:
    """Pair each player with the nearest in rank whom it has not met yet.

    ranked: the players, from the best down; if their number is odd the last one has to wait

    Where those who are left over have all met, the pairs made last are made anew. Raises ValueError
    if there are no such pairs at all.
    """
    left = list(ranked[: len(ranked) // 2 * 2])
    # Of each pair: the better one, its place in `left`, the other and its place there.
    made: list[tuple[int, int, int]] = []
    begin = 0  # the nearest place at which the other is looked for
    while left:
        better = left[0]
        place = next(
            (i for i in range(max(1, begin), len(left)) if {better, left[i]} not in met), None
        )
        if place is not None:
            made.append((better, left[place], place))
            del left[place], left[0]
            begin = 1
        elif made:
            better, other, place = made.pop()
            left.insert(0, better)
            left.insert(place, other)
            begin = place + 1
        else:
            raise ValueError("there are no pairs left that have not met: play fewer rounds")
    return [frozenset((better, other)) for better, other, _ in made]
