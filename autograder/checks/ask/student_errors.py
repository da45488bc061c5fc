"""Findings about student code that raises, runs too long, or gives no answer.

The worker's text may be anything: it is shortened and cleaned before it is shown.
"""

import re
import sys
from dataclasses import replace
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
)
from autograder.checks.ask.session import Ask
from autograder.commands import format_command
from autograder.printable import sanitize
from autograder.worker.inside.protocol import DUMPED_FRAMES
from autograder.worker.replies import Done, Gone, Missing, Place, Raised, Reply, TooSlow
from autograder.worker.sandbox import LIMITS

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
    ("ValueError", r"^\d+ is not a legal move here(: \(|; choose one of )['(]", "index-for-move"),
    ("ValueError", r"^(Fraction|\d*\.\d).* is not a legal move", "outcomes-swapped"),
    ("ValueError", r"^\[.*\] is not a legal move", "list-for-move"),
    ("ValueError", "^['(].* is not a legal move", "move-of-another-state"),
    ("ValueError", "^a player is .*'chance'", "chance-as-player"),
    ("AttributeError", "^'(str|tuple|int)' object .* '(children|U|N)'", "move-for-node"),
    ("ImportError", "cannot import name .* from '(?!starter)", "python-version"),
)
# Lines that only a newer Python can read: a type alias, type parameters, exceptions without
# parentheses.
NEWER_SYNTAX = re.compile(r"^(type \w+|(async )?def \w+\[|class \w+\[|except\*? \w+(, \w+)+:)")
OTHERS = ("connect_four_heuristic", "cutoff_depth")
# A line that puts the state after a move in place of the state before it; a playout may do so.
OVERWRITES = re.compile(r"^((?:self\.)?\w+) = game\.result\(\1, ")
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


def read_answers(reply: Reply, asked: Ask, limit: float) -> list[Any]:
    """Return the answers of a reply, one per call.

    limit: of the test, in seconds

    Raises Failed unless all calls are answered.
    """
    match reply.ending:
        case Done():
            return reply.answers
        case Missing(name):
            kind = "class" if name[:1].isupper() else "function"
            facts = {"file": asked.file, "kind": kind, "name": clean_text(name)}
            raise make_failure("not-written/missing", facts, stop=True)
        case Raised() as error:
            failed, call = report_exception(error, asked), len(reply.answers)
            if failed.finding.stop:
                raise failed
            raise Failed(replace(failed.finding, call=call, diagrams=tuple(asked.draw(call))))
        case TooSlow() as slow:
            raise report_too_slow(asked, limit, reply.place, slow)
        case Gone(code, why):
            raise report_no_answer(asked, code, why, reply.place)


def clean_output(printed: str) -> str:
    """Return the student code's output in printable form, with its indentation."""
    shown = re.sub(r"\S+ ?", remove_folder, printed)
    lines = (line.rstrip().expandtabs() for line in shown.splitlines())
    return "\n".join(sanitize(remove_addresses(line[:LONGEST_TEXT])) for line in lines)


def remove_paths(text: str) -> str:
    """Remove the worker's folder, which some exceptions of Python name, from a text."""
    return re.sub(r" \([^()]*[/\\]starter[/\\][^()]*\)", "", text)


def remove_folder(word: re.Match[str]) -> str:
    """Remove the worker's folder, which Python's warnings name, from a printed word."""
    shown, plain = word[0], word[0].replace("\\", "/")
    if "/autograder/worker/inside/" in plain and plain.endswith(": "):
        return ""
    _, folder, _ = plain.rpartition("/starter/")
    return shown[plain.rindex(folder) + len(folder) :] if folder else shown


def report_too_slow(asked: Ask, limit: float, place: Place | None, slow: TooSlow) -> Failed:
    """Return the finding for code that was stopped; `limit`: of the test, in seconds."""
    loading = place is not None and place.function == "<module>"
    kind = "/loading" if loading else "/one-call" if slow.most < limit else ""
    seconds = min(limit, slow.most) if slow.passed is None else slow.passed
    facts = {"function": asked.name, "file": asked.file, "seconds": f"{seconds:.3g}"}
    drawn = asked.draw(0) if len(asked.request["calls"]) == 1 and not loading else []
    return make_failure(f"too-slow{kind}", facts, describe_place(place), drawn, stop=True)


