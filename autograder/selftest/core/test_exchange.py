"""Grader and worker stay in step: a refused request does not affect the next."""

import copy
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.checks.mcts.phases import expect_expansion
from autograder.errors import GraderFault
from autograder.grading.try_case import LocalChannel
from autograder.selftest.support.banks import change_solution
from autograder.selftest.support.students import start_student
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.worker.inside.remote_game import SERVED, make_served_game

TREE = Case(game=["GameTree", [[1, 2], 3], "X"])
CODE = b"""
import json, sys

EARLIER = []

def right(game, state):
    return 2, "b"

def asks_about_an_earlier_game(game, state):
    move = game.actions(state)[-1]
    EARLIER.append(game.result(state, move))
    for other in game.actions(state):
        EARLIER.append(game.result(state, other))
    for old in EARLIER[:1]:
        object.__setattr__(old, "number", old.number + 99)
        game.utility(old, "X")
    return 2, "b"

def asks_again(game, state):
    for _ in range(50):
        for move in game.actions(state):
            child = game.result(state, move)
            if game.is_terminal(child):
                game.utility(child, "X")
    return 2, "b"

def channel():
    frame = sys._getframe()
    while "channel" not in frame.f_locals:
        frame = frame.f_back
    return frame.f_locals["channel"]

def says_nonsense(game, state):
    channel().send(json.dumps("nonsense"))
    return 2, "b"
"""


@pytest.fixture
def student() -> Iterator[Student]:
    with start_student({"minimax.py": CODE}) as student:
        student.begin(20)
        yield student


@pytest.mark.parametrize(
    ("function", "code"),
    [("asks_about_an_earlier_game", "state-kept"), ("says_nonsense", "no-answer/unreadable")],
)
def test_refused_request_does_not_affect_the_next(student, function, code):
    for _ in range(2):
        with pytest.raises(Failed) as caught:
            student.serve(f"minimax.{function}", TREE)
        assert caught.value.finding.code == code
        assert student.session.transport is None
        assert student.serve("minimax.right", TREE).value == 2


def test_served_state_can_be_copied_and_pickled():
    server = TREE.make_server()
    for _ in range(2):
        _, state = make_served_game(LocalChannel(server), server.start_reply())
    assert len(SERVED) == 1  # earlier games, which need much memory, are forgotten
    assert copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state


def test_failure_that_the_test_ignores_is_no_pass(student):
    with pytest.raises(Failed):
        student.serve("minimax.says_nonsense", TREE)
    student.serve("minimax.right", TREE)
    with pytest.raises(Failed) as caught:
        student.log.expect_answers()
    assert caught.value.finding.code == "no-answer/unreadable"
    student.begin(20)
    student.serve("minimax.right", TREE)
    student.log.expect_answers()


def test_a_case_without_a_request_is_no_pass(student):
    with pytest.raises(GraderFault, match="without a request"):
        student.log.expect_answers()


def test_requests_whose_replies_are_known_are_recorded_in_order(student):
    server = student.serve("minimax.asks_again", TREE).server
    once = [("result", 1), ("result", 2), ("utility", 2)]
    expected = [(kind, n + 2 * i) for i in range(50) for kind, n in once]
    assert [(event.kind, event.number) for event in server.events] == expected
    moves = [node.move for node in server.nodes]
    assert moves == [None, *["a", "b"] * 50]


def test_field_that_a_node_lacks_is_said_of_the_node_not_of_the_function():
    made = "Node(game.result(node.state, move), node, move)"
    leaf = "type('Leaf', (), {'children': {}, 'state': game.result(node.state, move)})()"
    source = change_solution("mcts.py", made, leaf).encode()
    case: Any = Cases().load("4.2")[0]
    with start_student({"mcts.py": source}) as student, pytest.raises(Failed) as caught:
        student.begin(20)
        expect_expansion(student, case)
    assert caught.value.finding.code == "search-tree/wrong-node"
    assert caught.value.finding.facts["what"] == "a Leaf without U"
