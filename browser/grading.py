"""Grade in the page, with the same tests and report as at home.

Student code runs in the interpreter that also grades. An alarm of `worker.js` interrupts it when
its time is up, so no second thread and no second process is needed.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import linecache
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Protocol

from autograder.checks.ask.session import Hung
from autograder.errors import GraderFault, GradingOver, Refused, UsageError
from autograder.feedback.messages import put_into_words
from autograder.feedback.page import make_page, make_row
from autograder.feedback.report import format_score
from autograder.feedback.results import Progress, Result
from autograder.grading.grade import grade
from autograder.grading.submit import list_unusable, look_at, write_zip
from autograder.grading.try_case import LocalChannel, forget_submission
from autograder.questions import QUESTION_FILES, ROOT
from autograder.serving.case_files import Cases
from autograder.serving.game_server import GameServer
from autograder.submission import Submission, read_submission
from autograder.worker.inside.channel import Printed
from autograder.worker.inside.stack import describe_line, is_students
from autograder.worker.inside.worker import answer_request, refuse_debugger
from autograder.worker.replies import UNREADABLE, Gone, Place, Reply, TooSlow, read_reply

LONGEST = 2.3  # seconds, the time limit of one request: 7 s of wall time on a quick machine
MAX_DEPTH = 10_000  # calls that are counted; a million would exhaust the memory
MAX_RECURSION = 10_000  # calls, even if student code allows more: the page's stack is small
PROCESS_DEPTH = 7  # calls on the stack when a worker process begins to answer, and those made since
LEFT_OUT = "6."  # question 6: its limits and matches need a process for each player
SUBMITTED = Path("/home/pyodide/submission")  # the files as they are in the editor
SUBMISSION_ZIP = Path("/home/pyodide/submission.zip")
NO_NUMPY = (
    "NumPy is not part of the browser version: use state.rows here; at home and on Gradescope "
    "board() works"
)


class Page(Protocol):
    """What `worker.js` does for Python.

    slowness: the seconds of wall time that count as one second of a time limit
    """

    slowness: float

    def post(self, kind: str, data: str) -> None:
        """Send JSON of that kind to the page."""

    def set_alarm(self, seconds: float) -> None:
        """Send SIGINT to this Python after that time, and repeat it.

        A call with 0 turns the alarm off. If the signals do not help, this Python is ended.
        """


class TimeUp(Exception):
    """The time limit of a request was reached."""


class Stopped(BaseException):
    """An exception that ends student code: no `except Exception` catches it."""


class NoNumpy:
    """An import finder that says what to use instead of NumPy."""

    def find_spec(self, name: str, *rest: object) -> None:
        if name == "numpy":
            raise ImportError(NO_NUMPY)


class PageChannel(LocalChannel):
    """A line to the grader that ends student code when the grader refuses to answer."""

    def __init__(self, transport: PageTransport, server: GameServer | None) -> None:
        super().__init__(server)
        self.transport = transport

    def begin_call(self, index: int) -> None:
        self.transport.call_began = time.monotonic()

    def request(self, line: str) -> Any:
        try:
            return super().request(line)
        except Exception as refused:
            self.transport.stop(refused, sys._getframe())


class PageTransport:
    """Runs student code in this Python; the page's alarm ends it at its time limit."""

    def __init__(self, launcher: PageLauncher) -> None:
        self.launcher = launcher
        self.recursion_limit = sys.getrecursionlimit()  # student code may set another
        forget_submission()

    def ask(self, request: dict[str, Any], server: GameServer | None, seconds: float) -> Reply:
        if time.monotonic() > self.launcher.deadline:
            raise GradingOver
        page, printed = self.launcher.page, list[str]()
        self.ended_by: Exception | None = None
        self.stopped_at: Place | None = None
        self.began = self.call_began = time.monotonic()
        request = json.loads(json.dumps({"id": 1, **request}))
        said: dict[str, Any] = {}
        signal.signal(signal.SIGINT, lambda signum, frame: self.stop(TimeUp(), frame))
        page.set_alarm(page.slowness * max(0.0, min(seconds, LONGEST)))
        try:
            with self.as_in_a_process(Printed(printed.append)):
                said = answer_request(PageChannel(self, server), request)
        except Stopped:  # the alarm rang again after the answer was given up
            pass
        finally:
            page.set_alarm(0)
        now = time.monotonic()
        spent, call_s = ((now - at) / page.slowness for at in (self.began, self.call_began))
        ending: TooSlow | Gone
        if isinstance(self.ended_by, TimeUp):
            ending = TooSlow(LONGEST if seconds > LONGEST else inf)
        elif isinstance(self.ended_by, Refused):
            ending = Gone(self.ended_by.code, str(self.ended_by))
        elif self.ended_by is not None:
            raise self.ended_by
        else:
            positions = 0 if server is None else len(server.positions)
            message = json.loads(json.dumps({"id": 1, **said}))
            reply = read_reply(message, request, 1, positions)
            if reply is not None:
                return reply._replace(printed="".join(printed), seconds=spent)
            ending = Gone(UNREADABLE, "it sent something that is no answer to the question")
        return Reply([], ending, "".join(printed), self.stopped_at, spent, call_s)

    @contextlib.contextmanager
    def as_in_a_process(self, printed: Printed) -> Iterator[None]:
        """Give student code the streams and the recursion limit of a worker process."""
        before = sys.stdout, sys.stderr, sys.getrecursionlimit()
        more = sum(1 for _ in traceback.walk_stack(None)) - PROCESS_DEPTH
        sys.stdout = sys.stderr = printed.stream
        set_limit = sys.setrecursionlimit
        set_limit(self.recursion_limit + more)
        sys.setrecursionlimit = lambda limit: set_limit(min(limit, MAX_RECURSION) + more)
        try:
            yield
        finally:
            sys.setrecursionlimit = set_limit
            self.recursion_limit = sys.getrecursionlimit() - more
            sys.setprofile(None)
            sys.stdout, sys.stderr, limit = before
            sys.setrecursionlimit(limit)

    def stop(self, reason: Exception, frame: Any) -> None:
        """End student code, and record where it was."""
        if self.ended_by is None:
            self.ended_by, self.stopped_at = reason, locate(frame)
        raise Stopped

    def pause(self) -> None:
        pass

    resume = pause

    def close(self) -> None:
        forget_submission()


