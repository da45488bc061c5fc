"""Check expectiminimax: every node counts, so each is searched, and only once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from autograder.checks.alphabeta import needless
from autograder.checks.finding import Failed, failure
from autograder.checks.search_diagram import marking, searched_tree
from autograder.checks.student import Answer, Search, Student
from autograder.checks.values import (
    expect_best_move,
    expect_independent_searches,
    expect_some_search,
    expect_value,
    is_right,
    utility_not_asked,
)
from autograder.checks.whole_search import left_out
from autograder.diagram import show, state_name
from autograder.serving.cases import SearchCase
from starter.games import other

FUNCTION = "expectiminimax.expectiminimax"


def expect_true(case: SearchCase, search: Search) -> None:
    """Check value and move, and that they result from a search of the whole tree."""
    expect_all_followed(search)
    expect_value(case, search, largest(case))
    expect_best_move(case, search)


def expect_no_earlier_value(student: Student, case: SearchCase) -> None:
    """Check that no earlier search, of another game or player, affects the value."""
    player = case.max_player

    def search(game: list[Any], player: str) -> list[Answer]:
        return student.search(FUNCTION, game, [case.state], player)

    expect_independent_searches(
        student,
        lambda: search(case.earlier, player) if case.earlier else search(case.game, other(player)),
        lambda: search(case.game, player),
        [case],
        lambda _, answer: is_right(case, answer, largest(case)),
    )


def largest(case: SearchCase) -> float:
    """Return the largest number that a mean is made of; it bounds the rounding."""
    return max(1, *map(abs, case.values.values()), abs(case.value))


def expect_all_followed(search: Search) -> None:
    """Check that all moves and outcomes were searched, and all utilities asked for.

    A lucky guess is not a search. Equal positions may share one search.
    """
    expect_some_search(search)
    served = search.served
    for state, missing in left_out(served):
        kind = "outcome" if state.to_move == "chance" else "move"
        if not missing:
            number = [p.state for p in served.positions].index(state)
            raise Failed(utility_not_asked(served, number))
        every = served.game.actions(state)
        raise failure(
            f"left-out/{kind}",
            {
                "node": state_name(state),
                "every": ", ".join(map(show, every)),
                "missing": ", ".join(map(show, missing)),
            },
            diagrams=[searched_tree(served, decorate=marking(state, "not all followed"))],
        )


def expect_nothing_twice(search: Search) -> None:
    """Check that each move of the tree was made, and each utility asked for, once."""
    expect_all_followed(search)
    served = search.served
    first: dict[str, int] = {}
    again = [
        number
        for number, position in enumerate(served.positions)
        if first.setdefault(position.state.key, number) != number
    ]
    if again:
        raise needless("generated/twice", served, again, "generated twice")
    asked = Counter(event.number for event in served.events if event.kind == "utility")
    twice = [number for number, times in asked.items() if times > 1]
    if twice:
        raise needless("utility/twice", served, twice, "asked for its utility twice")
