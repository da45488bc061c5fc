"""The pairs of positions for the heuristic: each is what README.md says it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.author.cases.registry import made
from autograder.author.preferences import Preferred, preferred
from autograder.author.preferences.__main__ import (
    AROUND,
    AROUND_THE_EDGE,
    CENTRES,
    EACH_LINE,
    FOURS,
    THREES,
    Pair,
    at_the_edge,
    bits,
    held,
    misleads,
    name_of_difference,
    nothing_against,
    only_distinguished_by,
    open_lines,
)
from autograder.author.preferences.reference_heuristics import all_prefer
from autograder.author.preferences.squares import LINES
from autograder.serving.cases import PreferenceCase
from solution.cutoff import connect_four_heuristic
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


def test_there_are_pairs_for_every_line_and_every_way_around() -> None:
    wanted = {"centre": CENTRES}
    wanted |= {name_of_difference(line): EACH_LINE for line in LINES}
    wanted |= {f"around-{name}": AROUND for name in AROUND_THE_EDGE}
    assert {what: len(set(pairs)) for what, pairs in preferred().items()} == wanted


def test_one_stone_is_elsewhere_and_nobody_has_won() -> None:
    for what, pair in every_pair():
        better, worse, _ = as_stones(pair)
        assert (better & ~worse).bit_count() == (worse & ~better).bit_count() == 1, (what, pair)
        for key in (pair.better, pair.worse):
            assert not GAME.is_terminal(GAME.from_key(key)), (what, pair)


def test_worse_board_has_no_advantage() -> None:
    for what, pair in every_pair():
        stones = as_stones(pair)
        assert nothing_against(stones), (what, pair)
        better, worse = (
            connect_four_heuristic(GAME.from_key(key), pair.side)
            for key in (pair.better, pair.worse)
        )
        assert better > worse, (what, pair)


@pytest.mark.slow
def test_right_heuristics_of_other_kinds_agree() -> None:
    for what, pair in every_pair():
        for turned in (pair, pair.mirrored):
            assert all_prefer(turned), (what, turned)


def test_there_is_one_open_three_on_the_better_board_and_no_other() -> None:
    for what, pair in every_pair():
        better, worse, theirs = as_stones(pair)
        assert open_lines(better, theirs, FOURS)[2] == (what != "centre"), (what, pair)
        assert open_lines(worse, theirs, FOURS)[2] == 0, (what, pair)
        assert open_lines(theirs, better, FOURS)[2] == 0, (what, pair)
        assert open_lines(theirs, worse, FOURS)[2] == 0, (what, pair)
        assert not held(worse, THREES), (what, pair)


@pytest.mark.parametrize("line", LINES, ids=name_of_difference)
def test_a_line_is_what_tells_its_pairs_apart(line: list[tuple[int, int]]) -> None:
    for pair in preferred()[name_of_difference(line)]:
        stones = as_stones(pair)
        assert (bits(line) & stones.better).bit_count() == 3, pair
        assert held(stones.better & bits(line), THREES), pair
        assert only_distinguished_by(line, stones), pair


@pytest.mark.parametrize("way", AROUND_THE_EDGE)
def test_heuristic_that_wraps_around_the_edge_sees_no_difference(way: str) -> None:
    for pair in preferred()[f"around-{way}"]:
        assert misleads(AROUND_THE_EDGE[way], as_stones(pair)), pair


def test_a_centre_pair_is_about_the_centre() -> None:
    for pair in preferred()["centre"]:
        assert at_the_edge(as_stones(pair)), pair


def test_public_pairs_reveal_few_secret_pairs() -> None:
    public, secret = (
        {case.better for case in made("3.11", seed) if isinstance(case, PreferenceCase)}
        for seed in (1, 2)
    )
    assert len(public & secret) < len(secret) / 3
