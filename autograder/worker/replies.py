"""Check the exact form of everything that a worker sends.

A worker runs student code, so its messages are untrusted. Each message is compared with the request
that it answers: its keys, and the type, size and number of all its parts. Checks and messages may
then rely on the form. The values stay untrusted: an answer may be wrong, and a worker's report
about itself may be false.
"""

from math import inf
from typing import Any, NamedTuple

from autograder.worker.forms import NOTHING, Form, either, exactly, items, record, row, text, whole
from autograder.worker.forms import is_number as is_number
from autograder.worker.inside.protocol import (
    LARGEST_TREE,
    LONGEST_NAME,
    LONGEST_ODD,
    LONGEST_PRINTED,
    LONGEST_RAISED,
    LONGEST_SHOWN,
    MAX_NOTED,
    MAX_TRACED_CALLS,
    MOST_LINES,
    TRACED_VALUES,
)

UNREADABLE, ENDED = "no-answer/unreadable", "no-answer/ended"


class SourceLine(NamedTuple):
    """A line of student code; its number is 0 if it is unknown."""

    file: str
    number: int
    source: str


class Place(NamedTuple):
    """Where student code was: a line, the innermost function, and the number of calls."""

    file: str
    line: int
    source: str
    function: str
    depth: int


class Done(NamedTuple):
    """All calls are answered; `traced` are the traced calls, by node."""

    traced: list[Any]


class Missing(NamedTuple):
    """The file has no function or class of that name."""

    name: str


class Raised(NamedTuple):
    """A call, or loading the file, raised an exception.

    lines: the last lines of student code in its traceback
    begun: the student's function that the worker had called, "" if it had called none
    inside: the student's innermost function, likewise
    depth: the number of student code's calls
    """

    type: str
    text: str
    begun: str
    inside: str
    depth: int
    lines: list[SourceLine]
    importing: bool


class TooSlow(NamedTuple):
    """A call was stopped at its time limit; `most`: at the most that any call gets here.

    passed: seconds of the wall clock, if the message shall name these
    """

    most: float = inf
    passed: float | None = None


class Gone(NamedTuple):
    """The worker sent an invalid message, or ended. `code` is the finding's, `why` a text."""

    code: str
    why: str


Ending = Done | Missing | Raised | TooSlow | Gone


class Reply(NamedTuple):
    """What came of a request.

    answers: to the calls that have one
    printed: by student code, in this request
    place:   of student code, if it was stopped or crashed
    seconds: that it took by the clock, and `call_s`, its last call
    """

    answers: list[Any]
    ending: Ending
    printed: str = ""
    place: Place | None = None
    seconds: float = 0.0
    call_s: float = 0.0


ODD = record({"infinite": exactly(True)}, odd=text(LONGEST_ODD))
NUMBER = either(is_number, ODD)
MOVE = either(whole(), NOTHING, ODD)  # an index of the legal moves
PAIR = either(record(value=NUMBER, move=MOVE), ODD)
NAME, SHOWN = text(LONGEST_NAME), text(LONGEST_SHOWN)

SOURCE_LINE = row(SHOWN, whole(), SHOWN)  # file, line number, text
RAISED = record(
    type=SHOWN,
    text=text(LONGEST_RAISED),
    lines=items(SOURCE_LINE, 0, MOST_LINES),
    begun=SHOWN,
    inside=SHOWN,
    depth=whole(),
)
TRACED_CALL = dict.fromkeys(TRACED_VALUES, SHOWN)

NODE = record(
    {"again": items(row(MOVE, whole()), 1, LARGEST_TREE)},
    state=NAME,
    U=NUMBER,
    N=NUMBER,
    parent=either(NOTHING, whole(), ODD),
    under=either(NOTHING, whole()),
    key=MOVE,
    move=MOVE,
)


def is_search_tree(value: Any) -> bool:
    """Is it a search tree: one row per node, the root first, parents before children?"""
    if not items(NODE, 1, LARGEST_TREE)(value):
        return False
    root, *others = value
    return (
        root["under"] is root["key"] is root["move"] is None
        and all(whole(i)(node["under"]) for i, node in enumerate(others, 1))
        and all(type(node["parent"]) is not int or node["parent"] < len(value) for node in value)
        and all(place < len(value) for node in value for _, place in node.get("again", ()))
    )


