"""Watches student code as a profiler does: what it was called with, and what came back."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from autograder.worker.inside.protocol import MAX_TRACED_CALLS, TRACED_ARGUMENTS
from autograder.worker.inside.remote_game import ServedState
from autograder.worker.inside.stack import is_students, shown

# A profiler takes what a generator yields for a return, and its end for one of None. (The number is
# inspect's CO_GENERATOR: to import that takes a tenth of a worker's start.)
GENERATOR = 0x20


class CallTrace:
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
        if len(self.by_position) == MAX_TRACED_CALLS:
            sys.setprofile(None)

    def note_call(self, frame: Any) -> None:
        """Note what a function got that was given a state."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        local = {name: frame.f_locals.get(name) for name in names}
        state = next((value for value in local.values() if type(value) is ServedState), None)
        if state is not None:
            self.running.append((frame, state.number))
            found = {name: shown(local[name]) for name in TRACED_ARGUMENTS if name in local}
            found = {name: text for name, text in found.items() if type(text) is str}
            if frame.f_code.co_name in self.names:
                found["by"] = frame.f_code.co_name
            told = self.by_position.get(state.number, {})
            new = {name: text for name, text in found.items() if name not in told}
            if new or not told:  # in the order of the calls that hand something on
                self.by_position.pop(state.number, None)
                self.by_position[state.number] = {**told, **new}


@contextlib.contextmanager
def watching(names: Sequence[str]) -> Iterator[dict[int, dict[str, str]]]:
    """Collect, by the number of each position, what it came with; nothing without names."""
    trace = CallTrace(names)
    if names:
        sys.setprofile(trace)
    try:
        yield trace.by_position
    finally:
        sys.setprofile(None)
