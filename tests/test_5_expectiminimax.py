"""Question 5: expectiminimax."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.clock import limit
from autograder.judge import expectiminimax

SEARCH = "expectiminimax.expectiminimax_search"


@number("5.1")
@weight(2)
def test_equal_chances(student, case):
    """Small trees: where chance moves, the mean of outcomes that are all as likely"""
    expectiminimax.expect_true(case, student.serve(SEARCH, case))


@number("5.2")
@weight(2)
@limit(8)
def test_other_chances(student, case):
    """Random trees: each outcome weighted with its probability, a float or a fraction"""
    expectiminimax.expect_true(case, student.serve(SEARCH, case))


@number("5.3")
@weight(1)
def test_both_sides(student, case):
    """O to move at the root: the value is seen from O's side"""
    expectiminimax.expect_true(case, student.serve(SEARCH, case))


@number("5.4")
@weight(1)
def test_any_order_of_moves(student, case):
    """Chance at the root or after chance, and players who move twice in a row"""
    expectiminimax.expect_true(case, student.serve(SEARCH, case))


@number("5.5")
@weight(2)
def test_each_kind_of_node(student, case):
    """expectiminimax alone at each kind of node, seen from MAX's side, be that X or O"""
    search = student.serve(expectiminimax.FUNCTION, case, case.player)
    expectiminimax.expect_true(case, search)
    expectiminimax.expect_each_side(student, case)


@number("5.6")
@weight(1)
def test_nothing_twice(student, case):
    """Every outcome and every end is looked at, and none of them twice"""
    expectiminimax.expect_nothing_twice(student.serve(SEARCH, case))


@number("5.7")
@weight(1)
@limit(12)
def test_pig(student, case):
    """Pig, searched to its end"""
    expectiminimax.expect_true(case, student.serve(SEARCH, case))
