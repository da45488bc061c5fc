"""Question 4: Monte Carlo tree search."""

import random

from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.chance import SequentialTest
from autograder.judge.matches import expect_rate, games_against_perfect_play, games_against_random
from autograder.judge.mcts import (
    expect_backprop,
    expect_consistent_visits,
    expect_expansion,
    expect_final_choice,
    expect_moves_found,
    expect_playouts,
    expect_repeatable,
    expect_selection,
    expect_simulation,
    expect_uniform,
    expect_untouched,
)
from autograder.judge.values import limit

SEARCH = "mcts.monte_carlo_tree_search"


@number("4.1")
@weight(4)
@visibility("visible")
@limit(2)
def test_select(student, case):
    """select follows the largest UCB down to a leaf"""
    expect_selection(case, student.phase("mcts.select", case, *case.args))


@number("4.2")
@weight(4)
@visibility("visible")
@limit(2)
def test_expand(student, case):
    """expand gives a leaf one child per action and returns one; a terminal node itself"""
    expect_expansion(case, student.phase("mcts.expand", case))


@number("4.3")
@weight(4)
@visibility("visible")
@limit(2)
def test_simulate(student, case):
    """simulate plays to the end and returns the result for who made the move into the state"""
    result, served = student.simulate(case, case.seed)
    expect_simulation(result, served)


# Assumed: rngs with different seeds are independent. The chance that uniform moves fail is the
# chi-square test's level, 1e-7 for each case; exactly, not in the limit, at most 1.4e-7.
@number("4.4")
@weight(2)
@visibility("visible")
@limit(16)
def test_uniform(student, case):
    """simulate chooses every legal move equally often"""
    expect_uniform(student, case)


@number("4.5")
@weight(4)
@visibility("visible")
@limit(2)
def test_backprop(student, case):
    """backprop adds the result and a visit to every node up to the root, sign flipped each step"""
    expect_backprop(case, student.phase("mcts.backprop", case, case.utility))


@number("4.6")
@weight(1)
@visibility("visible")
@limit(2)
def test_simulate_leaves_the_tree(student, case):
    """simulate does not touch the search tree"""
    expect_untouched(case, student.grow(case))


@number("4.7")
@weight(3)
@visibility("visible")
@limit(2)
def test_visits_add_up(student, case):
    """Your four phases together: visits and utilities add up at every node"""
    expect_consistent_visits(case, student.grow(case))


@number("4.8")
@weight(4)
@visibility("visible")
@limit(6)
def test_final_choice(student, case):
    """The answer is the move of the most visited child, and that child's U/N"""
    options = {"playouts": case.playouts, "rng": {"rng": case.seed}}
    expect_final_choice(case, student.serve(SEARCH, case, **options))


@number("4.9")
@weight(2)
@visibility("visible")
@limit(2)
def test_playouts(student, case):
    """As many playouts as asked for"""
    options = {"playouts": case.playouts, "rng": {"rng": case.seed}}
    expect_playouts(case, student.serve(SEARCH, case, **options))


# Assumed: searches with different seeds are independent. Only positions are used in which the
# solution misses the move at most once in 100 searches. A rate of 0.95 fails one position with
# chance 2e-13, one of 0.9 with 6e-9; one of 0.5 passes it with chance 0.04, one of 1/3 with 0.002.
FORCED = SequentialTest(unsound=0.5, sound=0.9, fail_chance=1e-8, pass_chance=0.05)


@number("4.10")
@weight(4)
@visibility("visible")
@limit(6)
def test_forced_moves(student, case):
    """Takes a win in one, and blocks the opponent's"""
    expect_moves_found(student, case, FORCED)


# Assumed: games are independent. Measured, 1000 games each: the solution does not lose 97.5 %,
# others as right that take children in another order 93 % and more; of the unsound ones (300 games
# each) only the root expanded 67 %, random selection 61 %, draws as losses 49 %, no exploration
# 36 %, all others less. 91 % fails with chance 2e-10, 88 % with 7e-8; these unsound ones pass with
# chance 0.1, 0.007, 1e-4, 1e-6.
AGAINST_PERFECT_PLAY = SequentialTest(unsound=0.62, sound=0.88)


@number("4.11")
@weight(4)
@visibility("visible")
@limit(20)
def test_perfect_play(student, case):
    """Seldom loses to perfect play on tic-tac-toe"""
    results = games_against_perfect_play(student, case, random.Random(case.seed))
    held = (result >= 0 for result in results)
    expect_rate(student, AGAINST_PERFECT_PLAY, held, "it loses too often", "9 games in 10 not lost")


# A floor, not a measure. Assumed: games are independent, their rates those of the two sides.
# Measured with four right searches: at tic-tac-toe (300 games a side) 100 % are not lost as X and
# 98 % or more as O, at Connect Four (120 games a side) 98 % and 97 % or more are won. 94 % fails
# with chance 4e-12, 90 % with 7e-8. Of the unsound ones it stops for certain only the sign
# inverted (23 % and 1 %; none), and any win counted for everybody at tic-tac-toe (66 % and 45 %:
# it passes with chance 0.005).
FLOOR = SequentialTest(unsound=0.65, sound=0.9, pass_chance=0.05)


@number("4.12")
@weight(1)
@visibility("visible")
@limit(4)
def test_random_player_at_tic_tac_toe(student, case):
    """Seldom loses to a random player at tic-tac-toe"""
    results = games_against_random(student, case, random.Random(case.seed))
    held = (result >= 0 for result in results)
    expect_rate(student, FLOOR, held, "it loses too often", "at least 9 games in 10 not lost")


@number("4.13")
@weight(1)
@visibility("visible")
@limit(14)
def test_random_player_at_connect_four(student, case):
    """Beats a random player at Connect Four"""
    results = games_against_random(student, case, random.Random(case.seed))
    wins = (result > 0 for result in results)
    expect_rate(student, FLOOR, wins, "it wins too few games", "at least 9 wins in 10 games")


@number("4.14")
@weight(2)
@visibility("visible")
@limit(3)
def test_repeatable(student, case):
    """The same rng gives the same search"""
    expect_repeatable(student, case)
