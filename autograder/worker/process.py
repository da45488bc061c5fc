"""Exchange messages with one worker process, and end it.

Replies are untrusted: every line is bounded in size, parsed as strict JSON, and compared with the
form of a reply to the request (`replies.py`). While the grader waits for a reply, it checks the
clock and kills the worker at its time limit.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import GraderFault, GradingOver, NoReply, OutOfTime, WorkerGone
from autograder.submission import list_provided_files
from autograder.worker.clock import Clock, measure_processor_time
from autograder.worker.forms import parse
from autograder.worker.inside.protocol import LONGEST_LINE, LONGEST_PRINTED, LONGEST_SHOWN
from autograder.worker.launch import START_S, Parent
from autograder.worker.pipes import open_pipes
from autograder.worker.replies import (
    are_requests,
    is_location,
    is_output,
    is_progress,
    is_reply,
    is_request,
)
from autograder.worker.user import is_root, sweep_files, sweep_processes

if TYPE_CHECKING:
    from autograder.serving.game_server import GameServer
    from autograder.worker.sandbox import Sandbox

# Seconds between two looks at the clock, drawn at random: a fixed interval would always sample
# periodic code while it is awake.
LOOK = 0.05, 0.15
STACK_TIMEOUT_S = 1.0  # seconds for a worker to report its location, at its time limit
DUMP_PAUSE = 0.2  # seconds without output that mark the end of Python's traceback
CRASHED = b"Fatal Python error: "
DUMPED_FRAME = re.compile(r'^  File "(.+)", line (\d{1,9}) in (.+)$', re.M)


def read_location(dump: bytes, folder: Path) -> dict[str, Any] | None:
    """Read the location in the files of `folder` from Python's own traceback.

    The result has the form of a worker's report; None if no such file occurs.
    """
    own = {
        str(file): file for file in folder.glob("*.py") if file.name not in list_provided_files()
    }
    frames = [
        (own[path], int(line), function[:LONGEST_SHOWN])
        for path, line, function in DUMPED_FRAME.findall(dump.decode("ascii", "replace"))
        if path in own
    ]
    if not frames:
        return None
    file, line, function = frames[0]
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    place = [file.name, line, source[:LONGEST_SHOWN]]
    return {"line": place, "function": function, "depth": len(frames)}


class Worker:
    """One worker process. `ask` it questions, then `close` it.

    longest: the time limit of one request in seconds, if its test has more left
    """

    longest = inf

    def __init__(self, sandbox: Sandbox) -> None:
        """Start the process. Raises GraderFault if it fails, GradingOver if not in time."""
        self.sandbox = sandbox
        self.questions = 0
        self.left = START_S
        self.slowness = sandbox.slowness()
        self.charged: float | None = 0.0  # the processor time that answers were charged for
        self.location: Any = None  # of its code at the time limit, if it was reported
        self.call_began = 0.0  # seconds of the request, when its current call began
        self.call_s = 0.0  # seconds that the current call has taken
        self.printed = ""  # by student code in the current request
        if sandbox.cpu is not None:  # later processes inherit it
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, {sandbox.cpu})
        sandbox.asked_where.unlink(missing_ok=True)
        try:
            self.process = sandbox.launch_worker()
        except OSError as error:
            raise sandbox.start_failed(error) from error
        self.pipes = open_pipes(self.process)
        self.unread = bytearray()
        try:
            with self.on_the_clock():
                ready = self.receive(self.look)
        except WorkerGone as error:
            self.close()
            raise sandbox.start_failed(error) from error
        except GradingOver:
            self.close()
            raise
        sandbox.in_force, sandbox.exposed = ready["ready"], ready["exposed"]
        if "landlock" in sandbox.in_force and sandbox.exposed:
            self.close()
            raise GraderFault(
                f"student code could read {sandbox.exposed[0]}: move the project to a folder that "
                "Python does not need for itself"
            )
        held = {"landlock", "seccomp"} <= set(sandbox.in_force)
        if sandbox.user is None and is_root() and not held:
            self.close()
            raise GraderFault(
                "student code would run as root with nothing to hold it: grade with a Python that "
                "every user may run, so that it runs as a separate user"
            )

    @contextlib.contextmanager
    def on_the_clock(self) -> Iterator[None]:
        """Charge the time of an exchange to the time that is `left`.

        Raises WorkerGone when the process has ended. An escaped process may keep the pipes open
        longer, but nothing waits for it.
        """
        self.clock = Clock(self.process, self.slowness, self.charged)
        self.next_look = time.monotonic() + random.uniform(*LOOK)
        self.spent = 0.0  # seconds of this exchange, at the last look
        try:
            yield
        except (OSError, EOFError):
            raise WorkerGone(f"its process ended {self.describe_ending()}") from None
        finally:
            self.spent = self.clock.look()
            self.left -= self.spent
            self.call_s = self.spent - self.call_began
            self.charged = measure_processor_time(self.process)

    def look(self, idle: bool = False) -> float:
        """Check the clock if it is due; return the seconds until the next check.

        idle: this process has only waited since the last check

        Kills the worker and raises OutOfTime at its time limit, GradingOver at the grading's.
        """
        now = time.monotonic()
        if now >= self.next_look:
            self.next_look = now + random.uniform(*LOOK)
            if now > self.sandbox.deadline:
                self.kill()
                raise GradingOver
            self.spent = self.clock.look(idle)
            if self.spent > self.left:
                self.request_stack()
                self.kill()
                raise OutOfTime("it was still running when its time was up")
        return self.next_look - now

    def request_stack(self) -> None:
        """Ask the worker for the location of its code; it may not be able to reply."""
        with contextlib.suppress(OSError):
            self.sandbox.asked_where.touch()
        give_up = time.monotonic() + STACK_TIMEOUT_S

        def patience(idle: bool = False) -> float:
            if (left := give_up - time.monotonic()) < 0:
                raise TimeoutError
            return left

        try:
            while self.location is None:
                message = self.receive(patience)
                self.location = message["location"] if is_location(message) else None
        except TimeoutError:  # it may be in C code
            self.signal("SIGUSR1")
            self.read_dump()
        except (OSError, EOFError, WorkerGone):
            pass

    def read_dump(self) -> None:
        """Read the traceback that Python writes at a crash or on SIGUSR1.

        The worker may write something else, and slowly, so this has a time limit of its own.
        """
        give_up = time.monotonic() + STACK_TIMEOUT_S
        with contextlib.suppress(OSError):
            while len(self.unread) < LONGEST_LINE and time.monotonic() < give_up:
                if not (piece := self.pipes.receive(DUMP_PAUSE)):
                    break
                self.unread += piece
        self.location = read_location(bytes(self.unread), self.sandbox.stage / "starter")

    def receive(self, patience: Callable[[bool], float]) -> Any:
        """Return the worker's next message as plain data.

        patience: returns the seconds to wait for the next part; it may raise

        Raises EOFError when the worker has ended, NoReply when it sends an invalid line.
        """
        searched, idle = 0, False
        while (end := self.unread.find(b"\n", searched)) < 0:
            searched = len(self.unread)
            if searched >= LONGEST_LINE:
                raise NoReply("it sent an answer too long to read")
            piece = self.pipes.receive(patience(idle))
            idle = piece is None
            if piece == b"":
                raise EOFError
            self.unread += piece or b""
        line = bytes(self.unread[: end + 1])
        del self.unread[: end + 1]
        if line.startswith(CRASHED):
            self.read_dump()
            raise EOFError
        try:
            return parse(line)
        except ValueError as error:
            raise NoReply(f"it sent something that is no answer ({error})") from None

    def send(self, line: str) -> None:
        data, idle = line.encode() + b"\n", False
        while data:
            rest = self.pipes.send(data, self.look(idle))
            data, idle = rest, len(rest) == len(data)

    def describe_ending(self) -> str:
        self.kill()
        status = self.process.returncode or 0
        if status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else -status
            return f"by signal {name}"
        return f"with exit status {status}"

    def ask(self, question: dict[str, Any], server: GameServer | None = None) -> dict[str, Any]:
        """Send a request, serve the requests of its game, and return the reply.

        Raises WorkerGone, OutOfTime or GradingOver without a valid reply; then the worker can't be
        used again, because it may still be in the middle of its answer.
        """
        self.questions += 1
        self.location, self.call_began, self.printed = None, 0.0, ""
        with self.on_the_clock():
            self.send(json.dumps({"id": self.questions, **question}))
            while True:
                message = self.receive(self.look)
                noted = are_requests(message)
                if server is not None and (noted or is_request(message)):
                    try:
                        replies = [server.serve(one) for one in (message if noted else [message])]
                    except WorkerGone:
                        self.request_stack()
                        raise
                    if not noted:
                        self.send(replies[0])
                    continue
                if is_progress(message, len(question["calls"])):
                    self.call_began = self.spent
                    continue
                if is_output(message):
                    self.printed = (self.printed + message["printed"])[:LONGEST_PRINTED]
                    continue
                positions = len(server.positions) if server is not None else 0
                if is_reply(message, question, self.questions, positions):
                    return dict(message)
                raise NoReply("it sent something that is no answer to the question")

    def signal(self, name: str) -> None:
        """Send a signal to the process and its group, if the system has that signal."""
        if hasattr(signal, name) and self.process.poll() is None:
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, getattr(signal, name))

    def kill(self) -> None:
        """Kill the worker and its descendants, as far as the system lists them.

        Raises GraderFault if one can't be killed, or does not end.
        """
        if self.process.returncode is None:  # otherwise its number may be reused
            if sys.platform != "win32":
                with contextlib.suppress(OSError):  # it may have no group yet
                    os.killpg(self.process.pid, signal.SIGKILL)
            with contextlib.suppress(OSError):
                self.process.kill()
        try:
            self.process.wait(timeout=60)  # on a busy machine
        except subprocess.TimeoutExpired:
            raise GraderFault("the worker could not be killed") from None
        spared = {*self.sandbox.others, *Parent.running, self.process.pid}
        if not sweep_processes(self.sandbox.user, spared):
            raise GraderFault("a process that the submission started could not be killed")

    def close(self) -> None:
        """End the worker and its processes, and remove its files.

        Raises GraderFault if a process can't be killed.
        """
        self.kill()
        self.pipes.close()
        self.sandbox.empty_work()
        if self.sandbox.user is not None:
            sweep_files(self.sandbox.user)
