"""Grade in the page, with the same tests and report as at home.

Student code runs in the interpreter that also grades. An alarm of `worker.ts` interrupts it when
its time is up, so no second thread and no second process is needed. A second interpreter, in which
sets have another order, answers where a test needs another process.
"""

from __future__ import annotations

import bdb
import contextlib
import importlib
import json
import linecache
import pdb
import pickle
import re
import signal
import sys
import time
import traceback
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import Any, Protocol

from autograder.checks.ask.session import Hung
from autograder.errors import GraderFault, GradingOver, Refused, UsageError
from autograder.feedback.page import make_page
from autograder.feedback.report import format_outcome, format_score, format_share
from autograder.feedback.results import Progress, Result
from autograder.grading.grade import grade
from autograder.grading.submit import list_unusable, look_at, write_zip
from autograder.grading.try_case import LocalChannel, forget_submission
from autograder.newer_python import list_newer_parts
from autograder.questions import ROOT
from autograder.serving.game_server import GameServer
from autograder.submission import Submission, read_submission
from autograder.worker.clock import compare_speed
from autograder.worker.inside.channel import Printed
from autograder.worker.inside.worker import answer_request, refuse_debugger
from autograder.worker.process import read_place
from autograder.worker.replies import UNREADABLE, Ending, Gone, Place, Reply, TooSlow, read_reply

LONGEST = 6.0  # seconds of a test's clock, the time limit of one request
LEAST_SLOWNESS, MOST_SLOWNESS = 3.0, 30.0  # seconds of wall time that are one of a time limit
MARGIN = 1.5  # because the clock also counts what other programs compute
AGAIN_S = 0.5  # seconds of wall time until the alarm rings again
WATCH_S = 60.0  # seconds of wall time for a search that is watched or played against
MAX_RECURSION = 10_000  # calls, even if student code allows more: the page's stack is small
PROCESS_DEPTH = 7  # calls on the stack when a worker process begins to answer, and those made since
STARTER = ROOT / "starter"
SUBMISSION_ZIP = Path("/home/pyodide/submission.zip")


class Page(Protocol):
    """What `worker.ts` does for Python.

    post:      sends JSON of that kind to the page
    set_alarm: sends SIGINT to this Python after that time, and repeats it; 0 turns that off. If the
               signals do not help, this Python is ended
    ask_other: lets `perform_here` of the second interpreter answer
    """

    def post(self, kind: str, data: str) -> None: ...
    def set_alarm(self, seconds: float) -> None: ...
    def ask_other(self, line: str) -> str: ...


PAGE: Page  # the one that this Python is in
WRITTEN: dict[str, str] = {}  # the editor's files, as they are in STARTER


class Stopped(BaseException):
    """An exception that ends student code: no `except Exception` catches it."""


