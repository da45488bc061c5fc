"""Compare two runs of a search that must be equal."""

from collections.abc import Callable, Sequence

from autograder.checks.ask.finding import make_failure
from autograder.checks.ask.plain_answers import Answer
from autograder.checks.ask.student import Student
from autograder.checks.ask.values import format_distinct, same
from autograder.diagram import describe_position
from autograder.serving.case import Case


def expect_independent_searches(
    student: Student,
    search_before: Callable[[], object],
    search: Callable[[], list[Answer]],
    cases: Sequence[Case],
    right: Callable[[int, Answer], bool] | None = None,
) -> None:
    """Check that a search answers as in a new process after earlier searches.

    search_before: searches equal states that have other values
    cases: the positions to search then
    right: whether the answer with that index is known to be right; only other answers need a new
           process

    A difference that does not repeat is due to randomness, which other tests judge.
    """

    def search_after() -> list[Answer]:
        search_before()
        return search()

    def in_new_process(ask: Callable[[], list[Answer]]) -> list[Answer]:
        student.end()  # the next request starts a new process
        return ask()

    def differ(i: int, one: Answer, other: Answer) -> bool:
        return right(i, other) and not right(i, one) if right else not same(one.value, other.value)

    after = search_after()
    if right and all(right(i, answer) for i, answer in enumerate(after)):
        return
    alone = in_new_process(search)
    different = [i for i, pair in enumerate(zip(after, alone)) if differ(i, *pair)]
    again = [in_new_process(ask) for ask in (search_after, search)] if different else []
    for i in different:
        pairs = [(found[i], new[i]) for found, new in zip((after, alone), again)]
        if all(same(one.value, two.value) and one.index == two.index for one, two in pairs):
            value, value_after = format_distinct(alone[i].value, after[i].value)
            raise make_failure(
                "earlier-search",
                {
                    "value": value,
                    "move": alone[i].move,
                    "value_after": value_after,
                    "move_after": after[i].move,
                },
                diagrams=[describe_position(cases[i].make_game(), cases[i].make_state())],
                call=i,
            )
