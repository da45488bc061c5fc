"""Question 2: alpha-beta."""

from gradescope_utils.autograder_utils.decorators import number, visibility, weight

from autograder.judge.alphabeta import (
    expect_cutoffs,
    expect_few_positions,
    expect_nothing_needless,
    expect_true_bound,
    expect_value_and_move,
    search_of,
    tic_tac_toe_values,
)
from autograder.judge.matches import expect_draw
from autograder.judge.values import expect_true_everywhere, limit


@number("2.1")
@weight(4)
@visibility("visible")
@limit(5)
def test_trees(student, case):
    """Minimax's value and a best move on trees"""
    search = search_of(student, case)
    if search is not None:
        expect_value_and_move(case, search)


@number("2.2")
@weight(3)
@visibility("visible")
@limit(2)
def test_boards(student, case):
    """Minimax's value and a best move on boards"""
    expect_true_everywhere(student, "alphabeta.alphabeta_search", case)


@number("2.3")
@weight(3)
@visibility("visible")
@limit(2)
def test_cutoff_at_min_nodes(student, case):
    """A cut-off at min nodes, as soon as v <= alpha"""
    search = search_of(student, case)
    if search is not None:
        expect_cutoffs(case, search, side="min")


@number("2.4")
@weight(3)
@visibility("visible")
@limit(2)
def test_cutoff_at_max_nodes(student, case):
    """A cut-off at max nodes, as soon as v >= beta"""
    search = search_of(student, case)
    if search is not None:
        expect_cutoffs(case, search, side="max")


@number("2.5")
@weight(3)
@visibility("visible")
@limit(2)
def test_deep_cutoffs(student, case):
    """Deep cut-offs: the bound comes from further up than the parent"""
    search = student.serve("alphabeta.alphabeta_search", case)
    expect_cutoffs(case, search, deep=True)


@number("2.6")
@weight(3)
@visibility("visible")
@limit(2)
def test_equality(student, case):
    """Equality is enough for a cut-off"""
    search = student.serve("alphabeta.alphabeta_search", case)
    expect_cutoffs(case, search, equal=True)


@number("2.7")
@weight(2)
@visibility("visible")
@limit(2)
def test_nothing_needless(student, case):
    """Moves in their order; nothing generated twice, or after a cut-off is due"""
    search = student.serve("alphabeta.alphabeta_search", case)
    expect_nothing_needless(case, search)


@number("2.8")
@weight(1)
@visibility("visible")
@limit(2)
def test_windows(student, case):
    """max_value and min_value called with a window: exact inside it, a true bound outside"""
    search = student.serve(case.function, case, case.player, case.alpha, case.beta)
    expect_true_bound(case, search)


@number("2.9")
@weight(2)
@visibility("visible")
@limit(50)
def test_positions_on_the_empty_board(student, case):
    """The empty tic-tac-toe board: its value, searched with no more than 18,297 positions"""
    search = student.serve("alphabeta.alphabeta_search", case)
    expect_few_positions(case, search, tic_tac_toe_values(student.cases, "X"))


@number("2.10")
@weight(1)
@visibility("visible")
@limit(4)
def test_self_play(student, case):
    """Alpha-beta against itself on tic-tac-toe: a draw"""
    expect_draw(student, "alphabeta.alphabeta_search", case)
