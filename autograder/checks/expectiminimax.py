"""Expectiminimax: everything below a position counts, so everything is searched, and once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from autograder.checks.alphabeta import needless
from autograder.checks.finding import Failed, failure
from autograder.checks.replay import left_out
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
from autograder.diagram import show, state_name
from autograder.serving.cases import SearchCase
from starter.games import other

FUNCTION = "expectiminimax.expectiminimax"


def expect_true(case: SearchCase, search: Search) -> None:
    """Value and move are right, and come of a search of everything that is below."""
    expect_all_followed(search)
    expect_value(case, search, largest(case))
    expect_best_move(case, search)


def expect_no_earlier_value(student: Student, case: SearchCase) -> None:
    """The value does not depend on an earlier search, of another game or for the other player."""
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
    """How large the numbers are that a mean is made of: by them it may be rounded."""
    return max(1, *map(abs, case.values.values()), abs(case.value))


def expect_all_followed(search: Search) -> None:
    """Every move was made, every outcome of chance followed, the utility of every end asked for.

    A guess may be right, but is no search. An equal position may be searched once for all.
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
    """All was searched, each move of a tree made once and each utility asked for once."""
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
