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

    Players for whom nobody new is left meet each other again, from another opening.
    """
    left = list(ranked[: len(ranked) // 2 * 2])
    made: list[Meeting] = []
    again: list[int] = []
    while left:
        better = left.pop(0)
        other = next((one for one in left if {better, one} not in met), None)
        if other is None:
            again.append(better)
        else:
            left.remove(other)
            made.append(frozenset((better, other)))
    return made + [frozenset(two) for two in zip(again[::2], again[1::2])]
