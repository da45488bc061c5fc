"""Anything that a worker sends is an answer or the student's failure.

The solution's exchanges are recorded once, for a case of each kind of question. Each script is a
wrong copy of one of them, damaged at random; no worker is started for it. The graded test judges
the script, and each finding is explained and reported.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.checks.search.call_explanation import explain_by_calls
from autograder.errors import NoReply, WorkerGone
from autograder.feedback.report import format_message
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.students import start_student
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import SearchCase
from autograder.submission import Submission
from autograder.worker.forms import parse
from autograder.worker.process import Worker
from autograder.worker.replies import is_reply

TESTS = {test.number: test.function for test in read_graded_tests()}
CASES = Cases()
# A test for each kind of question.
MCTS = [f"4.{number}" for number in (1, 2, 3, 5, 6, 7, 8, 15)]
JUDGED = ["1.6", "2.3", "3.5", "3.8", *MCTS, "5.1", "6.1"]
Message = Any
Script = list[Message]

# --- recorded exchanges ---------------------------------------------------------------------------


def recorded(number: str, case: Case) -> Script:
    """Return all that the solution's worker sends in a case."""
    script: Script = []
    receive = Worker.receive

    def noted(worker: Worker, patience: Callable[[bool], float]) -> Any:
        message = receive(worker, patience)
        if "ready" not in message:
            script.append(message)
        return message

    with (
        pytest.MonkeyPatch.context() as patched,
        start_student(SOLUTION_FILES, watch=True) as student,
    ):
        patched.setattr(Worker, "receive", noted)
        student.begin(60)
        TESTS[number](student=student, case=case)
    return script


def small(number: str) -> Case:
    """Return the case of a test, with its first positions only."""
    case = CASES.load(number)[0]
    if hasattr(case, "positions"):
        object.__setattr__(case, "positions", case.positions[:5])
    return case


class Scripted(Worker):
    """A worker that sends the lines of a script, regardless of the requests."""

    def __init__(self, lines: list[bytes]) -> None:
        self.lines = lines
        self.questions = 0
        self.left = 1.0
        self.location = None
        self.sandbox: Any = SimpleNamespace(asked_where=Path("/nowhere/at/all"))

    @contextmanager
    def on_the_clock(self) -> Iterator[None]:
        yield

    def receive(self, patience: Callable[[bool], float]) -> Any:
        if not self.lines:
            raise WorkerGone("its process ended with exit status 0")
        try:
            return parse(self.lines.pop(0))
        except ValueError as error:
            raise NoReply(f"it sent something that is no answer ({error})") from None

    def send(self, line: str) -> None:
        json.loads(line)

    def signal(self, name: str) -> None:
        pass

    def close(self) -> None:
        pass


def scripted(lines: list[bytes]) -> Student:
    sandbox: Any = SimpleNamespace(
        stopped={}, start=lambda: Scripted(lines), end_parent=lambda: None
    )
    return Student(Submission(SOLUTION_FILES), sandbox, CASES, watch=True)


def passes(number: str, case: Case, lines: list[bytes]) -> bool:
    """Return whether a script passes; expect that a finding can be reported."""
    student = scripted(lines)
    student.begin(60)
    try:
        TESTS[number](student=student, case=case)
        student.log.expect_answers()
    except Failed as failed:
        finding = failed.finding
        json.dumps(student.log.summary(), allow_nan=False)
        if isinstance(case, SearchCase) and student.log.server is not None:
            finding = explain_by_calls(finding, case, student.log.server)
        result = Result(number, "label", 1, outcome=Outcome.FAILED, finding=finding, case=case)
        result.printed = student.log.printed
        assert all(c.isprintable() or c == "\n" for c in format_message(result))
        json.dumps(make_json(Report(results=[result])), allow_nan=False)
        return False
    return True


# --- the form of a reply --------------------------------------------------------------------------

PAIR = {"value": 1, "move": 0}
SEARCHES: dict[str, Any] = {"do": "call", "answer": "pair", "calls": [{}, {}]}
GROWS: dict[str, Any] = {"do": "grow", "calls": [{"playouts": 1, "watch": False}]}
ROOT_NODE = {"state": "0", "U": 0, "N": 1, "parent": None, "under": None, "key": None, "move": None}
GROWN = {"results": [0], "began": [0], "tree": [ROOT_NODE]}
RAISED = {"type": "ValueError", "text": "x", "lines": [], "begun": "", "depth": 0}
ALWAYS: dict[str, Any] = {"id": 1, "printed": ""}


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (SEARCHES, {"answers": [PAIR, PAIR]}),
        (SEARCHES, {"answers": [PAIR], "traced": []}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "raised": RAISED, "importing": False}),
        (SEARCHES, {"answers": [PAIR], "raised": RAISED, "importing": True}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "more": 1}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "id": 2}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "printed": None}),
        (SEARCHES, {"answers": [PAIR, {"value": True, "move": 0}], "traced": []}),
        (GROWS, {"answers": [{"touched": "0"}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "began": [1]}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "tree": [ROOT_NODE, ROOT_NODE]}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "tree": [{**ROOT_NODE, "parent": 1}]}], "traced": []}),
    ],
)
def test_malformed_reply_is_refused(question: dict[str, Any], reply: Message) -> None:
    assert not is_reply({**ALWAYS, **reply}, question, 1)


