"""Question 6: a player of one's own."""

from gradescope_utils.autograder_utils.decorators import number, weight

from autograder.checks.ask.decorators import limit
from autograder.checks.play import matches, player
from autograder.checks.play.sequential_test import SequentialTest

# The limits are formal: `checks/play/player.py` limits the time of each move.


@number("6.1")
@weight(1)
@limit(60)
def test_rules(student, case):
    """Plays whole games by the rules, on boards of several sizes"""
    player.expect_rules(student, case)


# A floor. Assumed: games are independent. They begin after 6 random moves. Measured, 200 games: a
# search to depth 2 wins 99 %. 97 % fails with chance 5e-11, 92 % with 4e-8; a rate of 70 %, as of
# always the first column, passes with 0.07, so the cases are drawn such that this player fails. As
# few games as that, because each move may take a second.
FLOOR = SequentialTest(unsound=0.72, sound=0.97, pass_chance=0.1, max_games=40)


@number("6.2")
@weight(1)
@limit(60)
def test_random_player(student, case):
    """Beats a random player from random openings"""
    wins = player.play_games(student, case)
    public = case.index is not None  # a secret case would tell the opponent's seed
    matches.expect_rate(student, FLOOR, wins, "match/few-wins", reproducible=public)


# In the levels luck has no part. In each position a search that looks 4 or 7 plies ahead sees a
# win, or that all other moves lose, whatever its heuristic says. Those of 6.5 are such that the
# solution's player keeps them, with half its effort too, while searches to depth 1 and 2 go wrong:
# in one half with the solution's heuristic, in the other with its opposite.


@number("6.3")
@weight(2)
@limit(60)
def test_four_plies(student, case):
    """Level 1: keeps what is decided within 4 plies"""
    player.expect_level(student, case)


@number("6.4")
@weight(3)
@limit(60)
def test_seven_plies(student, case):
    """Level 2: keeps what is decided within 7 plies"""
    player.expect_level(student, case)


@number("6.5")
@weight(3)
@limit(60)
def test_deep(student, case):
    """Level 3: keeps most of what calls for a deeper look"""
    player.expect_level(student, case)