class PageTransport(LocalChannel):
    """Runs the submission in this Python; the page's alarm ends it at its time limit.

    It is its own launcher, and the channel of student code. After `end_parent` the second
    interpreter runs the submission.
    """

    in_force, user = None, None

    def __init__(self, submission: Submission, deadline: float = inf) -> None:
        super().__init__(None)
        self.submission, self.deadline = submission, deadline
        self.is_elsewhere = False
        self.hung: Hung = {}

    def start(self) -> PageTransport:
        for name, content in self.submission.files.items():
            (STARTER / name).write_bytes(content)  # the second interpreter has others, or none
        linecache.clearcache()
        forget_submission()
        self.recursion_limit = sys.getrecursionlimit()  # student code may set another
        return self

    def end_parent(self) -> None:
        self.is_elsewhere = True

    def ask(self, request: dict[str, Any], server: GameServer | None, seconds: float) -> Reply:
        """Run student code for a request, within these seconds of a test's clock."""
        if time.monotonic() > self.deadline:
            raise GradingOver
        if self.is_elsewhere:
            asked = pickle.dumps((self.submission, request, seconds))
            elsewhere: Reply = pickle.loads(bytes.fromhex(PAGE.ask_other(asked.hex())))
            return elsewhere
        request = json.loads(json.dumps(request))
        self.server, printed = server, list[str]()
        self.ending: Ending | Exception | None = None
        self.stopped_at: Place | None = None
        slowness, limit = measure_slowness(), max(0.0, min(seconds, LONGEST))
        self.began = self.call_began = time.monotonic()

        def ring(signum: int, frame: Any) -> None:
            """Interrupt student code, unless the machine has become slower since it began."""
            nonlocal slowness
            if self.ending is None:
                PAGE.set_alarm(0)  # none interrupts the measurement
                slowness = max(slowness, measure_slowness())
                left = self.began + slowness * limit - time.monotonic()
                PAGE.set_alarm(max(left, AGAIN_S))
                if left > 0:
                    return
            most = LONGEST if seconds > LONGEST else inf
            self.stop(TooSlow(most, time.monotonic() - self.began), frame)

        said: dict[str, Any] = {}
        out = Printed(printed.append).stream
        with (
            contextlib.suppress(Stopped),  # the alarm rang again after the answer was given up
            alarm(slowness * limit, ring),
            self.as_in_a_process(),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(out),
        ):
            said = answer_request(self, request)
        now = time.monotonic()
        spent, call_s = ((now - at) / slowness for at in (self.began, self.call_began))
        if isinstance(self.ending, Exception):
            raise self.ending
        if self.ending is None:
            message = json.loads(json.dumps({"id": 1, **said}))
            nodes = 0 if server is None else len(server.nodes)
            if reply := read_reply(message, request, 1, nodes):
                return reply._replace(printed="".join(printed), seconds=spent)
            self.ending = Gone(UNREADABLE, "it sent something that is no answer to the request")
        return Reply([], self.ending, "".join(printed), self.stopped_at, spent, call_s)

    def begin_call(self, index: int) -> None:
        self.call_began = time.monotonic()

    def request(self, line: str) -> Any:
        try:
            return super().request(line)
        except Refused as refused:
            self.stop(Gone(refused.code, str(refused)), sys._getframe())
        except Exception as fault:
            self.stop(fault, sys._getframe())

    @contextlib.contextmanager
    def as_in_a_process(self) -> Iterator[None]:
        """Give student code the recursion limit of a worker process."""
        more = sum(1 for _ in traceback.walk_stack(None)) - PROCESS_DEPTH
        limit, set_limit = sys.getrecursionlimit(), sys.setrecursionlimit
        set_limit(self.recursion_limit + more)
        sys.setrecursionlimit = lambda limit: set_limit(min(limit, MAX_RECURSION) + more)
        try:
            yield
        finally:
            sys.setrecursionlimit = set_limit
            self.recursion_limit = sys.getrecursionlimit() - more
            sys.setprofile(None)
            sys.setrecursionlimit(limit)

    def stop(self, ending: Ending | Exception, frame: Any) -> None:
        """End student code, and record where it was; an exception is the grader's."""
        if self.ending is None:
            self.ending, self.stopped_at = ending, locate(frame)
        raise Stopped

    def pause(self) -> None:
        pass

    resume = prepare = remove = pause

    def close(self) -> None:
        forget_submission()
        self.is_elsewhere = False


def quit_pdb(**options: Any) -> None:
    """Raise what a debugger without a keyboard raises, which depends on Python's version."""
    raise bdb.BdbQuit


def locate(frame: Any) -> Place | None:
    """Return the place of student code, if it is in this frame or above it."""
    frames = [  # some instructions that Python adds belong to no line
        f'  File "{frame.f_code.co_filename}", line {line or frame.f_code.co_firstlineno}'
        f" in {frame.f_code.co_name}"
        for frame, line in traceback.walk_stack(frame)
    ]
    return read_place("\n".join(frames).encode(), STARTER)


def perform_here(line: str) -> str:
    """Run student code for the first interpreter; both lines are pickled data."""
    submission, request, seconds = pickle.loads(bytes.fromhex(line))
    return pickle.dumps(PageTransport(submission).start().ask(request, None, seconds)).hex()


def measure_slowness() -> float:
    """Measure the seconds of wall time that are one second of a time limit here and now."""
    return min(MOST_SLOWNESS, max(LEAST_SLOWNESS, MARGIN * compare_speed(time.perf_counter)))


class PageProgress(Progress):
    """An observer that sends the page each test and case that begins, and each result."""

    def starts(self, result: Result) -> None:
        self.number = result.number
        PAGE.post("running", json.dumps(self.number))

    def case_judged(self, judged: int, cases: int) -> None:
        begun = min(judged + 1, cases)
        PAGE.post("running", json.dumps(f"{self.number}, case {begun} of {cases}"))

    def finished(self, result: Result) -> None:
        cells = [result.number, result.label, format_outcome(result), format_share(result)]
        PAGE.post("result", json.dumps(cells))


