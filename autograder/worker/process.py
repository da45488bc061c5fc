"""Exchange messages with one worker process, and end it.

Messages are untrusted: every line is bounded in size, parsed as strict JSON, and compared with the
form of a message that may follow (`replies.py`). While the grader waits for a reply, it checks the
clock and kills the worker at its time limit.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograder.errors import GraderFault, GradingOver, Refused
from autograder.submission import list_provided_files
from autograder.worker.clock import Clock, measure_processor_time
from autograder.worker.forms import parse
from autograder.worker.inside.protocol import LONGEST_LINE, LONGEST_PRINTED, LONGEST_SHOWN
from autograder.worker.launch import Parent, Pipes, Process, ThreadedPipes
from autograder.worker.replies import (
    ENDED,
    UNREADABLE,
    Ending,
    Gone,
    Place,
    Reply,
    TooSlow,
    are_requests,
    is_output,
    is_progress,
    is_request,
    read_reply,
)
from autograder.worker.user import sweep_processes

if TYPE_CHECKING:
    from autograder.serving.game_server import GameServer
    from autograder.worker.sandbox import Sandbox

LOOK_S = 0.1  # seconds between two looks at the clock
DUMP_TIMEOUT_S = 1.0  # seconds to read the traceback that Python writes
DUMP_PAUSE = 0.2  # seconds without output that mark its end
ENCODER = json.JSONEncoder(check_circular=False)  # as `json.dumps`, in half the time
CRASHED = b"Fatal Python error: "
DUMPED_FRAME = re.compile(r'^  File "(.+)", line (\d{1,9}) in (.+)$', re.M)


class InvalidMessage(Exception):
    """The worker sent a line that is no message. The text says why."""


class TimeUp(Exception):
    """The time limit of a request was reached."""


def read_place(dump: bytes, folder: Path) -> Place | None:
    """Read where code in the files of `folder` is from Python's own traceback, if it is."""
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
    # Name the function around a comprehension, not the comprehension.
    named = (name for _, _, name in frames if name[:1] != "<" or name == "<module>")
    lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    source = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return Place(file.name, line, source[:LONGEST_SHOWN], next(named, function), len(frames))


