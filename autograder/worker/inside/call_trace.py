"""Trace the calls of student code by a profiler: arguments and return values."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from autograder.worker.inside.protocol import MAX_TRACED_CALLS, TRACED_ARGUMENTS
from autograder.worker.inside.remote_game import ServedState
from autograder.worker.inside.stack import is_students, shown

# A profiler reports a generator's yields as returns, so generators are left out. (This is inspect's
# CO_GENERATOR; importing inspect takes a tenth of a worker's start.)
GENERATOR = 0x20


class CallTrace:
    """A profiler that stores the arguments and return value of calls, by position."""

    def __init__(self, names: Sequence[str]) -> None:
        """names: functions to name in the trace"""
        self.names = names
        self.by_position: dict[int, dict[str, str]] = {}
        self.running: list[tuple[Any, int]] = []  # calls, and their positions

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if not is_students(code.co_filename) or code.co_flags & GENERATOR:
            return
        if event == "call":
            try:
                self.note_call(frame)
            except RecursionError:  # student code has to reach the limit, not the profiler
                sys.setprofile(None)
        elif event == "return" and self.running and self.running[-1][0] is frame:
            _, number = self.running.pop()
            if type(value) is tuple and value and type(value[0]) in (int, float, Fraction):
                with contextlib.suppress(OverflowError):
                    self.by_position[number]["returned"] = repr(float(value[0]))
        if len(self.by_position) == MAX_TRACED_CALLS:
            sys.setprofile(None)

    def note_call(self, frame: Any) -> None:
        """Store the arguments of a call that has a state among them."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        local = {name: frame.f_locals.get(name) for name in names}
        state = next((value for value in local.values() if type(value) is ServedState), None)
        if state is not None:
            self.running.append((frame, state.number))
            found = {name: shown(local[name]) for name in TRACED_ARGUMENTS if name in local}
            found = {name: text for name, text in found.items() if type(text) is str}
            if frame.f_code.co_name in self.names:
                found["by"] = frame.f_code.co_name
            known = self.by_position.get(state.number, {})
            new = {name: text for name, text in found.items() if name not in known}
            if new or not known:  # in the order of calls with new arguments
                self.by_position.pop(state.number, None)
                self.by_position[state.number] = {**known, **new}


@contextlib.contextmanager
def watching(names: Sequence[str]) -> Iterator[dict[int, dict[str, str]]]:
    """Trace calls, by the number of the position; trace nothing without names."""
    trace = CallTrace(names)
    if names:
        sys.setprofile(trace)
    try:
        yield trace.by_position
    finally:
        sys.setprofile(None)
