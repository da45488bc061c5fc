"""Question 4: Monte Carlo tree search."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit, needs
from autograder.checks.mcts import phases, tree_search
from autograder.checks.mcts.queries import run_search
from autograder.checks.play import matches
from autograder.checks.play.sequential_test import SequentialTest


@number("4.1")
@weight(4)
def test_select(student, case):
    """select follows the largest UCB down to a leaf"""
    phases.expect_selection(student, case)


@number("4.2")
@weight(4)
def test_expand(student, case):
    """expand gives a leaf one child per action and returns one; a terminal node itself"""
    phases.expect_expansion(student, case)


@number("4.3")
@weight(4)
def test_simulate(student, case):
    """simulate plays to the end and returns the result for the player who moved into the state"""
    phases.expect_simulation(student, case)


# Assumed: rngs with different seeds are independent. The chance that uniform moves fail is the
# chi-square test's level, 5e-8 for each case; exactly, not in the limit, at most 1.4e-7. That they
# are too even, where there are seven moves: exactly, at most 6e-8.
@number("4.4")
@weight(2)
@limit(24)
@needs("4.3")
def test_uniform(student, case):
    """simulate chooses every legal move equally often"""
    phases.expect_uniform(student, case)


@number("4.5")
@weight(4)
def test_backprop(student, case):
    """backprop adds the result and a visit at every node up to the root; the sign flips"""
    phases.expect_backprop(student, case)


@number("4.6")
@weight(1)
@needs("4.3")
def test_simulate_leaves_the_tree(student, case):
    """simulate does not change the search tree"""
    phases.expect_unchanged_tree(student, case)


@number("4.7")
@weight(3)
@limit(3)
@needs("4.1", "4.2", "4.3")
def test_visits_add_up(student, case):
    """Your four phases together: visits and utilities add up at every node"""
    phases.expect_consistent_visits(student, case)


@number("4.8")
@weight(3)
@limit(20)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_final_choice(student, case):
    """The answer is the move of the most visited child, and that child's U/N"""
    tree_search.expect_most_visited(student, case)


@number("4.9")
@weight(2)
@limit(5)
@needs("4.3")
def test_playouts(student, case):
    """As many games played to their end as playouts asked for"""
    tree_search.expect_playouts(student, case)


# Assumed: searches with different seeds are independent. Only positions are used in which the
# solution misses the move at most once in 100 searches, in a release's 50, whichever child comes
# first. A rate of 0.95 fails one with chance 2e-13, one of 0.9 with 6e-9; that one of any rate is
# used and fails has chance 4e-7 at most. 0.5 passes with chance 0.09, 1/3 with 0.014.
FORCED = SequentialTest(unsound=0.5, sound=0.9, fail_chance=1e-8, pass_chance=0.1)


@number("4.10")
@weight(4)
@limit(30)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_forced_moves(student, case):
    """Takes a win in one, and blocks the opponent's, in a tree that follows UCB"""
    tree_search.expect_moves_found(student, case, FORCED)


# Assumed: games are independent. Measured, 1000 games each: the solution does not lose 97.5 %,
# others as right that take children in another order 93 % and more; of the unsound ones (300 games
# each) only the root expanded 67 %, random selection 61 %, draws as losses 49 %, no exploration
# 36 %, all others less. 91 % fails with chance 2e-10, 88 % with 7e-8; these unsound ones pass with
# chance 0.1, 0.007, 1e-4, 1e-6.
AGAINST_PERFECT_PLAY = SequentialTest(unsound=0.62, sound=0.88)


@number("4.11")
@weight(3)
@limit(30)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_perfect_play(student, case):
    """Seldom loses to perfect play on tic-tac-toe"""
    results = tree_search.play_perfect_player(student, case)
    held = (result >= 0 for result in results)
    matches.expect_rate(student, AGAINST_PERFECT_PLAY, held, "match/lost")


# A floor, not a measure. Assumed: games are independent, their rates those of the two sides. They
# begin after 2 and 12 random moves. Measured with right searches, written differently: at
# tic-tac-toe (eleven, 200 games a side) 100 % are not lost as X and 97 % as O, at Connect Four
# (four, 300 games a side) 97 % and 98 % are won. 94 % fails with chance 4e-11, 92 % with 7e-8.
# These pass with a chance of: always the first move at tic-tac-toe (exactly 76 % and 43 %) 2e-7,
# the first column at Connect Four (71 % and 69 %) 1e-4, the sign inverted less than 1e-9.
FLOOR = SequentialTest(unsound=0.78, sound=0.92, pass_chance=0.01, max_games=300)


@number("4.12")
@weight(1)
@limit(6)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_random_player_at_tic_tac_toe(student, case):
    """Seldom loses to a random player at tic-tac-toe"""
    results = matches.play_random_player(student, case)
    held = (result >= 0 for result in results)
    matches.expect_rate(student, FLOOR, held, "match/lost")


@number("4.13")
@weight(1)
@limit(14)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_random_player_at_connect_four(student, case):
    """Beats a random player at Connect Four"""
    results = matches.play_random_player(student, case)
    wins = (result > 0 for result in results)
    matches.expect_rate(student, FLOOR, wins, "match/few-wins")


@number("4.14")
@weight(1)
@limit(8)
def test_repeatable(student, case):
    """The same rng gives the same search, another rng another one"""
    tree_search.expect_repeatable(student, case)


# A right search never fails: equal bounds count as equal, so whatever it chooses is explained. The
# chance that others pass, if playouts are independent: with 7 children the first 7 steps at the
# root must all differ, for random flat playouts (and where the tree is thrown away) 6!/7^6 = 0.006
# in each of three cases, 2e-7, and every later step must be the one largest UCB. Round robin takes
# those, then has a chance of about 1/7 at every step. A bandit at the root (or a tree that is never
# deepened) is right there, but below each child the 2nd to 8th visit must all differ: 0.006 for
# each of 7 children in 60 playouts, 3e-16. Measured, 200 searches each: all of these, C ignored, C
# halved, C in another place and playouts ended early are found in each search, flat ones by playout
# 13, C ignored by playout 26 of the 60 with another C.
@number("4.15")
@weight(3)
@limit(16)
@needs("4.1", "4.2", "4.3", "4.4", "4.5")
def test_tree_search(student, case):
    """Every playout follows the largest UCB, in a tree that grows leaf by leaf"""
    tree_search.expect_tree_search(student, case, run_search(student, case), ("4.3", "4.5"))
