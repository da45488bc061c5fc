"""Says where student code is, or was when it raised."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from traceback import walk_tb
from typing import Any

import starter
from autograder.inside.channel import Channel
from autograder.inside.protocol import (
    HANDED,
    LARGEST,
    LONGEST_RAISED,
    LONGEST_SHOWN,
    MOST_ARGUMENTS,
    MOST_LINES,
    PROVIDED_FILES,
)
from autograder.inside.served import ServedState

LOOK = 0.05  # seconds between two checks whether the grader asks where this process is
FOLDER = os.path.dirname(os.path.abspath(starter.__file__))  # the student's files lie there, too


def explain(error: BaseException) -> dict[str, Any]:
    """Describe an exception by its type, text and the student's own lines of the traceback."""
    import traceback  # here, because most workers do not need it

    lines = [
        [os.path.basename(frame.filename), frame.lineno, (frame.line or "").strip()[:LONGEST_SHOWN]]
        for frame in traceback.extract_tb(error.__traceback__)[: innermost_at_fault(error)]
        if is_students(frame.filename)
    ]
    depth = len(lines)
    if isinstance(error, SyntaxError) and error.filename and is_students(error.filename):
        text = (error.text or "").strip()
        lines.append([os.path.basename(error.filename), error.lineno or 0, text[:LONGEST_SHOWN]])
    try:
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "(no text)"
    kind = type(error).__name__
    return {
        "type": kind,
        "text": str(text)[:LONGEST_RAISED],
        "lines": lines[-MOST_LINES:],
        "depth": depth,
    }


def innermost_at_fault(error: BaseException) -> int:
    """Return how many frames of the traceback lead to the line that is at fault.

    Where an argument is of the wrong kind, as a move for a state, that is the line which passed it.
    """
    given = getattr(error, "obj", getattr(error, "given", None))
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    own = [i for i, frame in enumerate(frames) if is_students(frame.f_code.co_filename)]
    if given is None or not own:
        return len(frames)
    for i in reversed(own):
        code = frames[i].f_code
        names = code.co_varnames[: code.co_argcount]
        if not any(frames[i].f_locals.get(name) is given for name in names):
            return i + 1
    return len(frames)


# --- what came back before it raised --------------------------------------------------------------

MOST_EVENTS, LAST_RETURNS = 50_000, 500


class Enough(BaseException):
    """The call that is watched takes too long."""


class Returns:
    """The last returns of student code, as a profiler sees them: who to, from where, and what."""

    def __init__(self) -> None:
        self.last: deque[tuple[Any, Any, int, Any]] = deque(maxlen=LAST_RETURNS)
        self.left = MOST_EVENTS

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        self.left -= 1
        if not self.left:
            raise Enough
        if event == "return" and is_students(frame.f_code.co_filename):
            self.last.append((frame.f_back, frame, frame.f_lineno, value))


def returned_before(error: BaseException, again: Callable[[], Any]) -> dict[str, Any] | None:
    """Do a call that has raised again; say which function had returned what made it raise, if one
    had: nothing, a pair the wrong way round, or a number where a pair belongs."""
    if not isinstance(error, (TypeError, AttributeError)):
        return None
    returns, streams = Returns(), (sys.stdout, sys.stderr)
    sys.stdout = sys.stderr = io.StringIO()
    sys.setprofile(returns)
    try:
        again()
    except BaseException as same:
        sys.setprofile(None)
        if str(same) == str(error):
            return culprit(same, returns)
    finally:
        sys.setprofile(None)
        sys.stdout, sys.stderr = streams
    return None


