"""Question 5: expectiminimax."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit, needs
from autograder.checks.search.positions import expect_no_earlier_values
from autograder.checks.search.search_findings import SKIPPED, WRONG_ANSWER, check

SEARCH, FUNCTION = "expectiminimax.expectiminimax_search", "expectiminimax.expectiminimax"


@number("5.1")
@weight(2)
def test_equal_chances(student, case):
    """Small trees: the mean of equally likely outcomes at chance nodes"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))


@number("5.2")
@weight(2)
@limit(8)
def test_other_chances(student, case):
    """Random trees: each outcome weighted with its probability, a float or a Fraction"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))


@number("5.3")
@weight(1)
def test_both_sides(student, case):
    """O to move at the root: the value is O's"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))


@number("5.4")
@weight(1)
def test_any_order_of_moves(student, case):
    """Chance at the root or after chance; players who move twice in a row"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))


@number("5.5")
@weight(2)
def test_each_kind_of_node(student, case):
    """expectiminimax called directly at each kind of node, with X or O as MAX"""
    check(student, case, FUNCTION, absent=("move-at-chance", *SKIPPED, *WRONG_ANSWER))
    expect_no_earlier_values(student, FUNCTION, [case], case.max_player)


@number("5.6")
@weight(1)
def test_nothing_twice(student, case):
    """Every outcome and every leaf is visited, and none twice"""
    check(student, case, SEARCH, absent=("generated/twice", "utility/twice", *SKIPPED))


@number("5.7")
@weight(1)
@limit(12)
@needs("5.1", "5.2")
def test_pig(student, case):
    """Pig, searched to its end"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))
