"""Check that expectiminimax keeps no value from an earlier search."""

from __future__ import annotations

from autograder.checks.answer import largest, wrong_move, wrong_value
from autograder.checks.student import Answer, Student
from autograder.checks.two_runs import expect_independent_searches
from autograder.serving.cases import GameSpec, SearchCase
from starter.games import other

FUNCTION = "expectiminimax.expectiminimax"


def expect_no_earlier_value(student: Student, case: SearchCase) -> None:
    """Check that no earlier search, of another game or player, affects the value."""
    player = case.max_player

    def search(game: GameSpec, player: str) -> list[Answer]:
        return student.search(FUNCTION, game, [case.state], player)

    def right(_: int, answer: Answer) -> bool:
        return not (wrong_value(case, answer, largest(case)) or wrong_move(case, answer))

    expect_independent_searches(
        student,
        lambda: search(case.earlier, player) if case.earlier else search(case.game, other(player)),
        lambda: search(case.game, player),
        [case],
        right,
    )
