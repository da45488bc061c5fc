"""Question 1: minimax."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit, needs
from autograder.checks.play import matches
from autograder.checks.search.positions import (
    expect_all_positions,
    expect_nothing_given_away,
    expect_watched_search,
)
from autograder.checks.search.search_findings import SKIPPED, WRONG_ANSWER, check

SEARCH = "minimax.minimax_search"


@number("1.1")
@weight(3)
def test_small_trees(student, case):
    """Value and move on small trees, made by hand"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)


@number("1.2")
@weight(2)
def test_random_trees(student, case):
    """Value and move on random trees: any numbers, uneven depth, single children, ties"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)


@number("1.3")
@weight(2)
def test_min_value(student, case):
    """min_value called directly: the smallest of MAX's values"""
    check(student, case, "minimax.min_value", absent=WRONG_ANSWER)


@number("1.4")
@weight(1)
def test_both_sides(student, case):
    """O to move at the root: the value is O's"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)


@number("1.5")
@weight(1)
def test_utility(student, case):
    """utility is called at terminal states only"""
    check(student, case, SEARCH, absent=("utility/undecided", *SKIPPED))


@number("1.6")
@weight(3)
@limit(56)
@needs("1.1", "1.2")
def test_tic_tac_toe(student, case):
    """The true value and a best move on undecided tic-tac-toe positions"""
    expect_watched_search(student, SEARCH, case)
    expect_all_positions(student, SEARCH, case)


@number("1.7")
@weight(1)
@limit(3)
@needs("1.1", "1.2")
def test_larger_boards(student, case):
    """The true value and a best move on larger boards"""
    expect_all_positions(student, SEARCH, case)


@number("1.8")
@weight(1)
@limit(8)
@needs("1.1", "1.2")
def test_self_play(student, case):
    """Minimax against itself on tic-tac-toe: a draw"""
    matches.expect_draw(student, SEARCH, case)


# A right search never fails: no best move makes a position worth less. Assumed: openings and the
# opponent's moves are uniform and independent. Exactly then, a copy of max_value passes with chance
# 1e-16, utilities always X's with 1e-8, one ply only with 4e-6; the mean in place of the minimum
# with 0.2.
@number("1.9")
@weight(1)
@limit(4)
@needs("1.1", "1.2")
def test_random_opponent(student, case):
    """Never gives away a win or a draw against a random player"""
    expect_nothing_given_away(student, SEARCH, case)
