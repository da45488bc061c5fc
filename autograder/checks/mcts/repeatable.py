"""Check that the same rng gives the same search, also after other searches."""

from dataclasses import replace
from functools import partial
from typing import Any

from autograder.checks.ask.finding import Failed, make_failure
from autograder.checks.ask.plain_answers import Answer, Search
from autograder.checks.ask.student import Student, expect_independent_searches
from autograder.checks.ask.values import format_distinct
from autograder.checks.mcts.implied_tree import report_too_few_playouts
from autograder.checks.mcts.queries import SEARCH
from autograder.diagram import is_tree
from autograder.serving.cases import PlayoutsCase


def expect_repeatable(student: Student, case: PlayoutsCase) -> None:
    """Check that a search can be repeated, also in another process and after others."""
    expect_new_tree(student, case)
    if not is_tree(case.make_state()):  # a served tree's nodes name their tree
        expect_same_playouts(student, case)

    def search() -> Answer:
        return student.search(SEARCH, case.game, [None], **seed_options(case))[0]

    first = search()
    expect_same(first, search())
    student.session.restart()
    expect_same(first, search())


def seed_options(case: PlayoutsCase) -> dict[str, Any]:
    """Return the options of a search, in which `select` and `expand` may draw, too.

    They receive no rng, so they may draw from a module's generator, which begins afresh.
    """
    return {"playouts": case.playouts, "rng": {"only rng": case.seed}}


def run_seeded_search(student: Student, case: PlayoutsCase) -> Search:
    """Let the search do the case's playouts on a served game."""
    return student.serve(SEARCH, case, C=case.C, **seed_options(case))


def expect_same_playouts(student: Student, case: PlayoutsCase) -> None:
    """Check that two searches with equal rng have the same record and answer.

    With another rng the playouts must differ: 40 games from the empty board can't be equal by
    chance.
    """
    first = run_seeded_search(student, case)
    if len(first.server.nodes) < case.playouts:
        raise Failed(report_too_few_playouts(0, case.playouts))
    expect_same(first, run_seeded_search(student, case))
    other = run_seeded_search(student, replace(case, seed=case.seed + 1))
    if other.server.summary() == first.server.summary():
        raise make_failure("seed-ignored", {"playouts": case.playouts})


def expect_new_tree(student: Student, case: PlayoutsCase) -> None:
    """Check that earlier searches, with another rng or from above, have no effect."""
    game = case.make_game()
    line = [case.make_state()]
    for _ in range(2):
        moves = game.actions(line[-1])
        line.append(game.result(line[-1], moves[len(moves) // 2]))
    root, *below = (state.key for state in line)

    def search(*keys: str, more: int = 0) -> list[Answer]:
        options = seed_options(replace(case, seed=case.seed + more, playouts=5 * case.playouts))
        return student.search(SEARCH, case.game, keys, **options)

    for key in below:
        expect_independent_searches(
            student,
            partial(search, key, root, more=1),
            partial(search, key),
            [replace(case, state=key)],
        )


def expect_same(first: Answer, second: Answer) -> None:
    """Check that two searches have the same answer, and the same record, if any."""
    answers = [(run.value, run.index) for run in (first, second)]
    records = [run.server.summary() for run in (first, second) if isinstance(run, Search)]
    if answers[0] != answers[1] or records[:1] != records[1:]:
        value, value_again = format_distinct(first.value, second.value)
        facts = {"value": value, "move": first.move}
        facts |= {"value_again": value_again, "move_again": second.move}
        raise make_failure("not-repeatable", facts)
