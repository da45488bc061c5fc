"""Watches student code as a profiler does: what it was called with, and what came back."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from autograder.inside.plain import odd
from autograder.inside.protocol import HANDED, LONGEST_SHOWN, MOST_HANDED
from autograder.inside.served import ServedState
from autograder.inside.whereabouts import is_students, shown

# A profiler takes what a generator yields for a return, and its end for one of None. (The number is
# inspect's CO_GENERATOR: to import that takes a tenth of a worker's start.)
GENERATOR = 0x20

# --- what came back before it raised --------------------------------------------------------------

MOST_EVENTS, LAST_RETURNS = 50_000, 500
PROCEDURES = ("__init__", "backprop")  # these return nothing, and rightly


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
        code = frame.f_code
        if event == "return" and is_students(code.co_filename) and not code.co_flags & GENERATOR:
            self.last.append((frame.f_back, frame, frame.f_lineno, value))


def returned_before(error: BaseException, again: Callable[[], Any]) -> dict[str, Any] | None:
    """Do a call that has raised again; say which function had returned what made it raise, if one
    had: nothing, a pair the wrong way round, or a number where a pair belongs."""
    if type(error) not in (TypeError, AttributeError):
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
    from traceback import walk_tb

    under = [frame for frame, _ in walk_tb(error.__traceback__)]
    for frame in reversed(under):
        for to, callee, at, value in reversed(returns.last):
            if to is not frame or callee in under or callee.f_code.co_name in PROCEDURES:
                continue
            kind = oddity(value, str(error))
            if not kind:
                return None
            if kind == "nothing":
                callee, at, value = handed_on(callee, at, value, returns)
            return {
                "kind": kind,
                "function": callee.f_code.co_name,
                "value": odd(value)["odd"].rpartition(" (")[0],
                "line": [os.path.basename(callee.f_code.co_filename), at, line_of(callee, at)],
            }
    return None


def handed_on(callee: Any, at: int, value: Any, returns: Returns) -> tuple[Any, int, Any]:
    """Follow a None from the function that returned it to the one that it had it from, if any."""
    for to, deeper, line, found in reversed(returns.last):
        source = line_of(callee, at)
        if not source.startswith("return ") or source == "return None":
            break
        if to is callee and found is None and deeper.f_code.co_name not in PROCEDURES:
            callee, at, value = deeper, line, found
    return callee, at, value


def line_of(frame: Any, at: int) -> str:
    import linecache

    return linecache.getline(frame.f_code.co_filename, at).strip()[:LONGEST_SHOWN]


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


class Handed:
    """What each served position came with, as a profiler sees student code being called."""

    def __init__(self, names: Sequence[str]) -> None:
        """names: of functions; it is noted which of these got a position"""
        self.names = names
        self.by_position: dict[int, dict[str, str]] = {}
        self.running: list[tuple[Any, int]] = []  # calls, and the positions that they are about

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if not is_students(code.co_filename) or code.co_flags & GENERATOR:
            return
        if event == "call":
            try:
                self.note_call(frame)
            except RecursionError:  # student code shall come to the limit, not what watches it
                sys.setprofile(None)
        elif event == "return" and self.running and self.running[-1][0] is frame:
            _, number = self.running.pop()
            if type(value) is tuple and value and type(value[0]) in (int, float, Fraction):
                with contextlib.suppress(OverflowError):
                    self.by_position[number]["returned"] = repr(float(value[0]))
        if len(self.by_position) == MOST_HANDED:
            sys.setprofile(None)

    def note_call(self, frame: Any) -> None:
        """Note what a function got that was given a state."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        local = {name: frame.f_locals.get(name) for name in names}
        state = next((value for value in local.values() if type(value) is ServedState), None)
        if state is not None:
            self.running.append((frame, state.number))
            found = {name: shown(local[name]) for name in HANDED if name in local}
            if frame.f_code.co_name in self.names:
                found["by"] = frame.f_code.co_name
            told = self.by_position.get(state.number, {})
            new = {name: text for name, text in found.items() if text and name not in told}
            if new or not told:  # in the order of the calls that hand something on
                self.by_position.pop(state.number, None)
                self.by_position[state.number] = {**told, **new}


@contextlib.contextmanager
def watching(names: Sequence[str]) -> Iterator[dict[int, dict[str, str]]]:
    """Collect, by the number of each position, what it came with; nothing without names."""
    handed = Handed(names)
    if names:
        sys.setprofile(handed)
    try:
        yield handed.by_position
    finally:
        sys.setprofile(None)
