"""Anything that a worker sends is an answer or the student's failure.

The solution's exchanges are recorded once, for a case of each kind of question. Each script is a
copy of one of them, whole or half, damaged at random; no worker is started for it. The graded test
judges the script, and each finding is explained and reported.
"""

import copy
import json
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.checks.search.call_check import explain_by_calls
from autograder.feedback.page import make_page
from autograder.feedback.report import format_message
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.questions import ROOT
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.selftest.support.students import start_student
from autograder.serving.case import Case
from autograder.serving.case_files import Cases
from autograder.serving.cases import SearchCase, SolvedCase
from autograder.submission import Submission
from autograder.worker.process import Worker
from autograder.worker.replies import read_reply

TESTS = {test.number: test.function for test in read_graded_tests()}
LONG = ("2.9", "3.12", "3.13", "4.11", "4.12", "4.13", "4.14", "6.2")  # of long exchanges
NUMBERS = [pytest.param(n, marks=[pytest.mark.slow] * (n in LONG)) for n in TESTS]
CASES = Cases()
LONG_SCRIPT = 3_000  # messages
PIECE = 50_000  # bytes that a worker sends at a time
Script = list[Any]  # of messages


def recorded(number: str, case: Case) -> Script:
    """Return all that the solution's worker sends in a case."""
    script: Script = []
    receive = Worker.receive

    def noted(worker: Worker) -> Any:
        message = receive(worker)
        if "ready" not in message:
            script.append(message)
        return message

    with (
        pytest.MonkeyPatch.context() as patched,
        start_student(SOLUTION_FILES, watch=True) as student,
    ):
        student.sandbox.prepare()  # its own requests are not recorded
        patched.setattr(Worker, "receive", noted)
        student.begin(60)
        TESTS[number](student=student, case=case)
    return script


def small(number: str) -> Case:
    """Return the case of a test, with its first positions only."""
    case = CASES.load(number)[0]
    if hasattr(case, "positions"):
        object.__setattr__(case, "positions", case.positions[:5])
    if isinstance(case, SolvedCase):
        object.__setattr__(case, "least", 1)
    return case


class Scripted(Worker):
    """A worker that sends these bytes, in small pieces, regardless of the requests."""

    def __init__(self, data: bytes) -> None:
        self.pieces = [data[i : i + PIECE] for i in range(0, len(data), PIECE)][::-1]
        self.unread, self.requests, self.spent, self.seconds = bytearray(), 0, 0.0, 1.0
        self.sandbox: Any = SimpleNamespace(stage=ROOT)
        self.pipes: Any = SimpleNamespace(
            receive=lambda seconds: self.pieces.pop() if self.pieces else b"",
            send=lambda data, seconds: b"",
        )

    def start_clock(self, seconds: float) -> None:
        pass

    stop_clock = kill = close = lambda self: None

    def describe_ending(self) -> str:
        return "with exit status 0"

    def look(self) -> float:
        return 1.0

    def signal(self, name: str) -> None:
        pass


def passes(number: str, case: Case, lines: list[bytes]) -> bool:
    """Return whether a script passes; expect that any finding can be reported."""
    worker = Scripted(b"".join(lines))

    def start() -> Worker:
        worker.requests = 0
        return worker

    launcher: Any = SimpleNamespace(hung={}, start=start, end_parent=lambda: None)
    student = Student(Submission(SOLUTION_FILES), launcher, CASES, watch=True)
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
        report = Report(results=[result])
        json.dumps(make_json(report), allow_nan=False)
        assert make_page(report)
        return False
    return True


PAIR = {"value": 1, "move": 0}
SEARCHES: dict[str, Any] = {"do": "call", "answer": "pair", "calls": [{}, {}]}
GROWS: dict[str, Any] = {"do": "grow", "calls": [{"playouts": 1, "watch": False}]}
ROOT_NODE = {"state": "0", "U": 0, "N": 1, "parent": None, "under": None, "key": None, "move": None}
GROWN = {"results": [0], "began": [0], "tree": [ROOT_NODE]}
RAISED = {"type": "ValueError", "text": "x", "lines": [], "begun": "", "inside": "", "depth": 0}


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        (SEARCHES, {"answers": [PAIR, PAIR]}),
        (SEARCHES, {"answers": [PAIR], "traced": []}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "raised": RAISED, "importing": False}),
        (SEARCHES, {"answers": [PAIR], "raised": RAISED, "importing": True}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "more": 1}),
        (SEARCHES, {"answers": [PAIR, PAIR], "traced": [], "id": 2}),
        (SEARCHES, {"answers": [PAIR, {"value": True, "move": 0}], "traced": []}),
        (GROWS, {"answers": [{"touched": "0"}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "began": [1]}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "tree": [ROOT_NODE, ROOT_NODE]}], "traced": []}),
        (GROWS, {"answers": [{**GROWN, "tree": [{**ROOT_NODE, "parent": 1}]}], "traced": []}),
    ],
)
def test_malformed_reply_is_refused(question, reply):
    assert read_reply({"id": 1, **reply}, question, 1) is None


