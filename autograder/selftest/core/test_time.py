"""Time limits: what they count, and the message for a stopped submission."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext

import pytest

from autograder.author.graded_tests import read_graded_tests
from autograder.checks.ask.decorators import read_limit
from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.errors import GradingOver
from autograder.feedback.messages import put_into_words
from autograder.questions import is_bonus
from autograder.selftest.support.waiting import wait_for
from autograder.serving.case import Case
from autograder.settings import SETTINGS
from autograder.submission import Submission
from autograder.worker import clock, sandbox
from autograder.worker.process import Worker
from autograder.worker.sandbox import Sandbox

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who sleeps")
BOARD = ["TicTacToe", 3, 3, 3]
CODE = b"""
import signal, threading, time

def compute(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end: pass
    return 1

def compute_after_the_answer(seconds):
    signal.signal(signal.SIGALRM, lambda *_: compute(seconds))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    return 1

def sleep():
    time.sleep(60)

def lock():
    lock = threading.Lock()
    while lock.acquire(): pass

def prints_and_hangs(player):
    print("  for", player)
    while player == "O": pass
    return 1

def deep(depth):
    while depth == 0: pass
    return deep(depth - 1)

def twice(game, state):
    for move in game.actions(state) * 2:
        twice(game, game.result(state, move))

def searches_on(game, state):
    game.result(state, game.actions(state)[0])
    while True: pass
"""


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """Yield a sandbox in which a second of computing counts as one on any machine."""
    monkeypatch.setattr(sandbox, "measure_slowness", lambda: 1.0)
    place = Sandbox(Submission({"x.py": CODE}))
    yield place
    place.remove()


@pytest.fixture
def student(place: Sandbox) -> Iterator[Student]:
    student = Student(Submission({"x.py": CODE}), place)
    yield student
    student.end()


@pytest.mark.parametrize(("slowness", "enough"), [(1.0, False), (2.0, True)])
def test_a_slow_machine_takes_no_time_away(student, slowness, enough, monkeypatch):
    monkeypatch.setattr(sandbox, "measure_slowness", lambda: slowness)
    student.begin(0.55)
    with nullcontext() if enough else pytest.raises(Failed, match="too-slow"):
        student.numbers("x.compute", BOARD, [(None, 0.8)])


def test_slowness_of_a_machine_is_bounded(monkeypatch):
    assert 1 <= clock.measure_slowness() <= clock.SLOWEST
    for quick, bound in ((1e9, 1.0), (1e-9, clock.SLOWEST)):
        monkeypatch.setattr(clock, "QUICK", quick)
        assert clock.measure_slowness() == bound


@pytest.mark.slow
@LINUX
def test_waiting_for_a_processor_does_not_count(student):
    student.begin(1.5)
    busy = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(6)
    ]  # on the grader's core, from which they inherit it
    try:
        assert student.numbers("x.compute", BOARD, [(None, 0.5)]) == [1]
    finally:
        for process in busy:
            process.kill()
            process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("function", ["sleep", "lock"])
def test_sleep_counts(student, function):
    """A process that neither computes nor waits for a processor uses up its time."""
    student.begin(0.3)
    with pytest.raises(Failed, match="too-slow") as caught:
        student.numbers(f"x.{function}", BOARD, [(None,)])
    assert f"in {function}," in " ".join(put_into_words(caught.value.finding).hints)


@LINUX
def test_time_computed_between_two_requests_is_charged_to_the_second(student):
    student.begin(2.0)
    student.numbers("x.compute_after_the_answer", BOARD, [(None, 0.5)])
    assert isinstance(student.session.transport, Worker)
    process, left = student.session.transport.process, student.session.remaining
    computed = clock.measure_processor_time(process) or 0.0
    wait_for(lambda: (clock.measure_processor_time(process) or 0.0) > computed + 0.5)
    student.numbers("x.compute", BOARD, [(None, 0.0)])
    assert student.session.remaining < left - 0.4


def test_wall_clock_counts_a_little_but_not_while_the_grader_is_late(monkeypatch):
    now = 1000.0
    monkeypatch.setattr(clock, "measure_processor_time", lambda process: None)
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        watch = clock.Clock(process, 1.0)
        for _ in range(10):
            now += 0.4
            watch.look()
        now += 600
        assert watch.look() == pytest.approx((10 * 0.4 + clock.LONGEST_GAP) / clock.WIDE)


def test_nothing_is_started_or_waited_for_after_the_deadline(student, place):
    student.begin(60)
    place.deadline = time.monotonic() + 0.2
    with pytest.raises(GradingOver):
        student.numbers("x.sleep", BOARD, [(None,)])
    another = Student(Submission({"x.py": CODE}), place)
    another.begin(60)
    with pytest.raises(GradingOver):
        another.find("x.sleep")
    assert another.session.transport is None


def test_output_of_the_call_that_did_not_end_is_shown(student):
    student.begin(5)
    student.numbers("x.prints_and_hangs", BOARD, [(None, "X")])
    student.begin(0.3)
    with pytest.raises(Failed, match="too-slow"):
        student.numbers("x.prints_and_hangs", BOARD, [(None, "O")])
    assert student.log.printed == "  for O"


def test_endless_search_is_reported_with_its_location(student, monkeypatch):
    monkeypatch.setattr("autograder.serving.game_server.MAX_NODES", 100)
    student.begin(5)
    with pytest.raises(Failed) as caught:
        student.serve("x.twice", Case(game=BOARD))
    assert caught.value.finding.code == "no-answer/too-many-positions"
    assert "twice(game, game.result(state, move))" in put_into_words(caught.value.finding).hints[0]
    assert caught.value.finding.hint_names[1] == "in-call"


@pytest.mark.parametrize(("went_on", "hung"), [(0, False), (10**6, True)])
def test_slow_search_that_goes_on_has_not_hung(place, monkeypatch, went_on, hung):
    """Whether it reaches the limit of positions or of time first depends on the machine."""
    monkeypatch.setattr("autograder.checks.ask.session.WENT_ON", went_on)
    student = Student(Submission({"x.py": CODE}), place, test="1.1")
    student.begin(0.3)
    with pytest.raises(Failed, match="too-slow"):
        student.serve("x.searches_on", Case(game=BOARD))
    assert bool(student.sandbox.hung) == hung
    student.end()


@pytest.mark.slow
def test_function_that_hung_is_not_judged_again_and_others_have_their_full_time(place):
    said = []
    for test, function, calls in (
        ("1.1", "compute", [0.1] * 30),  # slow, but each call ends
        ("1.2", "compute", [0.0, 0.0, 9.0]),
        ("1.3", "deep", [0]),
        ("1.4", "compute", [0.0]),
    ):
        student = Student(Submission({"x.py": CODE}), place, test=test)
        student.begin(1)
        with pytest.raises(Failed) as caught:
            student.numbers(f"x.{function}", BOARD, [(None, argument) for argument in calls])
        said.append(put_into_words(caught.value.finding).message)
        student.end()
    assert all("did not end: it was stopped after 1 s" in message for message in said[:3])
    assert said[3] == "not judged: compute hung in 1.2"
    explaining = Student(Submission({"x.py": CODE}), place, watch=True)
    explaining.begin(5)
    assert explaining.numbers("x.compute", BOARD, [(None, 0.0)])  # a case that ended before
    explaining.end()


def test_all_limits_together_fit_into_the_deadline():
    """All tests can use up their limits before the deadline.

    Bonus questions come last, and can use up only their own time.
    """
    needed = [test for test in read_graded_tests() if not is_bonus(test.number)]
    assert needed == read_graded_tests()[: len(needed)]
    room = 0.85 * SETTINGS.deadline_s - sum(read_limit(test.function) for test in needed)
    assert room > 0, "lower a test's limit: this grading could end before its last test"
