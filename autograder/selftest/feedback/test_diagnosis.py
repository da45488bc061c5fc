"""A known mistake is named where a submission fails as that mistake does."""

import pytest

from autograder.feedback.diagnosis import Marks, make_mark, name_mistakes
from autograder.feedback.results import Outcome, Result

SAYS = ["you never pruned", "you do something else", "you do a third thing"]
ONE = "This is what you would get if you never pruned."
ONE_HERE = "In this test, this is what you would get if you never pruned."
TWO = "This is what you would get if you never pruned, or if you do something else."
MARK = make_mark(["as observed"])


@pytest.mark.parametrize(
    ("known", "named"),
    [
        ({}, ["", ""]),
        ({"2.3": {MARK: [0]}, "2.4": {MARK: [0]}}, [ONE, ONE]),
        ({"2.3": {MARK: [0, 1]}, "2.4": {MARK: [0, 1]}}, [TWO, TWO]),
        ({"2.3": {MARK: [0, 1, 2]}, "2.4": {MARK: [0, 1, 2]}}, ["", ""]),
        ({"2.3": {MARK: [0]}}, [ONE_HERE, ""]),  # the other failure is unexplained
        ({"2.3": {MARK: [0, 1]}, "2.4": {MARK: [0], "other": [1]}}, [ONE, ONE]),
        ({"2.3": {MARK: [0]}, "2.1": {"other": [0]}}, ["", ""]),  # this mistake would fail 2.1
        ({"2.3": {"other": [0]}}, ["", ""]),
    ],
)
def test_mistakes_that_agree_with_all_tests_are_named(known: Marks, named: list[str]) -> None:
    results = [
        Result(number, "a label", 1, outcome=outcome, traces=["as observed"])
        for number, outcome in (
            ("2.1", Outcome.PASSED),
            ("2.3", Outcome.FAILED),
            ("2.4", Outcome.FAILED),
        )
    ]
    name_mistakes(results, {result.number: {} for result in results} | known, SAYS)
    assert [result.named_mistake for result in results] == ["", *named]
