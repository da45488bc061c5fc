"""Question 2: alpha-beta."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit, needs
from autograder.checks.play import matches
from autograder.checks.search.positions import expect_all_positions, read_tic_tac_toe_values
from autograder.checks.search.search_findings import SKIPPED, UNPRUNED, WRONG_ANSWER, check

SEARCH = "alphabeta.alphabeta_search"


@number("2.1")
@weight(4)
@limit(5)
def test_trees(student, case):
    """Minimax's value and a best move on trees"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)


@number("2.2")
@weight(3)
@limit(4)
@needs("2.1")
def test_boards(student, case):
    """Minimax's value and a best move on boards"""
    expect_all_positions(student, SEARCH, case)


@number("2.3")
@weight(3)
def test_cutoff_at_min_nodes(student, case):
    """Prunes at min nodes as soon as v <= alpha"""
    check(student, case, SEARCH, absent=("missed-cut/min", *SKIPPED))


@number("2.4")
@weight(3)
def test_cutoff_at_max_nodes(student, case):
    """Prunes at max nodes as soon as v >= beta"""
    check(student, case, SEARCH, absent=("missed-cut/max", *SKIPPED))


@number("2.5")
@weight(3)
def test_deep_cutoffs(student, case):
    """Deep pruning: the bound comes from above the parent"""
    check(student, case, SEARCH, absent=("missed-cut/deep", *UNPRUNED))


@number("2.6")
@weight(3)
def test_equality(student, case):
    """Equality is enough to prune"""
    check(student, case, SEARCH, absent=("missed-cut/equal", *UNPRUNED))


@number("2.7")
@weight(2)
def test_nothing_needless(student, case):
    """Moves in their order; no node generated twice, or when it should be pruned"""
    check(student, case, SEARCH, absent=("generated/*", "moves-reordered", *UNPRUNED))


@number("2.8")
@weight(1)
def test_windows(student, case):
    """max_value and min_value called with a window: exact inside, a true bound outside"""
    check(student, case, SEARCH, absent=("not-searched", "left-out/end", *WRONG_ANSWER))


@number("2.9")
@weight(2)
@limit(20)
@needs("2.1")
def test_positions_on_the_empty_board(student, case):
    """The empty tic-tac-toe board: its value, with at most 18,297 nodes"""
    absent = ("too-many-positions", "missed-cut/*", *SKIPPED, *WRONG_ANSWER)
    check(student, case, SEARCH, absent=absent, values=read_tic_tac_toe_values(student.cases, "X"))


@number("2.10")
@weight(1)
@limit(6)
@needs("2.1")
def test_self_play(student, case):
    """Alpha-beta against itself on tic-tac-toe: a draw"""
    matches.expect_draw(student, SEARCH, case)