def culprit(error: BaseException, returns: Returns) -> dict[str, Any] | None:
    """Find the return that the innermost frame went on with."""
    import linecache

    under = [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in reversed(under):
        for to, callee, at, value in reversed(returns.last):
            if to is not frame or callee in under:
                continue
            kind = oddity(value, str(error))
            if not kind:
                return None
            for deeper in returns.last:  # did it only hand on what it got?
                if deeper[0] is callee and kind == "nothing" and deeper[3] is None:
                    _, callee, at, value = deeper
            path = callee.f_code.co_filename
            source = linecache.getline(path, at).strip()[:LONGEST_SHOWN]
            return {
                "kind": kind,
                "function": callee.f_code.co_name,
                "value": repr(value)[:LONGEST_SHOWN],
                "line": [os.path.basename(path), at, source],
            }
    return None


def oddity(value: Any, said: str) -> str:
    """Name what is odd about a value that was returned, if that explains the error; else ""."""
    if "NoneType" in said and (value is None or (type(value) is tuple and None in value[:1])):
        return "nothing"
    if "cannot unpack" in said and type(value) in (int, float):
        return "one-thing"
    if type(value) is tuple and len(value) == 2:
        first, second = value
        if type(first) in (str, tuple) and type(second) in (int, float):
            return "swapped"
    return ""


# --- what was handed on ---------------------------------------------------------------------------

MOST_HANDED = 2_000


class Handed:
    """What each served position came with, as a profiler sees student code being called."""

    def __init__(self) -> None:
        self.by_position: dict[int, dict[str, str]] = {}

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if event != "call" or not is_students(code.co_filename):
            return
        if len(self.by_position) == MOST_HANDED:
            sys.setprofile(None)
            return
        local = {name: frame.f_locals.get(name) for name in code.co_varnames[: code.co_argcount]}
        found = {name: shown(local[name]) for name in HANDED if name in local}
        states = [value for value in local.values() if type(value) is ServedState]
        if found and states:
            self.by_position.setdefault(
                states[0].number, {name: text for name, text in found.items() if text is not None}
            )


@contextlib.contextmanager
def watching(wanted: bool) -> Iterator[dict[int, dict[str, str]]]:
    """Collect, by the number of each position, what it came with; nothing if that is not wanted."""
    handed = Handed()
    if wanted:
        sys.setprofile(handed)
    try:
        yield handed.by_position
    finally:
        sys.setprofile(None)


def is_students(path: str) -> bool:
    return path.startswith(FOLDER + os.sep) and os.path.basename(path) not in PROVIDED_FILES


# --- where it is, when its time is up -----------------------------------------------------------


def listen(channel: Channel, asked: str, main_thread: int) -> None:
    """Wait, in a thread of its own, until the file `asked` is there; then say where main is.

    Where main is in C code that keeps the interpreter to itself, nothing is said.
    """
    frames, sleep, exists = sys._current_frames, time.sleep, os.path.exists
    while not exists(asked):
        sleep(LOOK)
    channel.send(json.dumps({"place": place(frames()[main_thread])}))


def place(frame: Any) -> dict[str, Any]:
    """Say in which line of the student's the frame is, with the arguments and the depth there."""
    import linecache  # here, because most workers do not need it

    own = []
    while frame is not None:
        if is_students(frame.f_code.co_filename):
            own.append(frame)
        frame = frame.f_back
    if not own:
        return {}
    innermost = own[0]
    path, line = innermost.f_code.co_filename, innermost.f_lineno
    # A comprehension has no arguments of interest, but its function has.
    named = next((f for f in own if not f.f_code.co_name.startswith("<")), innermost)
    names = named.f_code.co_varnames[: named.f_code.co_argcount][:MOST_ARGUMENTS]
    local = named.f_locals
    return {
        "line": [
            os.path.basename(path),
            line,
            linecache.getline(path, line).strip()[:LONGEST_SHOWN],
        ],
        "function": named.f_code.co_name,
        "arguments": [[name, shown(local[name])] for name in names if name in local],
        "depth": len(own),
    }


def shown(value: Any) -> Any:
    """Show an argument by a short text, a served state by its number, anything else by None."""
    if type(value) is ServedState:
        return value.number
    plain = type(value) in (int, float, bool, str, type(None))
    if plain and not (type(value) is int and abs(value) > LARGEST):
        return repr(value)[:LONGEST_SHOWN]
    if type(value) is tuple and all(type(part) is int for part in value):  # a move
        return repr(value)[:LONGEST_SHOWN]
    if type(value).__module__ == "starter.games" and hasattr(value, "key"):  # a state
        return str(value.key or "the root")[:LONGEST_SHOWN]
    return None  # its text would be made by the student's own code
