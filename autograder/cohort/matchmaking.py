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

    Two who are left over, and have met, change partners with the nearest pair that lets them. If
    none does, they meet again; that takes about a third as many rounds as there are players.
    """
    left = list(ranked[: len(ranked) // 2 * 2])
    made: list[Meeting] = []
    over: list[int] = []
    while left:
        better = left.pop(0)
        other = next((one for one in left if {better, one} not in met), None)
        if other is None:
            over.append(better)
        else:
            left.remove(other)
            made.append(frozenset((better, other)))
    while over:
        make_room(over.pop(), over.pop(), made, met)
    return made


def make_room(a: int, b: int, made: list[Meeting], met: Collection[Meeting]) -> None:
    """Add two players to the pairs that are made, who have met each other already."""
    for i in reversed(range(len(made))):  # the pairs made last are the nearest in rank
        for c, d in (tuple(made[i]), tuple(made[i])[::-1]):
            if {a, c} not in met and {b, d} not in met:
                made[i] = frozenset((a, c))
                made.append(frozenset((b, d)))
                return
    made.append(frozenset((a, b)))
