"""Question 2: alpha-beta."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks import alphabeta, matches, solved_tic_tac_toe, values, whole_search
from autograder.worker.clock import limit

SEARCH = "alphabeta.alphabeta_search"


@number("2.1")
@weight(4)
@limit(5)
def test_trees(student, case):
    """Minimax's value and a best move on trees"""
    whole_search.expect_value_and_move(case, alphabeta.search_of(student, case))


@number("2.2")
@weight(3)
@limit(4)
def test_boards(student, case):
    """Minimax's value and a best move on boards"""
    values.expect_all_positions(student, SEARCH, case)


@number("2.3")
@weight(3)
def test_cutoff_at_min_nodes(student, case):
    """Prunes at min nodes as soon as v <= alpha"""
    alphabeta.expect_cutoffs(case, alphabeta.record_of(student, case), side="min")


@number("2.4")
@weight(3)
def test_cutoff_at_max_nodes(student, case):
    """Prunes at max nodes as soon as v >= beta"""
    alphabeta.expect_cutoffs(case, alphabeta.record_of(student, case), side="max")


@number("2.5")
@weight(3)
def test_deep_cutoffs(student, case):
    """Deep pruning: the bound comes from above the parent"""
    alphabeta.expect_cutoffs(case, student.serve(SEARCH, case), deep=True)


@number("2.6")
@weight(3)
def test_equality(student, case):
    """Equality is enough to prune"""
    alphabeta.expect_cutoffs(case, student.serve(SEARCH, case), equal=True)


@number("2.7")
@weight(2)
def test_nothing_needless(student, case):
    """Moves in their order; no node generated twice, or when it should be pruned"""
    alphabeta.expect_nothing_needless(case, student.serve(SEARCH, case))


@number("2.8")
@weight(1)
def test_windows(student, case):
    """max_value and min_value called with a window: exact inside, a true bound outside"""
    alphabeta.expect_true_bound(case, alphabeta.search_of(student, case))


@number("2.9")
@weight(2)
@limit(20)
def test_positions_on_the_empty_board(student, case):
    """The empty tic-tac-toe board: its value, with at most 18,297 nodes"""
    values = solved_tic_tac_toe.tic_tac_toe_values(student.cases, "X")
    alphabeta.expect_few_positions(student, SEARCH, case, values)


@number("2.10")
@weight(1)
@limit(6)
def test_self_play(student, case):
    """Alpha-beta against itself on tic-tac-toe: a draw"""
    matches.expect_draw(student, SEARCH, case)
