"""Question 3: cutoff and heuristic."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit, needs
from autograder.checks.play import matches
from autograder.checks.play.sequential_test import SequentialTest
from autograder.checks.search import cutoff_heuristic
from autograder.checks.search.search_findings import SKIPPED, WRONG_ANSWER, check

SEARCH = "cutoff.h_alphabeta_search"


@number("3.1")
@weight(2)
def test_depth(student, case):
    """The depth passed to cutoff at every node"""
    check(student, case, SEARCH, absent=("cutoff/*asked*", "cutoff/wrong-depth", *SKIPPED))


@number("3.2")
@weight(2)
def test_terminal_first(student, case):
    """cutoff and h are not called where the game is over"""
    check(student, case, SEARCH, absent=("cutoff/never-asked", "terminal/*", *SKIPPED))


@number("3.3")
@weight(2)
def test_frontier(student, case):
    """h is called exactly where cutoff says stop"""
    absent = ("cutoff/never-asked", "cutoff/went-on", "h/no-stop", "h/not-asked", *SKIPPED)
    check(student, case, SEARCH, absent=absent)


@number("3.4")
@weight(1)
def test_root_side(student, case):
    """h is called for the player to move at the root"""
    check(student, case, SEARCH, absent=("h/wrong-side", "h/never-asked", *SKIPPED))


@number("3.5")
@weight(2)
@limit(3)
def test_value_and_move(student, case):
    """Value and move with a given cutoff and h"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)


@number("3.6")
@weight(2)
@limit(3)
def test_pruning(student, case):
    """Prunes as alpha-beta does"""
    check(
        student, case, SEARCH, absent=("generated/*", "moves-reordered", "missed-cut/*", *SKIPPED)
    )


@number("3.7")
@weight(1)
def test_defaults(student, case):
    """Without arguments: cutoff_depth(6), and h = 0"""
    check(student, case, SEARCH, absent=(*SKIPPED, *WRONG_ANSWER))


@number("3.8")
@weight(1)
def test_heuristic_inside(student, case):
    """The heuristic lies strictly between a loss and a win"""
    cutoff_heuristic.expect_inside(student, case)


@number("3.9")
@weight(1)
def test_heuristic_antisymmetric(student, case):
    """What is good for X is as bad for O: h(s, X) = -h(s, O)"""
    cutoff_heuristic.expect_antisymmetric(student, case)


@number("3.10")
@weight(1)
@limit(12)
@needs("3.5")
def test_win_before_looks(student, case):
    """A forced win inside the horizon is found and kept, whatever the heuristic says"""
    cutoff_heuristic.expect_wins_found(student, case)


@number("3.11")
@weight(2)
def test_heuristic_prefers(student, case):
    """Prefers an open three to an open two, and the centre to the edge"""
    cutoff_heuristic.expect_preference(student, case)


# Assumed: games are independent, their rates those of the two sides. They begin after 12 random
# moves: from the empty board, always the first column wins 86 % and 76 %. Measured with a dozen
# quite different heuristics, 200 games a side: 97 % to 100 % won. One that wins 94 % fails with
# chance 4e-11, one that wins 92 % with 7e-8. These pass with a chance of (2000 games a side, the
# search 200): always the first column or the last (71 % and 69 %) 1e-4, the one nearest to the
# centre (72 % and 75 %) 1e-3, a search with the sign wrong (57 % and 70 %) 5e-6. Not stopped is
# h = 0 (92 % and 90 %): 3.13 does that.
AGAINST_RANDOM = SequentialTest(unsound=0.78, sound=0.92, pass_chance=0.01, max_games=300)


@number("3.12")
@weight(1)
@limit(10)
@needs("3.5")
def test_beats_random(student, case):
    """A shallow search with your heuristic beats a random player"""
    results = matches.play_random_player(student, case)
    wins = (result > 0 for result in results)
    matches.expect_rate(student, AGAINST_RANDOM, wins, "match/few-wins")


# Assumed: decided games are independent, because each draws its opening and side. Measured
# with the same heuristics, 120 games each: 95 % to 100 % of the decided games won; with the sign
# wrong 21 %, with none 50 %. One that wins 89 % fails with chance 2e-15, one that wins 80 % with
# 7e-8; none at all passes with chance 0.02, the sign wrong with 4e-6.
AGAINST_NO_HEURISTIC = SequentialTest(unsound=0.55, sound=0.8, pass_chance=0.05)


@number("3.13")
@weight(1)
@limit(12)
@needs("3.5")
def test_beats_no_heuristic(student, case):
    """A shallow search with your heuristic beats the same search with h = 0"""
    wins = cutoff_heuristic.play_without_h(student, case)
    matches.expect_rate(student, AGAINST_NO_HEURISTIC, wins, "match/no-better")


@number("3.14")
@weight(1)
@limit(8)
@needs("3.5")
def test_boards_reached_twice(student, case):
    """Value and move on boards that are reached in several ways"""
    check(student, case, SEARCH, absent=WRONG_ANSWER)
