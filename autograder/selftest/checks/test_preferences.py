"""The pairs of positions for the heuristic: each is what README.md says it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.author.preferences import Preferred, preferred
from autograder.author.preferences.__main__ import (
    AROUND_THE_EDGE,
    FOURS,
    Pair,
    misleads,
    name_of_difference,
    nothing_against,
    only_distinguished_by,
    open_lines,
)
from autograder.author.preferences.reference_heuristics import all_prefer
from autograder.author.preferences.squares import LINES
from starter.games import ConnectFour

GAME = ConnectFour()


def as_stones(pair: Preferred) -> Pair:
    better, worse = (GAME.from_key(key) for key in (pair.better, pair.worse))
    mine, theirs = ("x", "o") if pair.side == "X" else ("o", "x")
    assert getattr(better, theirs) == getattr(worse, theirs)
    return Pair(getattr(better, mine), getattr(worse, mine), getattr(better, theirs))


def every_pair() -> Iterator[tuple[str, Preferred]]:
    for what, pairs in preferred().items():
        for pair in pairs:
            yield what, pair


def test_better_board_has_the_only_advantage() -> None:
    for what, pair in every_pair():
        stones = as_stones(pair)
        better, worse, theirs = stones
        assert (better & ~worse).bit_count() == (worse & ~better).bit_count() == 1, (what, pair)
        for key in (pair.better, pair.worse):
            assert not GAME.is_terminal(GAME.from_key(key)), (what, pair)
        assert nothing_against(stones), (what, pair)
        assert open_lines(better, theirs, FOURS)[2] == (what != "centre"), (what, pair)
        assert open_lines(worse, theirs, FOURS)[2] == 0, (what, pair)


@pytest.mark.slow
def test_right_heuristics_of_other_kinds_agree() -> None:
    for what, pair in every_pair():
        for turned in (pair, pair.mirrored):
            assert all_prefer(turned), (what, turned)


def test_line_distinguishes_its_pairs() -> None:
    for line in LINES:
        for pair in preferred()[name_of_difference(line)]:
            assert only_distinguished_by(line, as_stones(pair)), pair


def test_heuristic_that_wraps_around_the_edge_sees_no_difference() -> None:
    for way, wrong in AROUND_THE_EDGE.items():
        for pair in preferred()[f"around-{way}"]:
            assert misleads(wrong, as_stones(pair)), pair
