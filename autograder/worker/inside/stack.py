"""Report where student code raised an exception, crashed or was stopped."""

import contextlib
import faulthandler
import os
import signal
from collections.abc import Iterator
from functools import cache
from types import TracebackType
from typing import Any

import starter
from autograder.worker.inside.channel import Channel
from autograder.worker.inside.protocol import LONGEST_RAISED, LONGEST_SHOWN, MOST_LINES

MAX_DUMP_S = 3600.0
FOLDER = os.path.dirname(os.path.abspath(starter.__file__))  # it also has the student's files


def describe_error(error: BaseException) -> dict[str, Any]:
    """Describe an exception by its type, text and the student's traceback lines.

    "begun" is the student's function that the worker called, "inside" the innermost one.
    """
    begun, inside, depth = "", "", 0
    own = list[TracebackType]()
    step = error.__traceback__
    while step is not None:  # a million steps, if the recursion limit was raised
        code = step.tb_frame.f_code
        if is_students(code.co_filename):
            begun, inside, depth = begun or code.co_name, code.co_name, depth + 1
            own.append(step)
        step = step.tb_next
    lines = [
        describe_source(step.tb_frame.f_code.co_filename, step.tb_lineno, None)
        for step in cut_after_fault(error, own)[-MOST_LINES:]
    ]
    try:
        if isinstance(error, SyntaxError) and error.filename and is_students(error.filename):
            lines.append(describe_source(error.filename, error.lineno, error.text))
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "(no text)"
    own.clear()
    free_traceback(error)
    return {
        "type": type(error).__name__[:LONGEST_SHOWN],
        "text": str(text)[:LONGEST_RAISED],
        "lines": lines[-MOST_LINES:],
        "begun": begun[:LONGEST_SHOWN],
        "inside": inside[:LONGEST_SHOWN],
        "depth": depth,
    }


def free_traceback(error: BaseException) -> None:
    """Free a traceback from its end; a long one overflows a browser's Python stack."""
    steps, step = [], error.__traceback__
    while step is not None:
        steps.append(step)
        step = step.tb_next
    error.__traceback__ = None
    while steps:
        steps.pop().tb_next = None


def describe_source(path: str, number: int | None, source: str | None) -> list[Any]:
    """Describe a line by its file, number (0 if unknown) and text, by default the file's."""
    import linecache  # here, because most workers do not need it

    known = number if type(number) is int and number > 0 else 0
    text = source if type(source) is str else linecache.getline(path, known)
    return [os.path.basename(path)[:LONGEST_SHOWN], known, text.strip()[:LONGEST_SHOWN]]


def cut_after_fault(error: BaseException, own: list[TracebackType]) -> list[TracebackType]:
    """Return the part of a student's traceback that ends at the faulty line.

    If an argument is of the wrong kind, as a move for a state, that is the line that passed it.
    """
    plain = type(error) in (AttributeError, TypeError)  # others may be the student's
    given = getattr(error, "obj", getattr(error, "given", None)) if plain else None
    for i in reversed(range(len(own) if given is not None else 0)):
        code, local = own[i].tb_frame.f_code, own[i].tb_frame.f_locals
        names = [n for n in code.co_varnames[: code.co_argcount] if local.get(n) is given]
        if all(is_plausible(given, name) for name in names):
            return own[: i + 1]
    return own


def is_plausible(given: Any, name: str) -> bool:
    """Is this value plausible for a parameter of that name?"""
    if hasattr(given, "to_move"):
        return name != "game"
    if type(given) is str and given in ("X", "O"):
        return name not in ("game", "state")
    return name == "move"


@cache
def is_students(path: str) -> bool:
    folder, name = os.path.split(path)
    return folder == FOLDER and name not in ("__init__.py", "players.py")


def dump_tracebacks(channel: Channel) -> None:
    """Let Python write at most DUMPED_FRAMES frames when it crashes, or on SIGUSR1."""
    faulthandler.enable(channel.outgoing, all_threads=False)
    if hasattr(signal, "SIGUSR1"):
        faulthandler.register(signal.SIGUSR1, channel.outgoing, all_threads=False)


@contextlib.contextmanager
def dump_later(seconds: float) -> Iterator[None]:
    """Without that signal, on Windows, write a traceback to a file at the time limit."""
    if hasattr(signal, "SIGUSR1"):
        yield
        return
    with open("stack", "wb") as file:
        faulthandler.dump_traceback_later(min(seconds, MAX_DUMP_S), file=file)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()
