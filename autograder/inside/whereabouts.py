"""Says where student code is, or was when it raised."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import starter
from autograder.inside.channel import Channel
from autograder.inside.protocol import (
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


def described(error: BaseException) -> dict[str, Any]:
    """Describe an exception by its type, text and the student's own lines of the traceback.

    "begun" is the function of the student's that was called from outside.
    """
    import traceback  # here, because most workers do not need it

    frames = traceback.extract_tb(error.__traceback__)[: innermost_at_fault(error)]
    own = [frame for frame in frames if is_students(frame.filename)]
    lines = [source_line(frame.filename, frame.lineno, frame.line) for frame in own]
    try:
        if isinstance(error, SyntaxError) and error.filename and is_students(error.filename):
            lines.append(source_line(error.filename, error.lineno, error.text))
        text = error.msg if isinstance(error, SyntaxError) else str(error)
    except BaseException:
        text = "(no text)"
    return {
        "type": type(error).__name__[:LONGEST_SHOWN],
        "text": str(text)[:LONGEST_RAISED],
        "lines": lines[-MOST_LINES:],
        "begun": own[0].name[:LONGEST_SHOWN] if own else "",
        "depth": len(own),
    }


def source_line(path: str, number: int | None, source: str | None) -> list[Any]:
    """Describe a line of code by its file, its number (0 if there is none) and what it says."""
    known = number if type(number) is int and number > 0 else 0
    said = source.strip() if type(source) is str else ""
    return [os.path.basename(path)[:LONGEST_SHOWN], known, said[:LONGEST_SHOWN]]


def innermost_at_fault(error: BaseException) -> int:
    """Return how many frames of the traceback lead to the line that is at fault.

    Where an argument is of the wrong kind, as a move for a state, that is the line which passed it.
    """
    from traceback import walk_tb

    plain = type(error) in (AttributeError, TypeError)  # of any other, student code may answer
    given = getattr(error, "obj", getattr(error, "given", None)) if plain else None
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    own = [i for i, frame in enumerate(frames) if is_students(frame.f_code.co_filename)]
    if given is None:
        return len(frames)
    for i in reversed(own):
        code, local = frames[i].f_code, frames[i].f_locals
        names = [n for n in code.co_varnames[: code.co_argcount] if local.get(n) is given]
        if all(belongs(given, name) for name in names):
            return i + 1
    return len(frames)


def belongs(given: Any, name: str) -> bool:
    """Is something that made a function raise no surprise in its parameter of that name?"""
    if hasattr(given, "to_move"):
        return name != "game"
    if type(given) is str and given in ("X", "O"):
        return name not in ("game", "state")
    return name == "move"


def is_students(path: str) -> bool:
    folder, name = os.path.split(path)
    return folder == FOLDER and name not in PROVIDED_FILES


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
        "line": source_line(path, line, linecache.getline(path, line)),
        "function": named.f_code.co_name[:LONGEST_SHOWN],
        "arguments": [
            [name[:LONGEST_SHOWN], shown(local[name])] for name in names if name in local
        ],
        "depth": len(own),
    }


def shown(value: Any) -> Any:
    """Show an argument by a short text, a served state by its number, anything else by None.

    A node of a search tree is shown by its state.
    """
    held = vars(value) if type(value).__name__ == "Node" and hasattr(value, "__dict__") else {}
    value = held.get("state", value)
    if type(value) is ServedState:
        return value.number
    plain = type(value) in (int, float, bool, str, type(None))
    if plain and not (type(value) is int and abs(value) > LARGEST):
        return repr(value)[:LONGEST_SHOWN]
    if type(value) is tuple and all(type(part) is int for part in value):  # a move
        return repr(value)[:LONGEST_SHOWN]
    if any(type(value) is own for own in vars(starter.games).values()) and hasattr(value, "key"):
        return str(value.key or "the root")[:LONGEST_SHOWN]
    return None  # its text would be made by the student's own code