def report_no_answer(asked: Ask, code: str, why: str, place: Place | None) -> Failed:
    """Return the finding for a worker that sent an invalid message, or ended early."""
    facts = {"function": asked.name, "reason": why}
    hints, again = describe_place(place), code != "state-kept"
    drawn = asked.draw(0) if asked.server and again else []
    return make_failure(code, facts, hints, drawn, stop=True, reproducible=again)


def describe_line(file: str, number: int, source: str) -> dict[str, Any]:
    return {"file": clean_text(file), "line": number, "source": clean_text(source)}


def describe_place(place: Place | None) -> list[Hint]:
    """Describe the line, function and depth of student code."""
    if place is None:
        return []
    at = Hint("it-was-at", describe_line(place.file, place.line, place.source))
    if place.function == "<module>":
        return [at]
    least = "at least " * (place.depth >= DUMPED_FRAMES)
    facts = {"function": clean_text(place.function), "least": least, "depth": place.depth}
    return [at, Hint("in-call", facts)]


def report_exception(error: Raised, asked: Ask) -> Failed:
    kind, said = clean_text(error.type), clean_text(remove_paths(error.text))
    described = (describe_line(*line) for line in error.lines)
    hints = [
        Hint("traceback", line) for line, _ in groupby(described)
    ]  # a comprehension occurs twice
    what = said or f"write {asked.name} in {asked.file}.py"
    facts = {"function": asked.name, "file": asked.file, "what": what}
    if kind == "NotImplementedError":
        return make_failure("not-written", facts, hints[-1:], stop=True)
    if kind in DEBUGGERS and hints:
        facts = {**hints[-1].facts, "try": format_command("try")}
        code, loaded = f"debugger/{DEBUGGERS[kind]}", not error.importing
        return make_failure(code, facts, hints[-1:], stop=True, reproducible=loaded)
    facts["error"] = f"{kind}: {said}" if said else kind
    if error.importing:
        hints += find_hints(asked, error, said)
        code = f"not-loaded/{name_exception(kind)}"
        return make_failure(code, facts, hints, stop=True, reproducible=False)
    if asked.file == "mcts" and kind in WORKER_ERRORS:
        return make_failure(WORKER_ERRORS[kind], facts, hints, stop=kind == "Unbuildable")
    if kind == "RecursionError":
        hints = [*hints[-2:], Hint("recursion", {"depth": error.depth})]
    hints += find_hints(asked, error, said)
    facts["function"] = ALSO_CALLED.get((asked.file, error.begun), asked.name)
    return make_failure(f"raised/{name_exception(kind)}", facts, hints)


# By exception type: the variant of the code for a forgotten debugger call.
DEBUGGERS = {"Breakpoint": "breakpoint", "BdbQuit": "started"}
# Errors of the worker when it reads or builds a search tree.
WORKER_ERRORS = {
    "Unreadable": "search-tree/not-read",
    "WrongNode": "search-tree/wrong-node",
    "TooLarge": "search-tree/too-large",
    "Unbuildable": "node-not-built",
}


def find_hints(asked: Ask, error: Raised, said: str) -> list[Hint]:
    """Return hints on an exception with that text."""
    origin = "-in-tree" if asked.file == "mcts" else "-in-search" if returns_pair(asked) else ""
    source = error.lines[-1].source if error.lines else ""
    if source.startswith("raise "):
        return []  # the text is the student's own
    # Only searches return two things; the innermost function may be another one.
    unfit = set() if returns_pair(asked) and error.inside not in OTHERS else {"pair"}
    if asked.file != "expectiminimax":
        unfit.add("outcomes-swapped")
    if not NEWER_SYNTAX.search(source) and said.startswith(("invalid syntax", "expected '('")):
        unfit.add("python-version")
    line = OVERWRITES.match(source) if error.type == "ValueError" else None
    if line and (asked.file == "player" or returns_pair(asked)):
        name = "own-board" if asked.file == "player" else "state-overwritten"
        return [Hint(name, {"name": line[1]})]
    return [
        Hint(name + origin * (name == "origin-of-none"), HINT_FACTS)
        for of, part, name in HINTS
        if name not in unfit and re.fullmatch(of, error.type) and re.search(part, said)
    ]


def returns_pair(asked: Ask) -> bool:
    """Does the function return a value and a move?"""
    return asked.request.get("answer") == "pair" and asked.file != "mcts"