# --- damage ---------------------------------------------------------------------------------------


def falsified(message: Message) -> Message:
    """Return a reply with other numbers in all its answers."""
    if type(message) is dict and "answers" in message:
        return {**message, "answers": [other_numbers(answer) for answer in message["answers"]]}
    return message


def other_numbers(answer: Any) -> Any:
    if type(answer) is int:
        return answer + 17
    if type(answer) is float:
        return answer + 17.25
    if type(answer) is dict:
        return {
            key: other_numbers(part) if key in ("value", "U", "results", "tree") else part
            for key, part in answer.items()
        }
    return [other_numbers(part) for part in answer] if type(answer) is list else answer


JUNK: list[Any] = [
    *(None, True, False, -1, 17.5, 10**40, 1e299, 5e-324),
    *("", "x", "X", "result", "\x1b[2J", "\ud800", "9" * 5000, "inf", "nan"),
    *([], {}, [[]], {"odd": "inf (float)"}, {"odd": 3}, {"value": 17.5, "move": 0}),
    *([["result", 0, 0]], ["result", 99, 0], ["h", 0, "X"], [0] * 50, {"N": 0, "U": 17.5}),
    *({"location": {"line": 3}}, {"location": []}),
]
ENDINGS: list[dict[str, Any]] = [  # of a reply that is not complete
    {"raised": RAISED, "importing": False},
    {"raised": RAISED, "importing": True},
    {"raised": {**RAISED, "depth": -1}, "importing": False},
    {"missing": "min_value"},
    {"missing": "Node"},
]


def containers(value: Any) -> list[Any]:
    """Return all lists and dictionaries in a value, itself included."""
    found = [value] if type(value) in (list, dict) else []
    for one in found:
        inner = one.values() if type(one) is dict else one
        found += [part for part in inner if type(part) in (list, dict)]
    return found


def damage(script: Script, rng: Random) -> None:
    """Change one thing somewhere in the messages of a script, most often in a reply."""
    replies = [message for message in script if type(message) is dict]
    message = rng.choice(replies or script) if rng.random() < 0.8 else rng.choice(script)
    answers = message.get("answers") if type(message) is dict else None
    if type(answers) is list and rng.random() < 0.2:
        message.pop("traced", None)
        message.update(rng.choice(ENDINGS))
        del answers[rng.randint(0, len(answers)) :]
        return
    where = containers(message) or [script]
    place = rng.choice(where[: rng.choice([3, len(where)])])
    if not place or rng.random() < 0.2:
        if type(place) is list:
            place.insert(rng.randint(0, len(place)), rng.choice(JUNK))
    else:
        key = rng.choice(list(place) if type(place) is dict else range(len(place)))
        if rng.random() < 0.3:
            del place[key]
        else:  # another value, which may belong to another place
            place[key] = copy.deepcopy(rng.choice([*JUNK, *where, 0, 1]))


def lines_of(script: Script) -> list[bytes]:
    return [json.dumps(message).encode() for message in script]


def damaged(script: Script, rng: Random) -> list[bytes]:
    """Return the lines of a script, damaged in one place or several."""
    script = copy.deepcopy(script)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if rng.random() < 0.15:
            script.insert(rng.randint(0, len(script)), rng.choice(JUNK))
        elif rng.random() < 0.1 and script:
            del script[rng.randrange(len(script))]
        elif script:
            damage(script, rng)
        script = copy.deepcopy(script)  # an inserted value may be shared
    lines = lines_of(script)
    if rng.random() < 0.1 and lines:
        i = rng.randrange(len(lines))
        lines[i] = lines[i][: rng.randint(0, len(lines[i]))]
    return lines


def wrong_scripts(script: Script) -> list[Script]:
    """Return scripts that earn nothing: with other answers, and with fewer requests."""
    requests = [message for message in script if type(message) is list]
    first = next((i for i, message in enumerate(script) if type(message) is list), 0)
    half = script[:first] + script[first + len(requests) // 2 :]
    return [list(map(falsified, script)), half]


@pytest.mark.parametrize("number", JUDGED)
def test_a_damaged_exchange_is_the_students_failure(number: str) -> None:
    case = small(number)
    script = recorded(number, case)
    assert passes(number, case, lines_of(script)), "the solution's own exchange"
    wrong = [s for s in wrong_scripts(script) if not passes(number, case, lines_of(s))]
    assert wrong, "nothing is wrong with the scripts"
    rng = Random(f"replies/{number}")
    for i in range(300):
        assert not passes(number, case, damaged(wrong[i % len(wrong)], rng)), i
