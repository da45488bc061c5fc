"""Check the answers of many searches on local games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from autograder.checks.ask.finding import Failed, Hint, attach_case
from autograder.checks.ask.plain_answers import Answer
from autograder.checks.ask.student import Student
from autograder.checks.ask.two_runs import expect_independent_searches
from autograder.checks.search.answer import find_largest_term, find_wrong_move, find_wrong_value
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
                finding = find_wrong_value(single, answer) or find_wrong_move(single, answer)
                if finding is not None:
                    hints = [Hint("several-ways")]
                    if not all(case.make_game().actions(single.make_state())):
                        hints.append(Hint("zero-is-a-move"))
                    raise Failed(replace(finding.with_hints(*hints), call=i))
        except Failed as failed:
            if failed.finding.call is None:
                raise
            with attach_case(replace(case, index=None, positions=[positions[failed.finding.call]])):
                raise


def expect_no_earlier_values(
    student: Student, function: str, cases: Sequence[SearchCase], *args: Any, **options: Any
) -> None:
    """Check that earlier searches, of another game or player, affect no answer.

    args: the player that the function is called with, if it takes one
    """
    case, states = cases[0], [case.state for case in cases]
    earlier = case.earlier or case.game
    args_before = args if case.earlier else tuple(map(other, args))

    def right(i: int, answer: Answer) -> bool:
        wrong = find_wrong_value(cases[i], answer, find_largest_term(cases[i])) or find_wrong_move(
            cases[i], answer
        )
        return wrong is None

    expect_independent_searches(
        student,
        lambda: student.search(function, earlier, states, *args_before, **options),
        lambda: student.search(function, case.game, states, *args, **options),
        cases,
        right,
    )