def locate(frame: Any) -> Place | None:
    """Return the place of student code, if it is in this frame or above it."""
    own: list[Any] = []
    while frame is not None and len(own) < MAX_DEPTH:
        if is_students(frame.f_code.co_filename):
            own.append(frame)
        frame = frame.f_back
    if not own:
        return None
    # Name the function around a comprehension, not the comprehension.
    names = [one.f_code.co_name for one in own]
    named = next((name for name in names if name[:1] != "<" or name == "<module>"), names[0])
    # Some instructions that Python adds belong to no line.
    number = own[0].f_lineno or own[0].f_code.co_firstlineno
    file, number, source = describe_line(own[0], number)
    return Place(file, number, source, named, len(own))


class PageLauncher:
    """Starts transports that run the submission in this Python."""

    in_force, user = None, None

    def __init__(self, page: Page, submission: Submission, deadline: float = inf) -> None:
        self.page, self.deadline = page, deadline
        self.hung: Hung = {}
        lay_out(submission)

    def prepare(self) -> None:
        pass

    def start(self) -> PageTransport:
        return PageTransport(self)

    def end_parent(self) -> None:
        pass

    def remove(self) -> None:
        pass


def lay_out(submission: Submission) -> None:
    """Put the submitted files where this Python finds them."""
    for name in QUESTION_FILES:
        file = ROOT / "starter" / name
        file.unlink(missing_ok=True)
        if name in submission.files:
            file.write_bytes(submission.files[name])
    importlib.invalidate_caches()
    linecache.clearcache()


class PageProgress(Progress):
    """An observer that sends each test to the page when it begins and when it ends."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def wants(self, number: str) -> bool:
        return not number.startswith(LEFT_OUT)

    def starts(self, result: Result) -> None:
        self.page.post("test", json.dumps(result.number))

    def case_judged(self, judged: int, cases: int) -> None:
        self.page.post("case", json.dumps([judged, cases]))

    def finished(self, result: Result) -> None:
        message = (
            put_into_words(result.finding).message if result.finding and not result.stub else ""
        )
        data = {"row": make_row(result), "message": message}
        self.page.post("result", json.dumps(data))


def read_files(files: Mapping[str, str]) -> Submission:
    """Read the editor's files in the same way as a submission at home."""
    SUBMITTED.mkdir(parents=True, exist_ok=True)
    for name in QUESTION_FILES:
        (SUBMITTED / name).unlink(missing_ok=True)
        if name in files:
            (SUBMITTED / name).write_text(files[name], encoding="utf-8")
    return read_submission(SUBMITTED)


def run(page_of: Page, files: Mapping[str, str], chosen: str) -> Any:
    """Run all tests, or the chosen question, test or case.

    Return the report as HTML, and the score.
    """
    submission = read_files(files)
    submission.name = "your files"
    report = grade(
        submission,
        question=chosen or None,
        cases=Cases().only(chosen) if "/" in chosen else Cases(),
        progress=PageProgress(page_of),
        make_sandbox=partial(PageLauncher, page_of),
    )
    if report.fault:
        raise GraderFault(report.problem)
    return {"html": make_page(report), "score": format_score(report)}


def read(page_of: Page, path: str) -> Any:
    """Read the question files from a file or zip that was opened in the page."""
    submission = read_submission(path)
    files = {name: content.decode("utf-8", "replace") for name, content in submission.files.items()}
    return {"files": files, "notes": submission.notes}


def pack(page_of: Page, files: Mapping[str, str]) -> Any:
    """Write submission.zip as `make submit` does.

    Return the problem of each file that has one. Raises UsageError if a file is unusable.
    """
    submission = read_files(files)
    problems = look_at(submission, partial(PageLauncher, page_of))
    if missing := list_unusable(submission):
        raise UsageError(f"no submission.zip was written: fix {', '.join(missing)} first")
    write_zip(submission, SUBMISSION_ZIP)
    return {"problems": {file: problem for file, problem in problems.items() if problem}}


def prepare() -> None:
    """Make this Python look like a worker process to student code."""
    sys.meta_path.insert(0, NoNumpy())
    sys.breakpointhook = refuse_debugger
    sys.dont_write_bytecode = True
