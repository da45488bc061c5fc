"""The same rng gives the same search, whatever was searched before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.cases import PhaseCase, PlayoutsCase
from autograder.draw import is_tree, position, show
from autograder.judge.implied_tree import too_few_playouts
from autograder.judge.mcts_queries import SEARCH, phase, simulate
from autograder.student import Answer, Search, Student
from autograder.wrong import Wrong

FROM_RNG = (
    "only simulate chooses by chance, and with its rng: rng.choice(...), not random.choice(...)"
)


def expect_repeatable(student: Student, case: PlayoutsCase) -> None:
    """The same rng gives the same search: again, in another process, and after other searches."""
    on_board = not is_tree(case.make_state())
    if on_board:  # the text of a served tree's node tells which tree it is of
        expect_same_playouts(student, case)
    expect_same_answers(student, case)
    if on_board:
        expect_new_tree(student, case)


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
        raise too_few_playouts(0, f"{case.playouts} playouts, each with moves of its own")
    expect_same(student, case, first, search)
    if search(1).served.same_as(first.served):
        raise Wrong(
            "seed-ignored",
            "two searches, each with a random.Random of another seed, were the same",
            expected=FROM_RNG,
            got=f"the same {case.playouts} playouts, move by move",
        )


def expect_same_answers(student: Student, case: PlayoutsCase) -> None:
    """Likewise on a game of the worker's own, whose equal states are equal: a cache shows.

    Then the search gets another seed, here and in a new process. Where only the new process does
    not give the answer of the first seed, that answer came from a cache. At last the new process
    gets the first seed: there sets are in another order.
    """

    def search(more: int = 0) -> Answer:
        return student.search(SEARCH, case.game, [None], **with_seed(case, more))[0]

    first = search()
    expect_same(student, case, first, search)
    other = search(1)
    student.end()  # the next question starts a new process
    other_again = search(1)
    if alike(first, other) and not alike(other, other_again):
        hint = "the first one gave the answer of the search before it, which had another rng"
        raise not_repeatable(other, other_again, [hint])
    first_again = search()
    if not alike(first, first_again):
        hint = "they ran in two processes: the order of a set may differ between these"
        raise not_repeatable(first, first_again, [hint])


def expect_same(
    student: Student, case: PlayoutsCase, first: Answer, search: Callable[[], Answer]
) -> None:
    second = search()
    if not alike(first, second):
        hints = chance_in_phases(student, case) or first_of_its_process(student, search, first)
        raise not_repeatable(first, second, hints)


def expect_new_tree(student: Student, case: PlayoutsCase) -> None:
    """A position's search is the same before that of the position above it and after."""
    game = case.make_game()
    line = [case.make_state()]
    for _ in range(2):
        moves = game.actions(line[-1])
        line.append(game.result(line[-1], moves[len(moves) // 2]))
    root, child, grandchild = (state.key for state in line)
    student.end()  # the next question starts a new process
    order = [grandchild, child, root, child, root, grandchild]
    options = {**with_seed(case), "playouts": 10 * case.playouts}
    answers = student.search(SEARCH, case.game, order, **options)
    for before, after, state in ((1, 3, line[1]), (0, 5, line[2])):
        first, second = answers[before], answers[after]
        if not alike(first, second):
            hint = "in between, the position before it was searched: begin with a new Node(state)"
            wrong = not_repeatable(first, second, [hint])
            wrong.pictures = [position(game, state)]
            raise wrong


def not_repeatable(first: Answer, second: Answer, hints: list[str]) -> Wrong:
    return Wrong(
        "not-repeatable",
        "two searches, each with a new random.Random of the same seed, were not the same",
        expected=f"{FROM_RNG}; each search begins afresh",
        got=f"value {show(first.value)} and move {show(first.move)}, "
        f"then value {show(second.value)} and move {show(second.move)}",
        where=hints,
    )


def alike(first: Answer, second: Answer) -> bool:
    """Do two searches give the same answer, and ask for the same, as far as that is known?"""
    if isinstance(first, Search) and isinstance(second, Search):
        asked = first.served.same_as(second.served)
    else:
        asked = True
    return asked and (first.value, first.index) == (second.value, second.index)


# --- hints ----------------------------------------------------------------------------------------


def first_of_its_process(
    student: Student, search: Callable[[], Answer], first: Answer
) -> list[str]:
    """Say if the first search in a new process is always the same."""
    student.end()  # the next question starts a new process
    try:
        again = search()
    except Wrong:
        return []
    if not alike(first, again):
        return []
    return [
        "the first search in a process is the same each time, the second is not: look for a "
        "variable outside the functions, or a default argument, that the first one changes"
    ]


def chance_in_phases(student: Student, case: PlayoutsCase) -> list[str]:
    """Say which function alone does not always do the same, if there is such a one."""
    root, times = PhaseCase(game=case.game, state=case.state, nodes=[([], 0, 0)]), 8
    try:
        returned = {phase(student, "mcts.expand", root)[1] for _ in range(times)}
        if len(returned) > 1:
            return [
                f"expand alone, called {times} times with a new root, returned {len(returned)} "
                "different children: it has no rng, so it may not choose by chance"
            ]
        (_, first), (_, second) = (simulate(student, case, case.seed) for _ in range(2))
        if not first.same_as(second):
            return ["simulate alone, called twice with equal rng, played two different games"]
    except Wrong:  # a submission with a loop of its own may do without these
        pass
    return []