class Worker:
    """One worker process. `ask` it, then `close` it."""

    def __init__(self, process: Process, sandbox: "Sandbox") -> None:
        """Take over a started process."""
        self.process, self.sandbox, self.slowness = process, sandbox, sandbox.slowness
        self.pipes = ThreadedPipes(process) if sys.platform == "win32" else Pipes(process)
        self.unread = bytearray()
        self.requests = 0
        self.charged: float | None = 0.0  # the processor time that answers were charged for

    def start_clock(self, seconds: float) -> None:
        self.clock = Clock(self.process, self.slowness, self.charged)
        self.seconds, self.spent = seconds, 0.0  # of this exchange
        self.next_look = time.monotonic() + LOOK_S

    def stop_clock(self) -> None:
        self.spent = self.clock.look()
        self.charged = measure_processor_time(self.process)

    def greet(self, seconds: float) -> Any:
        """Return the first message. Raises what `receive` and `look` raise, and OSError."""
        self.start_clock(seconds)
        try:
            return self.receive()
        finally:
            self.stop_clock()

    def ask(self, request: dict[str, Any], server: "GameServer | None", seconds: float) -> Reply:
        """Send a request, serve the requests of its game, and return the reply.

        After any ending but an answer the worker is dead, because it may be in the middle of one.
        Raises GradingOver, GraderFault.
        """
        self.requests += 1
        self.printed, self.call_began = "", 0.0
        self.start_clock(seconds)
        place = None
        ending: Ending
        try:
            reply = self.exchange(request, server)
        except TimeUp:
            place, ending = self.request_place(), TooSlow()
        except Refused as refused:
            place, ending = self.request_place(), Gone(refused.code, str(refused))
        except InvalidMessage as error:
            ending = Gone(UNREADABLE, str(error))
        except (OSError, EOFError):
            # An escaped process may keep the pipes open longer, but nothing waits for it.
            if CRASHED in self.unread:
                place = self.read_dump()
            ending = Gone(ENDED, f"its process ended {self.describe_ending()}")
        else:
            self.stop_clock()
            return reply._replace(printed=self.printed, seconds=self.spent)
        self.stop_clock()
        self.kill()
        return Reply([], ending, self.printed, place, self.spent, self.spent - self.call_began)

    def exchange(self, request: dict[str, Any], server: "GameServer | None") -> Reply:
        self.send(json.dumps({"id": self.requests, "seconds": self.seconds, **request}))
        while True:
            message = self.receive()
            if server is not None and is_request(message):
                self.send(ENCODER.encode(server.serve(message)))
            elif server is not None and are_requests(message):
                for one in message:
                    server.serve(one)
            elif is_progress(message, len(request["calls"])):
                self.call_began = self.spent
            elif is_output(message):
                self.printed = (self.printed + message["printed"])[:LONGEST_PRINTED]
            else:
                nodes = 0 if server is None else len(server.nodes)
                reply = read_reply(message, request, self.requests, nodes)
                if reply is None:
                    raise InvalidMessage("it sent something that is no answer to the request")
                return reply

    def look(self) -> float:
        """Check the clock if it is due; return the seconds until the next check.

        Raises TimeUp at the worker's time limit; kills it and raises GradingOver at the grading's.
        """
        now = time.monotonic()
        if now >= self.next_look:
            self.next_look = now + LOOK_S
            if now > self.sandbox.deadline:
                self.kill()
                raise GradingOver
            self.spent = self.clock.look()
            if self.spent > self.seconds:
                raise TimeUp
        return self.next_look - now

    def request_place(self) -> Place | None:
        """Let Python write a traceback, also in C code; return where student code is."""
        if hasattr(signal, "SIGUSR1"):
            self.signal("SIGUSR1")
            return self.read_dump()
        with contextlib.suppress(OSError):  # on Windows it has written one by itself
            dump = (self.sandbox.stage.parent / "work" / "stack").read_bytes()
            return read_place(dump, self.sandbox.stage / "starter")
        return None

    def read_dump(self) -> Place | None:
        """Read the traceback that Python writes at a crash or on SIGUSR1.

        The worker may write something else, and slowly, so this has a time limit of its own.
        """
        give_up = time.monotonic() + DUMP_TIMEOUT_S
        with contextlib.suppress(OSError):
            while len(self.unread) < LONGEST_LINE and time.monotonic() < give_up:
                if not (piece := self.pipes.receive(DUMP_PAUSE)):
                    break
                self.unread += piece
        return read_place(bytes(self.unread), self.sandbox.stage / "starter")

    def receive(self) -> Any:
        """Return the worker's next message as plain data.

        Raises EOFError when the worker has ended, InvalidMessage for an invalid line, or as `look`.
        """
        searched = 0
        while (end := self.unread.find(b"\n", searched)) < 0:
            searched = len(self.unread)
            if searched >= LONGEST_LINE:
                raise InvalidMessage("it sent an answer too long to read")
            piece = self.pipes.receive(self.look())
            if piece == b"":
                raise EOFError
            self.unread += piece or b""
        line = bytes(self.unread[: end + 1])
        if line.startswith(CRASHED):
            raise EOFError
        del self.unread[: end + 1]
        try:
            return parse(line)
        except ValueError as error:
            raise InvalidMessage(f"it sent something that is no answer ({error})") from None

    def send(self, line: str) -> None:
        data = line.encode() + b"\n"
        while data:
            data = self.pipes.send(data, self.look())

    def describe_ending(self) -> str:
        self.kill()
        status = self.process.returncode or 0
        if status < 0:
            name = signal.Signals(-status).name if -status in set(signal.Signals) else -status
            return f"by signal {name}"
        return f"with exit status {status}"

    def pause(self) -> None:
        """Stop the process until `resume`, if the system can."""
        self.signal("SIGSTOP")

    def resume(self) -> None:
        self.signal("SIGCONT")

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
            self.signal("SIGKILL")
            with contextlib.suppress(OSError):  # it may have no group yet
                self.process.kill()
        try:
            self.process.wait(timeout=300)  # a virtual machine's processor may stop for a minute
        except subprocess.TimeoutExpired:
            raise GraderFault("the worker could not be killed") from None
        if not sweep_processes(self.sandbox.user, self.sandbox.others | Parent.running):
            raise GraderFault("a process that the submission started could not be killed")

    def close(self) -> None:
        """End the worker and its processes, and remove its files. Raises as `kill` does."""
        self.kill()
        self.pipes.close()
        self.sandbox.remove_files()
