"""The quiz in the terminal, and how answers are read."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from autograder.diagram import Node, Tree
from autograder.errors import UsageError
from autograder.questions import ROOT
from autograder.quiz import terminal
from autograder.quiz.item import Item
from autograder.quiz.kinds import NEEDED_TESTS, make_items
from autograder.quiz.subject import Subject
from autograder.submission import read_submission

FAMILY = [Node("a"), Node("b")]
TREE = Tree(Node("root", children=[*(Node(name, children=FAMILY) for name in "abc"), Node("d")]))


def run_quiz(folder: str, question: str | None, seed: str, *answers: str) -> None:
    with patch("builtins.input", side_effect=[*answers, EOFError]):
        assert terminal.run_quiz(ROOT / folder, question, seed) == 0


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Subject]:
    """Believe that all files pass the tests that items need; yield the solution."""
    passes = dict.fromkeys(NEEDED_TESTS, True)
    monkeypatch.setattr(terminal, "make_subject", lambda files: Subject(files, passes))
    with Subject(read_submission(ROOT / "solution"), passes) as subject:
        yield subject


def test_right_answers_are_right(trusted: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    items = make_items(trusted, "7/0", terminal.COUNT)
    run_quiz("solution", None, "7", *(item.write(item.answer) for item in items), "q")
    shown = capsys.readouterr().out
    assert "5 of 5 right" in shown
    assert all(len(line) <= 80 for line in shown.splitlines() if not line.startswith("     "))
    assert all(item.why.split()[0] in shown for item in items)


def test_known_mistake_is_named(trusted: Subject, capsys: pytest.CaptureFixture[str]) -> None:
    first = make_items(trusted, "8/0", terminal.COUNT, "minimax")[0]
    wrong, words = next((text, words) for text, words in first.wrong.items() if words)
    run_quiz("solution", "1", "8", "what?", first.write(wrong))
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Not so: {first.answer}. That would be right if {words}." in shown


def test_stubs_get_general_questions(capsys: pytest.CaptureFixture[str]) -> None:
    run_quiz("starter", None, "1", "A", "B", "C", "q")
    assert "your files pass too little for questions about them" in capsys.readouterr().out


def test_quiz_about_an_unwritten_file_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    run_quiz("starter", "3", "1")
    shown = " ".join(capsys.readouterr().out.split())
    assert "write h_alphabeta_search, connect_four_heuristic in cutoff.py first, then: " in shown


@pytest.mark.parametrize("question", ["6", "9", "2.3", "minimax.py"])
def test_question_without_quiz_is_refused(question: str) -> None:
    with pytest.raises(UsageError, match=r"there is no quiz about .*: choose one of 1, 2, 3, 4"):
        terminal.run_quiz(ROOT / "starter", question)


@pytest.mark.parametrize(
    ("form", "typed", "found"),  # the answer that is read, or what to type
    [
        ("number", " 3.0 ", "3"),
        ("number", "−4", "-4"),
        ("number", "0,5", "0.5"),
        ("node", "/a/b/", "a/b"),
        ("node", "root/b/a.", "b/a"),
        ("move", "B", "b"),
        ("nodes", "c/a a/b c/a", "a/b, c/a"),
        ("leaves", "a/b; c/a", "a/b, c/a"),
        ("leaves", "A/B and c/a.", "a/b, c/a"),
        ("nodes", "None.", "none"),
        ("leaves", "none", "none"),
        ("choice", "(b)", "second"),
        ("choice", "second", "second"),
        ("number", "a", "type a number, such as -3"),
        ("number", "inf", "type a number, such as -3"),
        ("node", " ", "type a node, such as a/b"),
        ("node", "none", "type a node, such as a/b: none is no node of this drawing"),
        ("node", "a/b, c/a", "type a node, such as a/b"),
        ("node", "h", "type a node, such as a/b: h is no node of this drawing"),
        ("move", "root", "type a move, such as b: root is no move at the root of this drawing"),
        ("move", "a/b", "type a move, such as b: a/b is no move at the root of this drawing"),
        ("leaves", "a", "type leaves, such as a/b, c/a; or none: a is no leaf of this drawing"),
        ("nodes", "", "type nodes, such as a/b, c/a; or none"),
        ("choice", "C", "type one of the letters A, B"),
    ],
)
def test_answers_are_read_or_asked_for_again(form: str, typed: str, found: str) -> None:
    item = Item(form, found, {}, "?", "because", ("first", "second"), TREE)
    unread = found.startswith("type ")
    assert item.judge(typed) == ((found, None) if unread else ("Right. because", True))


def test_wrong_answer_without_a_known_mistake_is_not_explained() -> None:
    item = Item("number", "1", {"2": "1 were 2", "3": ""}, "?", "because")
    assert item.judge("3")[0] == item.judge("4")[0] == "Not so: 1. because"
    assert item.judge("2") == ("Not so: 1. That would be right if 1 were 2. because", False)
