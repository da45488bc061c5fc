"""Puts into words what goes wrong while student code runs: it raises, never ends, or says nothing.

What comes from the worker here may be anything: it is shortened and cleaned before it is shown.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any

from autograder.checks.finding import NotWritten, TooSlow, Wrong, named, text, word
from autograder.commands import command
from autograder.diagram import Picture, name_of
from autograder.errors import NoReply, WorkerGone
from autograder.questions import QUESTION_FILES
from autograder.serving.game_server import Served, TooManyPositions, UnknownState
from autograder.worker.inside.protocol import DUMPED_FRAMES, MAX_DEPTH
from autograder.worker.sandbox import LIMITS

Draw = Callable[[int], list[Picture]]
Place = dict[str, Any] | None  # where student code was, as `replies.PLACE`
PYTHON = f"Python {sys.version_info[0]}.{sys.version_info[1]}"  # the worker's, too
CONFINED = (
    "While it is graded, code can't read or write other files, start programs or threads, or go "
    "online."
)
ON_LOADING = 'Matches, tests and prints belong under `if __name__ == "__main__":`.'
CRASHED_BY_DEPTH = (
    "Python crashes like this in a recursion without end, if sys.setrecursionlimit was raised."
)
OF_A_MOVE, OF_A_NODE = "^'(str|tuple|int)' object has no", "(N|U|children|parent)'"
BETWEEN_MOVES = "'(NoneType|str|tuple)' and '(NoneType|str|tuple)'"
# By the type of an exception and a part of its text.
HINTS = (
    (
        "(Type|Attribute)Error",
        f"^(?!.*{BETWEEN_MOVES}).*NoneType",
        "If a function returned that None: let every branch of it end in `return ...`.",
    ),
    (
        "TypeError",
        "cannot unpack non-iterable (?!NoneType)|'(int|float)' object is not subscriptable",
        "A pair was expected there, as in v2, _ = min_value(...): every function that searches "
        "returns two things, return value, move.",
    ),
    (
        "TypeError",
        "not supported between .*('str' and '(int|float)'|'(int|float)' and 'str')",
        "A move was compared with a value: every function that searches returns the value first, "
        "return value, move.",
    ),
    (
        "TypeError",
        "not supported between .*('tuple' and '(int|float)'|'(int|float)' and 'tuple')",
        "A pair, or a move, was compared with a value: v2, _ = min_value(...) takes the value out.",
    ),
    (
        "TypeError",
        f"not supported between .*{BETWEEN_MOVES}",
        "Compare values alone: of two pairs (value, move) with equal values Python compares the "
        "moves.",
    ),
    (
        "AttributeError",
        f"{OF_A_MOVE} attribute '{OF_A_NODE}",
        "node.children runs through moves; node.children.values() are the nodes.",
    ),
    (
        "AttributeError",
        f"{OF_A_MOVE} attribute '(?!{OF_A_NODE})",
        "Is that a move where a state belongs? game.result(state, move) makes the state.",
    ),
    (
        "MemoryError",
        "",
        f"It has {LIMITS['AS'] >> 20} MB of memory while it is graded, Python and NumPy included.",
    ),
    ("SystemExit", "", "Your code ended the program; it should return an answer instead."),
    ("EOFError", "", "Nobody can type anything while it is graded: take input() out."),
    (
        "FileNotFoundError",
        "",
        "While it is graded, the question files are alone: what another file holds belongs into "
        "the program.",
    ),
    ("SyntaxError", "", f"It is graded with {PYTHON}: the syntax of newer versions is an error."),
    (
        "ImportError",
        "cannot import",
        f"It is graded with {PYTHON}: newer versions have more names.",
    ),
)

# By file and name: what one question calls besides the function that it names, and what messages
# call it.
ALSO_CALLED = {
    ("player", "__init__"): "Player()",
    ("player", "seed"): "Player.seed",
    ("player", "reset"): "Player.reset",
    ("player", "opponent_played"): "Player.opponent_played",
}


@dataclass
class Inquiry:
    """What the worker was asked.

    name:   what messages call the function
    served: the game, if it is served
    draw:   draws what the call with that index is about
    single: there is one call only
    unused: the paths of files that were submitted and are not graded
    """

    file: str
    name: str
    served: Served | None
    draw: Draw
    single: bool
    unused: Sequence[str] = ()


def answers_in(reply: dict[str, Any], asked: Inquiry) -> list[Any]:
    """Return the answers of a reply, one per call.

    Raises NotWritten when the function is not there, Wrong when it raised.
    """
    answers: list[Any] = reply["answers"]
    if "missing" in reply:
        name = text(reply["missing"])
        kind = "class" if name[:1].isupper() else "function"
        raise NotWritten(
            "not-written/missing",
            f"{asked.file}.py has no {kind} {name}: keep the names as they are",
            final=True,
        )
    if "raised" in reply:
        wrong = raised(reply, asked)
        if not wrong.final:
            wrong.call = len(answers)
            wrong.pictures = asked.draw(wrong.call)
        raise wrong
    return answers


def as_printed(printed: str) -> str:
    """Return what student code printed, so that it can be shown."""
    shown = re.sub(r"\S+ ?", without_folder, printed)
    return "\n".join(map(text, shown.splitlines()))


def without_folder(word: re.Match[str]) -> str:
    """A word that was printed, without the worker's folder: Python's warnings name it."""
    shown, plain = word[0], word[0].replace("\\", "/")
    if "/autograder/worker/inside/" in plain and plain.endswith(": "):
        return ""
    _, folder, _ = plain.rpartition("/starter/")
    return shown[plain.rindex(folder) + len(folder) :] if folder else shown


# --- no answer ------------------------------------------------------------------------------------


def too_slow(
    asked: Inquiry, seconds: float, before: list[str], place: Place, longest: float
) -> TooSlow:
    """The worker was stopped after so many seconds; in the functions `before` it was earlier.

    longest: the most that one question gets
    """
    why = f"as {before[0]} was before" if before else "over ten times its need"
    if longest < seconds:
        seconds, why = longest, "the most that one call gets here"
    loading = place is not None and place.get("function") == "<module>"
    what = f"loading {asked.file}.py" if loading else asked.name
    return TooSlow(
        "too-slow",
        f"{what} did not end: it was stopped after {seconds:.3g} s, {why}",
        where=[
            *where_it_was(place, asked.served),
            ON_LOADING
            if loading
            else "Does every loop and recursion come to an end? If so, what is slow: copies, "
            "prints, the heuristic, state.board() in an inner loop?",
        ],
        pictures=asked.draw(0) if asked.single else [],
        final=True,
        first=not before,
    )


def no_answer(asked: Inquiry, gone: WorkerGone, place: Place) -> Wrong:
    """The worker asked about what it was never served, or ended for another reason."""
    where = where_it_was(place, asked.served)
    if isinstance(gone, UnknownState):
        return Wrong(
            "state-kept",
            f"{asked.name} {gone}",
            expected="every search begins afresh, with the state it is given",
            got="something of an earlier search: look for a dictionary, list or node that is "
            "made outside the functions, a default argument that is filled, a cache",
            where=where,
            final=True,
            alone=False,
        )
    if "SIGSEGV" in str(gone):
        where.append(CRASHED_BY_DEPTH)
    codes: dict[type[WorkerGone], str] = {
        TooManyPositions: "too-many-positions",
        NoReply: "unreadable",
    }
    return Wrong(
        f"no-answer/{codes.get(type(gone), 'ended')}",
        f"{asked.name} gave no answer: {gone}",
        where=where,
        pictures=asked.draw(0) if asked.served else [],
        final=True,
    )


def where_it_was(place: Place, served: Served | None) -> list[str]:
    """Tell the line, the call and the depth at which the worker says its code was."""
    if not place:
        return []
    positions = served.positions if served else []
    file, line, source = map(word, place["line"])
    arguments = []
    for name, value in place["arguments"] or ():
        if type(value) is int:  # the number of a served state; one of another game has no name here
            value = name_of(positions[value].state) if value < len(positions) else "a state"
        arguments.append(word(name) if value is None else f"{word(name)}={word(value)}")
    depth = place["depth"]
    least = "at least " if depth in (DUMPED_FRAMES, MAX_DEPTH) else ""
    deep = "" if depth == 1 else f", {least}{depth:,} calls deep"
    called = "" if place["arguments"] is None else f"({', '.join(arguments)})"
    return [
        f"It was then at {file}, line {line}:  {source}",
        f"in {word(place['function'])}{called}{deep}",
    ]


# --- exceptions -----------------------------------------------------------------------------------


def raised(reply: dict[str, Any], asked: Inquiry) -> Wrong:
    """Student code raised an exception."""
    error = reply["raised"]
    kind, said = text(error["type"]), text(error["text"])
    where = traced(error["lines"])
    if kind == "NotImplementedError":
        return NotWritten("not-written", f"not written yet: {said or asked.name}", final=True)
    if kind == "PermissionError" or said == "can't start new thread":
        where.append(CONFINED)
    if kind in DEBUGGERS and error["lines"]:
        return left_debugger(kind, error["lines"][-1], reply["importing"])
    if reply["importing"]:
        return not_loaded(asked, kind, said, where)
    if kind == "Unreadable":
        return Wrong(
            "search-tree/not-read",
            f"after {asked.name} a node's children are no dictionary",
            expected="node.children[move] = child, in each node a dict from moves to nodes",
            got=f"the {said}",
            where=where,
        )
    if kind == "TooLarge":
        return Wrong(
            "search-tree/too-large",
            f"after {asked.name} the search tree has {said}",
            expected="children for one leaf in each playout",
            got=said,
            where=where,
        )
    if kind == "Unbuildable":
        return Wrong(
            "node-not-built",
            f"a search tree can't be built of your Node: {said}",
            expected="Node(state, parent, move), with attributes that can be set, as in the "
            "starter",
            where=where,
            final=True,
        )
    if kind == "RecursionError":
        depth = f"The recursion was {error['depth']:,} calls deep. "
        where = [*where[-2:], f"{depth}Does it stop at terminal states?"]
    where += [hint for of, part, hint in HINTS if re.fullmatch(of, kind) and re.search(part, said)]
    where += asked_of_state(said, where)
    name = ALSO_CALLED.get((asked.file, error["begun"]), asked.name)
    what = f"{name} raised {kind}: {said}" if said else f"{name} raised {kind}"
    return Wrong(f"raised/{named(kind)}", what, where=where)


def asked_of_state(said: str, where: list[str]) -> list[str]:
    """Say what to write where a state was asked for what the game tells."""
    asked = re.match(r"(?:a state|'\w*State' object) has no (?:attribute )?'(\w+)'", said)
    name = asked[1] if asked else ""
    if name not in TOLD_BY_GAME or not where or not re.search(rf"(?<!game)\.{name}\b", where[-1]):
        return []
    return [f"The game tells that, not the state: write game.{TOLD_BY_GAME[name]}."]


TOLD_BY_GAME = {
    "actions": "actions(state)",
    "is_terminal": "is_terminal(state)",
    "outcomes": "outcomes(state)",
    "result": "result(state, move)",
    "utility": "utility(state, player)",
}


def traced(lines: list[Any]) -> list[str]:
    """Return the lines of a traceback: file, line and what stands there."""
    where = [f"{text(file)}, line {number}:  {text(source)}" for file, number, source in lines]
    return [line for line, _ in groupby(where)]  # a comprehension's line is there twice


# By the type of an exception: what it says of a debugger that was left in, before the place.
DEBUGGERS = {"Breakpoint": "breakpoint() is left in", "BdbQuit": "a debugger starts just before"}


def left_debugger(kind: str, line: Sequence[Any], loading: bool) -> Wrong:
    """Student code has started a debugger, in or before that line of a traceback."""
    file, number, source = line
    place = f"{text(file)}, line {number}"
    return Wrong(
        "debugger",
        f"{DEBUGGERS[kind]} {place}: remove it, or use `{command('try')}`",
        where=[f"{place}:  {text(source)}"],
        final=True,
        alone=not loading,
    )


def not_there(said: str, asked: Inquiry) -> str:
    """Say in one line what to do about a module that was not found."""
    found = re.search(r"'((?:starter\.)?)([\w.]+)'", said)
    prefix, name = found.groups() if found else ("", "")
    if f"{name}.py" in QUESTION_FILES:
        if prefix:
            return f"{name}.py was not handed in: hand it in too."
        return f"Your own files are in `starter`: from starter.{name} import ..."
    for path in map(PurePosixPath, asked.unused):
        if path.suffix == ".py" and not {path.stem, *path.parent.parts}.isdisjoint(name.split(".")):
            return (
                f"{text(str(path))} is not used, because each question file is graded alone: move "
                f"what {asked.file}.py needs from it into {asked.file}.py."
            )
    return (
        f"Only NumPy and the standard library of {PYTHON} can be imported, and what is provided: "
        "from starter.games import ..."
    )


def not_loaded(asked: Inquiry, kind: str, said: str, where: list[str]) -> Wrong:
    """The file itself raised an exception."""
    if kind == "ModuleNotFoundError":
        where.append(not_there(said, asked))
    where += [hint for of, part, hint in HINTS if re.fullmatch(of, kind) and re.search(part, said)]
    what = f"{asked.file}.py can't be loaded: {kind}" + (f": {said}" if said else "")
    return Wrong(f"not-loaded/{named(kind)}", what, where=where, final=True, alone=False)
