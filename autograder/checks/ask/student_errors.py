"""Findings about student code that raises, runs too long, or gives no answer.

The worker's text may be anything: it is shortened and cleaned before it is shown.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from autograder.checks.ask.finding import (
    LONGEST_TEXT,
    Failed,
    Hint,
    clean_text,
    make_failure,
    name_exception,
    remove_addresses,
    shorten,
)
from autograder.commands import format_command
from autograder.diagram import Picture
from autograder.errors import NoReply, WorkerGone
from autograder.printable import sanitize
from autograder.serving.game_server import GameServer, TooManyPositions, UnknownState
from autograder.worker.inside.protocol import DUMPED_FRAMES, MAX_DEPTH
from autograder.worker.sandbox import LIMITS

Draw = Callable[[int], list[Picture]]
Place = dict[str, Any] | None  # of student code, as in `replies.LOCATION`
TWO_MOVES = "'(NoneType|str|tuple)' and '(NoneType|str|tuple)'"  # compared with each other
# Hints by the type of an exception and a part of its text.
HINTS = (
    ("(Type|Attribute)Error", f"^(?!.*{TWO_MOVES}).*NoneType", "origin-of-none"),
    (
        "TypeError",
        "cannot unpack non-iterable (?!NoneType)|'(int|float)' object is not subscriptable|"
        f"^(?!.*{TWO_MOVES}).*(operand|between).*'tuple'|multiply sequence|"
        "instances of '(str' and '(int|float)|(int|float)' and 'str)'",  # a move and a value
        "pair",
    ),
    ("(Memory|EOF|FileNotFound|Permission)Error", "", "confined"),
    ("RuntimeError", "can't start new thread", "confined"),
    ("ModuleNotFoundError", "", "what-can-be-imported"),
    # Messages of an older Python about newer syntax; a missing bracket or colon has others.
    (
        "SyntaxError",
        r"^(invalid syntax|f-string|expected '\('|multiple exception types)",
        "python-version",
    ),
    ("ImportError", "cannot import", "python-version"),
)
HINT_FACTS = {
    "memory": LIMITS["AS"] >> 20,
    "python": f"{sys.version_info[0]}.{sys.version_info[1]}",  # the worker's, too
}

# By file and name: other functions that a request calls, and their names in messages.
ALSO_CALLED = {
    ("player", "__init__"): "Player()",
    ("player", "seed"): "Player.seed",
    ("player", "reset"): "Player.reset",
    ("player", "opponent_played"): "Player.opponent_played",
}


@dataclass
class Request:
    """A request to the worker.

    name:   the function's name in messages
    server: the game, if it is served
    draw:   draws the position of the call with that index
    single: there is only one call
    seconds: its own time limit; None: what the case has left
    """

    file: str
    name: str
    server: GameServer | None
    draw: Draw
    single: bool
    seconds: float | None = None


def read_answers(reply: dict[str, Any], asked: Request) -> list[Any]:
    """Return the answers of a reply, one per call.

    Raises Failed when the function is missing, or when it raised.
    """
    answers: list[Any] = reply["answers"]
    if "missing" in reply:
        name = clean_text(reply["missing"])
        kind = "class" if name[:1].isupper() else "function"
        facts = {"file": asked.file, "kind": kind, "name": name}
        raise make_failure("not-written/missing", facts, stop=True)
    if "raised" in reply:
        failed = report_exception(reply, asked)
        if failed.finding.stop:
            raise failed
        call = len(answers)
        raise Failed(replace(failed.finding, call=call, diagrams=tuple(asked.draw(call))))
    return answers


def clean_output(printed: str) -> str:
    """Return the student code's output in printable form, with its indentation."""
    shown = re.sub(r"\S+ ?", remove_folder, printed)
    lines = (line.rstrip().expandtabs() for line in shown.splitlines())
    return "\n".join(sanitize(remove_addresses(line[:LONGEST_TEXT])) for line in lines)


def remove_folder(word: re.Match[str]) -> str:
    """Remove the worker's folder, which Python's warnings name, from a printed word."""
    shown, plain = word[0], word[0].replace("\\", "/")
    if "/autograder/worker/inside/" in plain and plain.endswith(": "):
        return ""
    _, folder, _ = plain.rpartition("/starter/")
    return shown[plain.rindex(folder) + len(folder) :] if folder else shown


# --- no answer ------------------------------------------------------------------------------------