@contextlib.contextmanager
def alarm(seconds: float, ring: Callable[[int, Any], None]) -> Iterator[None]:
    """Call `ring` after these seconds of wall time, and repeatedly then, unless all is done."""
    signal.signal(signal.SIGINT, ring)
    PAGE.set_alarm(seconds)
    try:
        yield
    finally:
        PAGE.set_alarm(0)


def time_limit(seconds: float) -> contextlib.AbstractContextManager[None]:
    """Raise TimeoutError in student code that computes for longer, in seconds of wall time."""

    def ring(signum: int, frame: object) -> None:
        raise TimeoutError(f"stopped after {seconds:.0f} s: choose fewer plies or playouts")

    return alarm(seconds, ring)


def run(chosen: str, version: str) -> Any:
    """Run all tests, or the chosen question, test or case.

    Return the report as HTML, which names the page's version, and the score.
    """
    submission = read_submission(STARTER)
    submission.name = "your files"
    submission.notes += [
        f"in the browser, version {version}, with the public cases",
        f"one second of a time limit is {measure_slowness():.1f} s here",
        *list_newer_parts(submission.files),
    ]
    report = grade(
        submission,
        question=chosen or None,
        progress=PageProgress(),
        make_sandbox=PageTransport,
    )
    if report.fault:
        raise GraderFault(report.problem)
    return {"html": link(make_page(report)), "score": format_score(report)}


def link(html: str) -> str:
    """Make links of the lines, cases and tests that a report names, for `report.ts`.

    What `make try` would do is left out: a page has no debugger.
    """
    html = re.sub(r'<p class="soft">[^<]*</p><pre[^>]*>make try .*?</pre>', "", html)
    case = r'<a href="#run/\1">run this case</a> · <a href="#watch/\1">watch this case</a>'
    html = re.sub(r"make test CASE=([\w./~-]+)", case, html)
    html = re.sub(r"make test Q=([\w.]+)", r'<a href="#run/\1">run \1</a>', html)
    html = re.sub(r'"handout.html#([\w-]+)">[^<]*<', r'"#read/\1">the handout<', html)
    return re.sub(r"(\w+\.py), line (\d+)", r'<a href="#line/\1/\2">\g<0></a>', html)


def answer(request: str) -> str:
    """Call the function of this package named by `do`, such as "grading.run", with the rest.

    Before that, put the editor's `files`, if it has them, where this Python finds them. The request
    and the answer are JSON.
    """
    arguments = json.loads(request)
    for file, text in arguments.pop("files", {}).items():
        if text != WRITTEN.get(file):
            forget_submission()
        WRITTEN[file] = text
        (STARTER / file).write_text(text, encoding="utf-8")
    name, _, function = arguments.pop("do").partition(".")
    module: Any = importlib.import_module(f"browser.{name}")  # the lab's takes time to load
    try:
        return json.dumps(getattr(module, function)(**arguments))
    except (UsageError, ValueError, GraderFault) as problem:
        return json.dumps({"problem": str(problem)})


def read(name: str, content: str) -> Any:
    """Read the question files from a zip that was opened in the page; its bytes are in base64."""
    path = SUBMISSION_ZIP.with_name(name)
    path.write_bytes(b64decode(content))
    submission = read_submission(path)
    readable = submission.files.keys() - submission.problems.keys()
    files = {name: submission.files[name].decode("utf-8-sig") for name in sorted(readable)}
    problems = [submission.problems[name] for name in submission.files.keys() - readable]
    return {"files": files, "notes": problems + submission.notes}


def pack() -> Any:
    """Write submission.zip as `make submit` does, and return it in base64.

    Return a line on each file that will earn less. Raises UsageError if a file is unusable.
    """
    submission = read_submission(STARTER)
    problems = look_at(submission, PageTransport)
    if missing := list_unusable(submission):
        raise UsageError(f"no submission.zip was written: fix {', '.join(missing)} first")
    write_zip(submission, SUBMISSION_ZIP)
    wrong = [f"{name} will earn nothing as it is: {why}" for name, why in problems.items() if why]
    packed = b64encode(SUBMISSION_ZIP.read_bytes()).decode()
    return {"zip": packed, "problems": wrong + list_newer_parts(submission.files)}


def prepare(page: Page) -> None:
    """Make this Python look like a worker process to student code."""
    global PAGE
    PAGE = page
    sys.breakpointhook = refuse_debugger
    pdb.set_trace = quit_pdb  # there is no keyboard
    sys.dont_write_bytecode = True
