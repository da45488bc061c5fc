"""What all failing cases have in common is said only if it parts them from those that pass."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from autograder.author.cases.otherwise import otherwise
from autograder.author.cases.trees import judged
from autograder.cases import SearchCase
from autograder.judge.pattern import Judged, pattern
from autograder.student import Answer
from autograder.wrong import Wrong


def one(tree: Any, to_move: str, value: float | None = None, node: str = "") -> Judged:
    """A case, passed; or failed, with another value or with the fault at such a node."""
    case = judged(["GameTree", tree, to_move])
    case = replace(case, otherwise=otherwise(case))
    answer = Answer(case.value if value is None else value, None, case.best[0])
    failed = value is not None or bool(node)
    return Judged(case, answer, Wrong("code", "x", node=node) if failed else None)


def some(tree: Any, sides: str, value: float | None = None) -> list[Judged]:
    return [one(tree, side, value) for side in sides]


def test_nothing_is_said_where_no_case_fails() -> None:
    assert pattern([]) == pattern(some([2, 3], "XX")) == ""


def test_one_case_has_nothing_in_common() -> None:
    assert pattern(some([2, 3], "X", 17)) == ""
    assert pattern([*some([2, 3], "X", 17), *some([2, 3], "XX")]) == "1 of 3 cases fails"


def test_the_side_is_said_where_it_parts_failing_from_passing_cases() -> None:
    told = pattern([*some([2, 3], "OOOO", 17), *some([2, 3], "XXXX")])
    assert told == "4 of 8 cases fail; in all of them O is to move"


@pytest.mark.parametrize(
    "passing",
    ["XXXX", "", "O"],
    ids=["all have it", "none passes", "few others"],
)
def test_what_all_cases_share_or_few_do_by_chance_is_not_said(passing: str) -> None:
    told = pattern([*some([2, 3], "XX", 17), *some([2, 3], passing)])
    assert "to move" not in told
    assert "in all of them" not in told


def test_a_negative_value_due_parts_where_v_begins_at_0() -> None:
    failing = [one([-2, -3], "X", 0), one([-7, -4], "X", 0), one([-7, -4, -9], "X", 0)]
    passing = some([2, 3], "X" * 6)
    told = pattern([*failing, *passing])
    assert told == "3 of 9 cases fail; in all of them the value is 0 and a negative value is due"


def test_where_some_cases_give_no_answer_the_others_are_compared() -> None:
    raised = Judged(judged(["GameTree", [2, 3], "X"]), None, Wrong("raised/TypeError", "x"))
    failing = [one([-2, -3], "X", 0), one([-7, -4], "X", 0), one([-7, -4, -9], "X", 0)]
    told = pattern([raised, *failing, *some([2, 3], "X" * 6)])
    assert told == "4 of 10 cases fail; in all that give an answer the value is 0"


TREE = [[5, 1], [2, 7], [4, 3]]


def test_a_rule_that_explains_all_values_is_named() -> None:
    most = max(max(row) for row in TREE)
    told = pattern([*some(TREE, "X", most), *some([[5, 1], [2, 8]], "X", 8), *some([1], "X")])
    assert "in all of them the value is what comes of the largest at every node" in told


def test_utilities_from_xs_side_are_told_from_a_turned_sign() -> None:
    def from_x(tree: list[list[float]]) -> float:
        return max(min(row) for row in tree)

    trees: list[list[list[float]]] = [[[5, 1], [2, 7]], [[9, 4], [6, 3]]]
    told = pattern([one(tree, "O", from_x(tree)) for tree in trees])
    assert "ends seen from X's side" in told


def test_the_kind_of_node_is_said_of_enough_cases_only() -> None:
    assert "a MIN node" not in pattern([one(TREE, "X", node="min")] * 3)
    assert "a MIN node is the first to go wrong" in pattern([one(TREE, "X", node="min")] * 4)
    assert "node is the first" not in pattern(
        [one(TREE, "X", node=node) for node in ("min", "max", "min", "max")]
    )


def test_a_move_is_said_of_enough_cases_only() -> None:
    def last(tree: list[float]) -> Judged:
        case = judged(["GameTree", tree, "X"])
        return Judged(case, Answer(case.value, None, len(tree) - 1), Wrong("wrong-move", "x"))

    assert isinstance(last([3, 2]).case, SearchCase)
    assert "last one tried" not in pattern([last([3, 2])] * 3)
    assert "the move is the last one tried" in pattern([last([3, 2])] * 4)


def test_that_one_side_moves_twice_is_said_first() -> None:
    twice, once = {"X": [{"X": [1, 2]}, 3]}, {"X": [{"O": [1, 2]}, 3]}

    def of(tree: dict[str, Any], value: float | None) -> Judged:
        case = judged(["ChanceTree", tree])
        answer = Answer(case.value if value is None else value, None, case.best[0])
        return Judged(case, answer, Wrong("code", "x") if value is not None else None)

    told = pattern([*[of(twice, 17)] * 3, *[of(once, None)] * 5])
    assert told == "3 of 8 cases fail; in all of them the same side moves twice in a row"