def report_too_slow(asked: Request, seconds: float, place: Place, longest: float) -> Failed:
    """Return the finding for a worker that was stopped at its time limit.

    seconds: the limit of the test
    longest: the time limit of one request
    """
    loading = place is not None and place.get("function") == "<module>"
    kind = "/loading" if loading else "/one-call" if longest < seconds else ""
    facts = {
        "function": asked.name,
        "file": asked.file,
        "seconds": f"{min(seconds, longest):.3g}",
    }
    drawn = asked.draw(0) if asked.single and not loading else []
    return make_failure(f"too-slow{kind}", facts, describe_place(place), drawn, stop=True)


def report_no_answer(asked: Request, gone: WorkerGone, place: Place) -> Failed:
    """Return the finding for a worker that sent an invalid request, or ended early."""
    hints = describe_place(place)
    facts = {"function": asked.name, "reason": str(gone)}
    if isinstance(gone, UnknownState):
        return make_failure("state-kept", facts, hints, stop=True, reproducible=False)
    codes: dict[type[WorkerGone], str] = {
        TooManyPositions: "too-many-positions",
        NoReply: "unreadable",
    }
    code = f"no-answer/{codes.get(type(gone), 'ended')}"
    return make_failure(code, facts, hints, asked.draw(0) if asked.server else [], stop=True)


def describe_place(place: Place) -> list[Hint]:
    """Describe the line, function and depth that the worker reports for its code."""
    if not place:
        return []
    file, line, source = place["line"]
    at = Hint("it-was-at", {"file": shorten(file), "line": line, "source": shorten(source)})
    if place["function"] == "<module>":
        return [at]
    least = "at least " * (place["depth"] in (DUMPED_FRAMES, MAX_DEPTH))
    facts = {"function": shorten(place["function"]), "least": least, "depth": place["depth"]}
    return [at, Hint("in-call", facts)]


# --- exceptions -----------------------------------------------------------------------------------


def report_exception(reply: dict[str, Any], asked: Request) -> Failed:
    """Return the finding for an exception in student code."""
    error = reply["raised"]
    kind, said = clean_text(error["type"]), clean_text(error["text"])
    hints = list_traceback(error["lines"])
    facts = {"function": asked.name, "file": asked.file, "what": said or asked.name}
    if kind == "NotImplementedError":
        return make_failure("not-written", facts, hints[-1:], stop=True)
    if kind in DEBUGGERS and error["lines"]:
        return report_debugger(kind, error["lines"][-1], reply["importing"])
    facts["error"] = f"{kind}: {said}" if said else kind
    if reply["importing"]:
        hints += find_hints(asked.file, kind, said)
        code = f"not-loaded/{name_exception(kind)}"
        return make_failure(code, facts, hints, stop=True, reproducible=False)
    if asked.file == "mcts" and kind in WORKER_ERRORS:
        return make_failure(WORKER_ERRORS[kind], facts, hints, stop=kind == "Unbuildable")
    if kind == "RecursionError":
        hints = [*hints[-2:], Hint("recursion", {"depth": error["depth"]})]
    hints += find_hints(asked.file, kind, said)
    facts["function"] = ALSO_CALLED.get((asked.file, error["begun"]), asked.name)
    return make_failure(f"raised/{name_exception(kind)}", facts, hints)


# Errors of the worker when it reads or builds a search tree.
WORKER_ERRORS = {
    "Unreadable": "search-tree/not-read",
    "TooLarge": "search-tree/too-large",
    "Unbuildable": "node-not-built",
}


def find_hints(file: str, kind: str, said: str) -> list[Hint]:
    """Return hints on an exception of that type, with that text, in a question file."""
    in_tree = {"origin-of-none": "origin-of-none-in-tree"} if file == "mcts" else {}
    return [
        Hint(in_tree.get(name, name), HINT_FACTS)
        for of, part, name in HINTS
        if re.fullmatch(of, kind) and re.search(part, said)
    ]


def list_traceback(lines: list[Any]) -> list[Hint]:
    """Return the lines of a traceback: file, number and source text."""
    facts = [
        {"file": clean_text(file), "line": number, "source": clean_text(source)}
        for file, number, source in lines
    ]
    return [Hint("traceback", line) for line, _ in groupby(facts)]  # a comprehension occurs twice


# By exception type: the variant of the code for a forgotten debugger call.
DEBUGGERS = {"Breakpoint": "breakpoint", "BdbQuit": "started"}


def report_debugger(kind: str, line: Sequence[Any], loading: bool) -> Failed:
    """Return the finding for a debugger started at or before a traceback line."""
    file, number, source = line
    facts = {
        "file": clean_text(file),
        "line": number,
        "source": clean_text(source),
        "try": format_command("try"),
    }
    hints = [Hint("traceback", facts)]
    code = f"debugger/{DEBUGGERS[kind]}"
    return make_failure(code, facts, hints, stop=True, reproducible=not loading)
