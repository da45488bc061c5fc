"""Check the answers of many searches on local games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.checks.answer import largest, wrong_move, wrong_value
from autograder.checks.finding import Failed, Hint, shown_by
from autograder.checks.plain_answers import Answer
from autograder.checks.student import Student
from autograder.checks.two_runs import expect_independent_searches
from autograder.serving.case import GameSpec
from autograder.serving.cases import PositionsCase, SearchCase
from starter.games import other

CHUNK = 500  # positions per request


def expect_all_positions(
    student: Student, function: str, case: PositionsCase, **options: Any
) -> None:
    """Check value and move on each of the case's positions, also after a search."""
    for start in range(0, len(case.positions), CHUNK):
        positions = case.positions[start : start + CHUNK]
        chunk = [
            SearchCase(game=case.game, earlier=case.earlier, state=state, value=value, best=best)
            for state, value, best in positions
        ]
        try:
            if case.earlier:
                expect_no_earlier_values(student, function, chunk, **options)
            answers = student.search(function, case.game, [one.state for one in chunk], **options)
            for i, (single, answer) in enumerate(zip(chunk, answers)):
                finding = wrong_value(single, answer) or wrong_move(single, answer)
                if finding is not None:
                    hints = [Hint("several-ways")]
                    if not all(case.make_game().actions(single.make_state())):
                        hints.append(Hint("zero-is-a-move"))
                    raise Failed(replace(finding.with_hints(*hints), call=i))
        except Failed as failed:
            if failed.finding.call is None:
                raise
            with shown_by(replace(case, index=None, positions=[positions[failed.finding.call]])):
                raise


def expect_no_earlier_values(
    student: Student, function: str, cases: Sequence[SearchCase], **options: Any
) -> None:
    """Check that a search of an earlier game does not affect the cases' answers."""

    def search(game: GameSpec) -> list[Answer]:
        return student.search(function, game, [case.state for case in cases], **options)

    expect_independent_searches(
        student,
        lambda: search(cases[0].earlier or cases[0].game),
        lambda: search(cases[0].game),
        cases,
        lambda i, answer: not (wrong_value(cases[i], answer) or wrong_move(cases[i], answer)),
    )


def expect_no_earlier_value(student: Student, function: str, case: SearchCase) -> None:
    """Check that no earlier search, of another game or player, affects the value of a mean."""
    player = case.max_player

    def search(game: GameSpec, player: str) -> list[Answer]:
        return student.search(function, game, [case.state], player)

    def right(_: int, answer: Answer) -> bool:
        return not (wrong_value(case, answer, largest(case)) or wrong_move(case, answer))

    expect_independent_searches(
        student,
        lambda: search(case.earlier, player) if case.earlier else search(case.game, other(player)),
        lambda: search(case.game, player),
        [case],
        right,
    )
