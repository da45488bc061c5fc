"""Send the requests of one graded test to student code, wherever that runs.

A transport runs student code: a process, a browser's page, or this Python in `make try`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from autograder.diagram import Picture
from autograder.serving.game_server import GameServer
from autograder.worker.clock import Countdown
from autograder.worker.inside.protocol import PHASES
from autograder.worker.replies import Done, Gone, Reply, TooSlow

# A function hung if one call of it ran for this share of a test's limit, and was stopped there.
HUNG = 0.5
WENT_ON = 10_000  # positions of a search: one that asked for more is slow, and may end elsewhere
JUDGING_S = 20.0  # of the grader, to judge all cases of a test; right ones need half a second
Hung = dict[frozenset[str], dict[str, str]]


class Transport(Protocol):
    """A way to run student code."""

    def ask(self, request: dict[str, Any], server: GameServer | None, seconds: float) -> Reply:
        """Return the reply. Raises GradingOver, GraderFault."""

    def pause(self) -> None:
        """Stop student code until `resume`, if the system can."""

    def resume(self) -> None:
        """Let student code go on."""

    def close(self) -> None:
        """End student code."""


class Launcher(Protocol):
    """What starts transports for one submission.

    hung: what did not end, a file or functions, with its name and the test, for messages
    """

    hung: Hung

    def start(self) -> Any:
        """Return a new transport. Raises GraderFault, GradingOver."""

    def end_parent(self) -> None:
        """Let sets have another order in the next transport, if the system can."""


class Ask(NamedTuple):
    """A request, as its finding needs it.

    name:    the function's name in messages
    request: for the worker, as in `protocol.py`
    server:  the game, if it is served
    draw:    draws the position of the call with that index
    seconds: its own time limit; None: what the case has left
    """

    name: str
    request: dict[str, Any]
    server: GameServer | None
    draw: Callable[[int], list[Picture]]
    seconds: float | None = None

    @property
    def file(self) -> str:
        return str(self.request["file"])

    @property
    def needed(self) -> set[str]:
        """The file and the functions without which the request has no answer."""
        functions = {self.request["function"]}
        calls = self.request["calls"]
        if {"h": "own"} in [option for c in calls for option in c.get("options", {}).values()]:
            functions.add("connect_four_heuristic")
        if self.request["do"] == "grow":
            functions.update(PHASES)
        return {f"{self.file}.py", *(f"{self.file}.{name}" for name in functions)}


class Session:
    """The requests of one graded test, and the replies of its current case."""

    def __init__(self, launcher: Launcher, test: str, too_much: Callable[[], Exception]) -> None:
        """Begin without a transport; `too_much` makes the error when judging takes too long."""
        self.launcher, self.test = launcher, test
        self.transport: Transport | None = None
        self.limit = 0.0  # seconds that this test may take
        self.remaining = 0.0  # seconds that the case has left
        self.replies: list[Reply] = []
        self.judging = Countdown(JUDGING_S, too_much)

    def begin(self, seconds: float) -> None:
        """Begin a case; limit its requests to these seconds of the student's clock."""
        self.replies, self.remaining = [], seconds
        self.limit = self.limit or seconds

    def ask(self, asked: Ask) -> Reply:
        """Return the reply to a request; the first one of a test starts student code.

        Raises GraderFault when it can't be started, GradingOver at the end of the grading.
        """
        with self.judging.paused():
            self.transport = self.transport or self.launcher.start()
            self.remaining = self.remaining if asked.seconds is None else asked.seconds
            if asked.seconds is not None:  # a player, which is stopped between its moves
                self.transport.resume()
            try:
                reply = self.transport.ask(asked.request, asked.server, self.remaining)
            except BaseException:
                self.end()
                raise
            self.remaining -= reply.seconds
            self.replies.append(reply)
            if isinstance(reply.ending, TooSlow | Gone):  # it may be in the middle of an answer
                self.end()
            elif asked.seconds is not None:
                self.transport.pause()
            if isinstance(reply.ending, TooSlow):
                self.note_hung(asked, reply, reply.ending.most)
        if asked.server is not None:
            asked.server.record_calls(reply.ending.traced if isinstance(reply.ending, Done) else [])
        return reply

    def find_hung(self, asked: Ask) -> dict[str, str] | None:
        """Return what the request needs and did not end in an earlier test, with that test."""
        hung = {} if asked.seconds is not None else self.launcher.hung
        found = (it for names, it in hung.items() if names <= asked.needed)
        return next((facts for facts in found if facts["test"] != self.test), None)

    def note_hung(self, asked: Ask, reply: Reply, most: float) -> None:
        """Note for later tests what has hung, if one call took most of the test's time."""
        if asked.server is not None and len(asked.server.nodes) > WENT_ON:
            return
        if asked.seconds is None and reply.call_s >= HUNG * min(self.limit, most):
            inside = reply.place.function if reply.place else ""
            name = f"{asked.file}.py" if inside == "<module>" else f"{asked.file}.{inside}"
            names, said = asked.needed, asked.name
            if name in names:  # the others that it needs may be sound
                names, said = {name}, name if inside == "<module>" else inside
            facts = {"function": said, "test": self.test}
            self.launcher.hung.setdefault(frozenset(names), facts)

    def end(self) -> None:
        with self.judging.paused():
            transport, self.transport = self.transport, None
            if transport is not None:
                transport.close()

    def restart(self) -> None:
        """End the transport; in the next one sets have another order."""
        self.end()
        with self.judging.paused():
            self.launcher.end_parent()
