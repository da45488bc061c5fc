"""A failure that proves little is shown after the failure that it needs fixed."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from autograder.author.bank import read_entry
from autograder.author.grade_batch import SelectiveProgress
from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.decorators import read_needs
from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.search.search_findings import add_searched_twice
from autograder.feedback.messages import put_into_words
from autograder.feedback.report import format_message, format_row
from autograder.feedback.results import Outcome, Report, Result, sort_key
from autograder.grading.grade import grade
from autograder.grading.try_case import find_graded_test
from autograder.selftest.support.banks import BANKS
from autograder.serving.game_server import Position
from starter.games import GameTree

WRONG = read_entry(BANKS / "wrong" / "mcts_simulate_utility_of_its_start.txt")


def test_failure_is_shown_after_the_test_that_it_needs() -> None:
    chosen = SelectiveProgress({"4.3", "4.9"}, stop_at_first=False)
    report = grade(WRONG.submission, question="4", progress=chosen)
    first, later = report.results
    assert (first.after, later.after) == ("", "4.3")
    assert later.outcome is Outcome.FAILED
    assert later.points == 0
    assert "after 4.3" in format_row(later)
    assert all(len(line) <= 80 for line in format_row(later).splitlines())
    assert format_message(later).startswith("fix 4.3 first")
    assert report.to_look_at is first


def test_failing_need_that_was_not_chosen_is_run() -> None:
    """4.10 excuses a wrong rule that costs the points of 4.3, also if it is run alone."""
    wrong = read_entry(BANKS.parents[1] / "author/known_mistakes/mcts_simulate_sign_turned.txt")
    report = grade(wrong.submission, question="4.15")
    (result,) = report.results
    assert result.outcome is Outcome.PASSED, result.finding


def test_every_test_needs_earlier_tests_of_its_question() -> None:
    numbers = [test.number for test in read_graded_tests()]
    some = False
    for number in numbers:
        for needed in read_needs(find_graded_test(number)):
            some = True
            assert needed in numbers
            assert needed.split(".")[0] == number.split(".")[0]
            assert sort_key(needed) < sort_key(number)
    assert some


def failing(number: str, *hints: str, **more: object) -> Result:
    finding = Finding("wrong-value", hints=tuple(map(Hint, hints)))
    result = Result(number, "", 1, outcome=Outcome.FAILED, finding=finding)
    return replace(result, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("results", "shown"),
    [
        ([failing("2.1"), failing("2.3")], "2.1"),
        ([failing("2.1"), failing("2.3", "call-window")], "2.3"),
        ([failing("2.1", "call-end"), failing("2.3", diagnosis="a")], "2.3"),
        ([failing("2.1"), failing("2.3", diagnosis="a", in_this_test=True)], "2.1"),
        (
            [failing("2.1", "call-end")]
            + [failing(n, diagnosis="a", in_this_test=True) for n in ("2.3", "2.4")],
            "2.3",
        ),
        ([failing("2.1"), failing("3.1", diagnosis="a")], "2.1"),
        ([failing("2.1"), failing("2.2", after="2.1", diagnosis="a")], "2.1"),
    ],
)
def test_cause_is_shown_before_its_consequences(results: list[Result], shown: str) -> None:
    found = Report(results=results).to_look_at
    assert found is not None
    assert found.number == shown


def test_endless_search_that_searches_children_again_is_named() -> None:
    root = GameTree([[1, 2]], "X").initial
    child = GameTree([[1, 2]], "X").result(root, "a")
    again = Position(child, 0, "a", 1)
    server = Mock(positions=[Position(root, None, None, 0), again, again])
    server.state.return_value = child
    slow = Finding("too-slow", {"function": "minimax_search", "seconds": 2})
    named = add_searched_twice(slow, server)
    assert named.code == "too-slow/searched-twice"
    assert put_into_words(named).message.endswith("it generated a again and again")
    server.positions.pop()
    assert add_searched_twice(slow, server) is slow
