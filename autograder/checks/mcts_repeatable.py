"""The same rng gives the same search, whatever was searched before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from autograder.checks.finding import Failed, Hint, failure
from autograder.checks.implied_tree import too_few_playouts
from autograder.checks.mcts_queries import SEARCH, phase, simulate
from autograder.checks.student import Answer, Search, Student
from autograder.checks.values import expect_independent_searches
from autograder.diagram import is_tree
from autograder.serving.cases import PhaseCase, PlayoutsCase


def expect_repeatable(student: Student, case: PlayoutsCase) -> None:
    """The same rng gives the same search: again, in another process, and after other searches."""
    expect_new_tree(student, case)
    if not is_tree(case.make_state()):  # the text of a served tree's node tells which tree it is of
        expect_same_playouts(student, case)
    expect_same_answers(student, case)


def with_seed(case: PlayoutsCase, more: int = 0) -> dict[str, Any]:
    return {"playouts": case.playouts, "rng": {"rng": case.seed + more}}


def expect_same_playouts(student: Student, case: PlayoutsCase) -> None:
    """Two searches with equal rng ask for the same positions and give the same answer.

    With another rng the playouts differ: that 40 games from the empty board are the same by chance,
    move by move, is out of the question.
    """

    def search(more: int = 0) -> Search:
        return student.serve(SEARCH, case, **with_seed(case, more))

    first = search()
    if len(first.served.positions) < case.playouts:
        raise Failed(too_few_playouts(0, case.playouts))
    expect_same(student, case, first, search)
    if search(1).served.same_as(first.served):
        raise failure("seed-ignored", {"playouts": case.playouts})


def expect_same_answers(student: Student, case: PlayoutsCase) -> None:
    """Likewise on a game of the worker's own, and in a new process, where sets are in another
    order."""

    def search() -> Answer:
        return student.search(SEARCH, case.game, [None], **with_seed(case))[0]

    first = search()
    expect_same(student, case, first, search)
    student.end()  # the next question starts a new process
    first_again = search()
    if not alike(first, first_again):
        raise not_repeatable(first, first_again, [Hint("two-processes")])


def expect_same(
    student: Student, case: PlayoutsCase, first: Answer, search: Callable[[], Answer]
) -> None:
    second = search()
    if not alike(first, second):
        raise not_repeatable(first, second, chance_in_phases(student, case))


def expect_new_tree(student: Student, case: PlayoutsCase) -> None:
    """A search depends neither on one with another rng nor on that of a position above it."""
    game = case.make_game()
    line = [case.make_state()]
    for _ in range(2):
        moves = game.actions(line[-1])
        line.append(game.result(line[-1], moves[len(moves) // 2]))
    root, *below = (state.key for state in line)

    def search(*keys: str, more: int = 0) -> list[Answer]:
        options = {**with_seed(case, more), "playouts": 5 * case.playouts}
        return student.search(SEARCH, case.game, keys, **options)

    for key in below:
        expect_independent_searches(
            student,
            partial(search, key, root, more=1),
            partial(search, key),
            [replace(case, state=key)],
        )


def not_repeatable(first: Answer, second: Answer, hints: list[Hint]) -> Failed:
    facts = {
        "value": first.value,
        "move": first.move,
        "value_again": second.value,
        "move_again": second.move,
    }
    return failure("not-repeatable", facts, hints)


def alike(first: Answer, second: Answer) -> bool:
    """Do two searches give the same answer, and ask for the same, as far as that is known?"""
    if isinstance(first, Search) and isinstance(second, Search):
        asked = first.served.same_as(second.served)
    else:
        asked = True
    return asked and (first.value, first.index) == (second.value, second.index)


# --- hints ----------------------------------------------------------------------------------------


def chance_in_phases(student: Student, case: PlayoutsCase) -> list[Hint]:
    """Say which function alone does not always do the same, if there is such a one."""
    root, times = PhaseCase(game=case.game, state=case.state, nodes=[([], 0, 0)]), 8
    try:
        returned = {phase(student, "mcts.expand", root)[1] for _ in range(times)}
        if len(returned) > 1:
            facts = {"times": times, "children": len(returned)}
            return [Hint("expand-by-chance", facts)]
        (_, first), (_, second) = (simulate(student, case, case.seed) for _ in range(2))
        if not first.same_as(second):
            return [Hint("simulate-differs")]
    except Failed:  # a submission with a loop of its own may do without these
        pass
    return []
