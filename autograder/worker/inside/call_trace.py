"""Trace the calls of student code by a profiler: arguments and return values."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from autograder.worker.inside.protocol import LONGEST_SHOWN, MAX_TRACED_CALLS, TRACED_ARGUMENTS
from autograder.worker.inside.remote_game import ServedState
from autograder.worker.inside.stack import is_students

# A profiler reports a generator's yields as returns, so generators are left out. (This is
# inspect's CO_GENERATOR; importing inspect takes a tenth of a worker's start.)
CO_GENERATOR = 0x20


class CallWatcher:
    """A profiler of the calls of student code with a state among the arguments."""

    def __init__(self, is_watched: Callable[[str], bool], state_type: type) -> None:
        """Watch the calls in files whose paths fulfil `is_watched`."""
        self.is_watched, self.state_type = is_watched, state_type
        self.running: list[tuple[Any, Any]] = []  # calls, and their states

    def __call__(self, frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if not self.is_watched(code.co_filename) or code.co_flags & CO_GENERATOR:
            return
        if event == "call":
            try:
                names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
                arguments = {name: frame.f_locals.get(name) for name in names}
                states = (one for one in arguments.values() if type(one) is self.state_type)
                state = next(states, None)
                if state is not None and self.called(code.co_name, arguments, state):
                    self.running.append((frame, state))
            except RecursionError:  # student code has to reach the limit, not the profiler
                sys.setprofile(None)
        elif event == "return" and self.running and self.running[-1][0] is frame:
            _, state = self.running.pop()
            if type(value) is tuple and value and type(value[0]) in (int, float, Fraction):
                with contextlib.suppress(OverflowError):
                    self.returned(state, float(value[0]))

    def called(self, name: str, arguments: dict[str, Any], state: Any) -> bool:
        """Note a call; return whether to note its return value, too."""
        raise NotImplementedError

    def returned(self, state: Any, value: float) -> None:
        """Note that a call has returned a pair with this value."""
        raise NotImplementedError


class CallTrace(CallWatcher):
    """The numbers among the arguments and return values of calls, by node."""

    def __init__(self) -> None:
        super().__init__(is_students, ServedState)
        self.by_node: dict[int, dict[str, str]] = {}

    def called(self, name: str, arguments: dict[str, Any], state: ServedState) -> bool:
        found = {
            name: repr(arguments[name])[:LONGEST_SHOWN]
            for name in TRACED_ARGUMENTS
            if type(arguments.get(name)) in (int, float)
        }
        known = self.by_node.get(state.number, {})
        new = {name: text for name, text in found.items() if name not in known}
        if new or not known:  # in the order of calls with new arguments
            self.by_node.pop(state.number, None)
            self.by_node[state.number] = {**known, **new}
        if len(self.by_node) == MAX_TRACED_CALLS:
            sys.setprofile(None)
        return True

    def returned(self, state: ServedState, value: float) -> None:
        self.by_node[state.number]["returned"] = repr(value)


@contextlib.contextmanager
def watch_calls(watched: bool) -> Iterator[dict[int, dict[str, str]]]:
    """Trace calls, by the number of the node; trace nothing unless `watched`."""
    trace = CallTrace()
    if watched:
        sys.setprofile(trace)
    try:
        yield trace.by_node
    finally:
        sys.setprofile(None)
