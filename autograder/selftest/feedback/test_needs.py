"""Causes are shown before consequences, known mistakes named, and findings have codes."""

import re
from dataclasses import replace
from unittest.mock import Mock

import pytest

from autograder.author.bank import read_entry
from autograder.author.grade_batch import SelectiveProgress
from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.decorators import read_needs
from autograder.checks.ask.finding import Finding, Hint, lookup_keys, name_exception
from autograder.checks.search.search_findings import add_searched_twice
from autograder.feedback.diagnosis import Marks, make_mark, name_mistakes
from autograder.feedback.messages import put_into_words, read_table
from autograder.feedback.page import make_page
from autograder.feedback.report import format_message, format_row
from autograder.feedback.results import Outcome, Report, Result, sort_key
from autograder.grading.grade import grade
from autograder.questions import ROOT
from autograder.selftest.support.banks import BANKS
from autograder.selftest.support.golden import read_expectations, read_wordings
from autograder.serving.game_server import GameNode
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
    page = make_page(report)
    assert '<td class="o">after 4.3</td>' in page and "fix 4.3 first" in page
    assert "as asked for</strong>" not in page  # the finding of 4.9


@pytest.mark.slow
def test_failing_need_that_was_not_chosen_is_run() -> None:
    """4.15 excuses a wrong rule that costs the points of 4.3, also if it is run alone."""
    wrong = read_entry(BANKS.parents[1] / "author/known_mistakes/mcts_simulate_sign_turned.txt")
    report = grade(wrong.submission, question="4.15")
    (result,) = report.results
    assert result.outcome is Outcome.PASSED, result.finding


def test_every_test_needs_earlier_tests_of_its_question() -> None:
    tests = {test.number: test for test in read_graded_tests()}
    pairs = [(needed, it.number) for it in tests.values() for needed in read_needs(it.function)]
    assert pairs
    for needed, number in pairs:
        assert needed in tests and needed.split(".")[0] == number.split(".")[0]
        assert sort_key(needed) < sort_key(number)


def failing(number: str, *hints: str, code: str = "wrong-value", **more: object) -> Result:
    finding = Finding(code, hints=tuple(map(Hint, hints)))
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
        ([failing("4.4", code="simulate/not-uniform"), failing("4.9", code="seed-ignored")], "4.9"),
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
    again = GameNode(child, 0, "a", 1)
    server = Mock(nodes=[GameNode(root, None, None, 0), again, again])
    server.state.return_value = child
    facts = {"function": "minimax_search", "seconds": 2, "reason": "it asked for too much"}
    slow = Finding("too-slow", facts)
    endless = Finding("no-answer/too-many-positions", facts)
    for finding, code in (
        (slow, "too-slow/searched-twice"),
        (endless, "no-answer/searched-twice"),
        (replace(endless, code="no-answer/too-many-requests"), "no-answer/searched-twice"),
    ):
        named = add_searched_twice(finding, server)
        assert named.code == code
        assert put_into_words(named).message.endswith("it generated a again and again")
    ended = replace(endless, code="no-answer/ended")
    assert add_searched_twice(ended, server) is ended
    server.nodes.pop()
    assert add_searched_twice(slow, server) is slow


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


def test_failure_after_another_has_no_say_in_the_mistake() -> None:
    first, later = (
        Result(number, "a label", 1, outcome=Outcome.FAILED, after=after, traces=[trace])
        for number, after, trace in (("4.1", "", "as observed"), ("4.8", "4.1", "anything"))
    )
    name_mistakes([first, later], {"4.1": {MARK: [0]}, "4.8": {"other": [0]}}, SAYS)
    assert [first.named_mistake, later.named_mistake] == [ONE, ""]


CODE = re.compile(r"[a-z]+(-[a-z]+)*(/[A-Za-z]+(-[a-z]+)*){0,2}")
CODES = {example.code for example in read_wordings()}
CODES |= {code for row in read_expectations().values() for code in row.codes.values()}
# Sections of the messages that no entry of the bank shows, but separate tests do.
NOT_IN_THE_BANK = {
    "player/no-move",
    "expand/terminal",
    "no-file",
    "not-judged",
    "not-loaded/not-python",
    "search-tree/wrong-node",
    "too-slow/loading",
    "too-slow/searched-twice",
    "too-slow/one-call",
    "too-much-to-judge",
    "tree/too-deep",
}


def test_every_message_is_shown_by_an_entry() -> None:
    sections = set(read_table().sections()) - {"hints", "reasons", "see"}
    shown = {place for code in CODES for place in lookup_keys(code)}
    assert sections - shown == NOT_IN_THE_BANK, (
        "write an entry that shows it, then make matrix UPDATE=1 ENTRY=its_name"
    )


def test_every_hint_is_named_in_the_code_or_shown_by_an_entry() -> None:
    code = "".join(it.read_text("utf-8") for it in (ROOT / "autograder").glob("[cg]*/**/*.py"))
    names = {name for name in read_table()["hints"] if f'"{name}"' not in code}
    rows = read_expectations().values()
    assert names == {name for row in rows for it in row.hints.values() for name in it} & names


def test_strange_exception_makes_no_strange_code() -> None:
    assert name_exception("ValueError") == "ValueError"
    for kind in ("", "a b", "<script>", "x" * 500, "Fehler\u202e"):
        assert CODE.fullmatch(f"raised/{name_exception(kind)}")
