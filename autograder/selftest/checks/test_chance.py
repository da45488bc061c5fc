"""The chance that a randomised test decides wrongly.

The success rates of right submissions are measured each night. The chance that one fails is
computed for a rate that is worse than the measured one by three standard errors or more.
"""

import itertools
import random
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
import pytest
import scipy  # its parts load when they are used

from autograder.author.cases.mcts import is_nearly_always_found, make_uniform_cases
from autograder.checks.play.sequential_test import SequentialTest
from autograder.selftest.support.banks import SOLUTION_FILES, read_right_entries
from autograder.selftest.support.students import start_student
from autograder.serving.case_files import Cases
from autograder.serving.cases import SeededCase
from starter.games import ConnectFour
from tests import test_3_cutoff, test_4_mcts
from tests.test_3_cutoff import AGAINST_NO_HEURISTIC, AGAINST_RANDOM
from tests.test_4_mcts import AGAINST_PERFECT_PLAY, FLOOR, FORCED

MOST = 1e-6  # the chance that a right submission may fail a test
SEED = 2026

RIGHT = {entry.name: entry.files for entry in read_right_entries()}

MATCHES: dict[str, tuple[Callable[..., None], SequentialTest, int]] = {  # games of each case
    "3.12": (test_3_cutoff.test_beats_random, AGAINST_RANDOM, 600),
    "3.13": (test_3_cutoff.test_beats_no_heuristic, AGAINST_NO_HEURISTIC, 200),
    "4.10": (test_4_mcts.test_forced_moves, FORCED, 100),
    "4.11": (test_4_mcts.test_perfect_play, AGAINST_PERFECT_PLAY, 400),
    "4.12": (test_4_mcts.test_random_player_at_tic_tac_toe, FLOOR, 600),
    "4.13": (test_4_mcts.test_random_player_at_connect_four, FLOOR, 600),
}
HEURISTICS = ("open_runs", "threats_by_row", "weights_by_direction", "hyperbolic", "linear_lines")
TREES = ("last_best_and_random_best", "made_backwards", "rng_in_the_nodes", "untried_first")


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("number", "name"),
    [
        *itertools.product(("3.12", "3.13"), ("solution", *HEURISTICS)),
        *itertools.product(("4.10", "4.11", "4.12", "4.13"), ("solution", *TREES)),
    ],
)
def test_right_submission_fails_less_than_once_in_a_million(number, name, monkeypatch):
    """Compute it for a rate that is lower than the measured one with chance 0.999."""
    test, rule, most = MATCHES[number]
    fails: list[float] = []  # the chance in each case

    def play_all(
        self: SequentialTest, games: Iterable[bool], of: str = "games"
    ) -> tuple[bool, str]:
        results = list(itertools.islice(games, most))
        rate = scipy.stats.binomtest(sum(results), len(results))  # bounds of Clopper and Pearson
        fails.append(chances(rule, rate.proportion_ci(1 - 2 * 0.001, "exact").low)[1])
        return True, ""

    monkeypatch.setattr(SequentialTest, "run", play_all)
    with start_student({**SOLUTION_FILES, **RIGHT.get(name, {})}) as student:
        for case in Cases().load(number):
            assert isinstance(case, SeededCase)
            student.begin(10_000)
            test(student=student, case=replace(case, seed=SEED))
    assert sum(fails) <= MOST, fails


def chances(test: SequentialTest, rate: float) -> tuple[float, float]:
    """Return the exact probabilities of a pass and of a failure at a success rate."""
    undecided = {0: 1.0}  # by the number of successes so far
    passed = failed = 0.0
    for games in range(1, test.max_games + 1):
        following: dict[int, float] = {}
        for successes, p in undecided.items():
            for now, share in ((successes + 1, rate), (successes, 1 - rate)):
                following[now] = following.get(now, 0.0) + p * share
        undecided = {}
        for successes, p in following.items():
            decided = test.decide(successes, games)
            if decided is None:
                undecided[successes] = p
            elif decided:
                passed += p
            else:
                failed += p
    return passed, failed


@pytest.mark.parametrize(
    "test", [AGAINST_RANDOM, AGAINST_NO_HEURISTIC, AGAINST_PERFECT_PLAY, FLOOR, FORCED]
)
def test_every_sequential_test_keeps_its_promise(test):
    """A `sound` rate fails with chance 1e-7 at most; an `unsound` rate seldom passes."""
    for rate in (test.sound, (1 + test.sound) / 2, 1.0):
        assert chances(test, rate)[1] <= test.fail_chance <= 1e-7
    assert chances(test, test.unsound)[0] <= 0.1


def test_moves_found_half_of_the_time_pass_no_forced_positions():
    assert chances(FORCED, 0.5)[0] ** len(Cases().load("4.10")) < 1e-6


@pytest.mark.slow
def test_no_forced_position_depends_on_the_child_that_expand_returns():
    """If `expand` returns the first child, all 25 searches find it; if the third, 14."""
    game = ConnectFour()
    state = game.state([*4 * ["......."], ".X..XO.", ".XXXOOO"], "O")
    for seed in range(2):
        assert not is_nearly_always_found(random.Random(seed), game, state, 0, 250)


def test_undecided_sequential_test_passes():
    test = SequentialTest(0.4, 0.8, fail_chance=1e-9, pass_chance=1e-9, max_games=5)
    sound, words = test.run([True, False, True, False, True])
    assert sound
    assert words == "3 of 5 games: no clear answer after the most that are played, so it passes"


def test_words_give_the_number_of_games_and_why_no_more():
    test = SequentialTest(0.5, 0.9, fail_chance=1e-3, pass_chance=0.05)
    assert test.run(itertools.repeat(True)) == (
        True,
        "6 of 6 games: enough to rule out a rate of 50% or less",
    )
    assert test.run(itertools.repeat(False), "searches") == (
        False,
        "0 of 5 searches: enough to rule out a rate of 90% or more",
    )
    with pytest.raises(ValueError, match="ran out"):
        test.run([True, False])


def exceeds(cells: int, playouts: int, most: float) -> float:
    """Return the exact chance that chi-square of equal `cells` exceeds `most`.

    The counts are independent Poisson numbers, given that they add up to `playouts`. Tables hold
    the chances by the sum of the deviations from the mean and the sum of their squares.
    """
    mean = playouts // cells
    squares = int(most * mean)  # chi-square is the sum of squares, divided by the mean
    reach = int(squares**0.5)
    width = reach * cells
    table = np.zeros((2 * width + 1, squares + 1))
    table[width, 0] = 1.0
    for _ in range(cells):
        following = np.zeros_like(table)
        for deviation in range(-reach, reach + 1):
            square = deviation * deviation
            shifted = np.roll(table, deviation, axis=0)[:, : squares + 1 - square]
            following[:, square:] += scipy.stats.poisson.pmf(mean + deviation, mean) * shifted
        table = following
    return 1 - float(table[width].sum() / scipy.stats.poisson.pmf(playouts, playouts))


CELLS = (3, 3, 3, 5, 7, 7, 40)


@pytest.mark.nightly
@pytest.mark.parametrize("index", range(len(CELLS)))
def test_uniform_moves_fail_less_than_once_in_a_million(index):
    case, cells = make_uniform_cases(random.Random(1))[index], CELLS[index]
    assert case.playouts % cells == 0
    assert case.most == pytest.approx(scipy.stats.chi2.isf(5e-8, cells - 1))
    # With more playouts the chance comes nearer to the limit, but its computation takes minutes.
    some = min(case.playouts, 500 // cells * cells)
    assert exceeds(cells, some, case.most) <= MOST / len(CELLS)