# --- answers, by the verb of the request ---------------------------------------------------------


def is_after_a_phase(value: Any) -> bool:
    """Is it the tree after a phase, with the returned node's row or a description?"""
    found = record(returned=either(whole(), ODD), tree=is_search_tree)
    return found(value) and either(whole(len(value["tree"])), ODD)(value["returned"])


def form_of_growth(playouts: int) -> Form:
    """Return the form of a tree grown by this number of playouts."""

    def fits(value: Any) -> bool:
        nodes = items(either(whole(), NOTHING, ODD), playouts, playouts)
        there = record(results=items(NUMBER, playouts, playouts), began=nodes, tree=is_search_tree)
        return there(value) and all(
            type(node) is not int or node < len(value["tree"]) for node in value["began"]
        )

    return fits


def form_of_answer(request: dict[str, Any], call: dict[str, Any]) -> Form:
    if request["do"] == "call":
        return PAIR if request["answer"] == "pair" else NUMBER
    if request["do"] == "grow":
        after = form_of_growth(call["playouts"])
        return either(record(touched=NAME), after) if call["watch"] else after
    return ANSWERS[request["do"]]


ANSWERS: dict[str, Form] = {
    "find": exactly(True),
    "import": exactly(True),
    "phase": is_after_a_phase,
    "choose": either(NOTHING, PAIR),
    "move": MOVE,
}

# --- requests, while a call runs on a served game -------------------------------------------------

REQUESTS: dict[str, Form] = {  # what follows its kind
    "call": row(exactly(0)),
    "initial": row(exactly(0)),
    "result": row(whole(), whole()),
    "utility": row(whole(), exactly("X", "O")),
    "cutoff": row(whole(), NUMBER),
    "h": row(whole(), either(SHOWN, ODD)),
    "look": row(whole()),
}

ENDED_BY_ERROR = record(raised=RAISED, importing=exactly(True, False))


def is_request(message: Any) -> bool:
    """Is it a valid request about a served game?"""
    kind = message[0] if type(message) is list and message else None
    return type(kind) is str and kind in REQUESTS and REQUESTS[kind](message[1:])


def are_requests(message: Any) -> bool:
    """Is it a list of requests that expect no reply?"""
    return items(is_request, 1, MAX_NOTED)(message)


def is_progress(message: Any, calls: int) -> bool:
    """Is it a report that the call with this index begins?"""
    return record(call=whole(calls))(message)


def is_output(message: Any) -> bool:
    """Is it a part of what student code prints?"""
    return record(printed=text(LONGEST_PRINTED))(message)


def read_reply(message: Any, request: dict[str, Any], number: int, nodes: int = 0) -> Reply | None:
    """Return the reply to the request with that number, None for anything else.

    nodes: the number of recorded nodes of a served game
    """
    if type(message) is not dict:
        return None
    end, calls = dict(message), request["calls"]
    if not exactly(number)(end.pop("id", None)):
        return None
    answers = end.pop("answers", None)
    if type(answers) is not list or len(answers) > len(calls):
        return None
    if not all(form_of_answer(request, call)(answer) for call, answer in zip(calls, answers)):
        return None
    if "traced" in end:
        most = MAX_TRACED_CALLS if request.get("watch") else 0
        traced = items(row(whole(nodes), record(TRACED_CALL)), 0, most)
        if len(answers) == len(calls) and record(traced=traced)(end):
            return Reply(answers, Done(end["traced"]))
    elif "missing" in end:
        if record(missing=SHOWN)(end):
            return Reply(answers, Missing(end["missing"]))
    elif ENDED_BY_ERROR(end) and len(answers) <= (0 if end["importing"] else len(calls) - 1):
        raised = end["raised"]
        lines = [SourceLine(*line) for line in raised.pop("lines")]
        return Reply(answers, Raised(**raised, lines=lines, importing=end["importing"]))
    return None