JUNK: list[Any] = [
    *(None, True, False, -1, 17.5, 10**40, 1e299, 5e-324),
    *("", "x", "X", "result", "\x1b[2J", "\ud800", "9" * 5000, "inf", "nan"),
    *([], {}, [[]], {"odd": "inf (float)"}, {"odd": 3}, {"value": 17.5, "move": 0}),
    *([["result", 0, 99]], ["result", 99, 0], ["h", 0, "X"], [0] * 50, {"N": 0, "U": 17.5}),
    *({"location": {"line": 3}}, {"location": []}, {"printed": "x"}, {"printed": 3}, {"call": 0}),
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
    """Change one thing somewhere in a script, most often in a reply."""
    replies = [message for message in script if type(message) is dict]
    part: Any = rng.choice(replies) if replies and rng.random() < 0.8 else script
    if type(part) is dict and type(part.get("answers")) is list and rng.random() < 0.2:
        part.pop("traced", None)
        part.update(rng.choice(ENDINGS))
        del part["answers"][rng.randint(0, len(part["answers"])) :]
        return
    where = containers(part)
    place = rng.choice(where[: rng.choice([1, 3, len(where)])])
    keys: list[Any] = [*place] if type(place) is dict else [*range(len(place))]
    value = copy.deepcopy(rng.choice([*JUNK, *where, 0, 1]))  # it may belong to another place
    if type(place) is list and (not keys or rng.random() < 0.2):
        place.insert(rng.randint(0, len(place)), value)
    elif keys and rng.random() < 0.3:
        del place[rng.choice(keys)]
    elif keys:
        place[rng.choice(keys)] = value


def lines_of(script: Script) -> list[bytes]:
    return [json.dumps(message).encode() + b"\n" for message in script]


DUMPS = (
    b"Fatal Python error: Segmentation fault\n",
    b"Fatal Python error: x\n" + b"\xff" * 99,
    b'Fatal Python error: x\n\nCurrent thread (most recent call first):\n  File "%s", line 3 in f\n'
    % str(ROOT / "starter" / "minimax.py").encode(),
    b'  File "x", line ' + b"9" * 5000 + b" in f\n",
)


def damaged(script: Script, rng: Random) -> list[bytes]:
    """Return the lines of a script, damaged in one place or several."""
    script = copy.deepcopy(script)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        damage(script, rng)
        script = copy.deepcopy(script)  # an inserted value may be shared
    lines = lines_of(script)
    if rng.random() < 0.1 and lines:  # without the end of the line
        i = rng.randrange(len(lines))
        lines[i] = lines[i][: rng.randint(0, len(lines[i]))]
    if rng.random() < 0.1:
        lines.insert(rng.randint(0, len(lines)), rng.choice(DUMPS))
    return lines


def incomplete(script: Script) -> list[Script]:
    """Return scripts that earn nothing: one with fewer requests, and one with an early end."""
    requests = [message for message in script if type(message) is list]
    first = next((i for i, message in enumerate(script) if type(message) is list), 0)
    return [script[:first] + script[first + len(requests) // 2 :], script[: len(script) // 2]]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    ("rounds", "seed"), [(2, 1), pytest.param(200, None, marks=pytest.mark.nightly)]
)
def test_a_damaged_exchange_is_the_students_failure(number, rounds, seed):
    seed = Random().getrandbits(32) if seed is None else seed  # another one each night
    case = small(number)
    script = recorded(number, case)
    assert passes(number, case, lines_of(script)), "the solution's own exchange"
    wrong = [half for half in incomplete(script) if not passes(number, case, lines_of(half))]
    assert wrong, "half is enough"
    for i in range(rounds if len(script) < LONG_SCRIPT else rounds // 8 or 1):
        print(f"seed {seed}, round {i}")
        rng = Random(f"{seed}/{number}/{i}")
        chosen = rng.choice([script, *wrong])
        assert not passes(number, case, damaged(chosen, rng)) or chosen is script
