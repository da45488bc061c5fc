"""Check the exact form of everything that a worker sends.

A worker runs student code, so its messages are untrusted. Each message is compared with the request
that it answers: its keys, and the type, size and number of all its parts. Checks and messages may
then rely on the form. The values stay untrusted: an answer may be wrong, and a worker's report
about itself may be false.
"""

from __future__ import annotations

from typing import Any

from autograder.worker.forms import (
    NOTHING,
    Form,
    either,
    exactly,
    items,
    record,
    row,
    text,
    whole,
)
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

# --- parts of messages ----------------------------------------------------------------------------

ODD = record(odd=text(LONGEST_ODD))
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
    depth=whole(),
)
TRACED_CALL = dict.fromkeys(TRACED_VALUES, SHOWN)
LOCATION = either(
    record(),
    record(line=SOURCE_LINE, function=SHOWN, depth=whole()),
)


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
        and all(
            type(node["under"]) is int and node["under"] < i for i, node in enumerate(others, 1)
        )
        and all(type(node["parent"]) is not int or node["parent"] < len(value) for node in value)
        and all(place < len(value) for node in value for _, place in node.get("again", ()))
    )


# --- answers, by the verb of the question ---------------------------------------------------------


def is_after_a_phase(value: Any) -> bool:
    """Is it the tree after a phase, with the returned node's row or a description?"""
    if not record(returned=either(whole(), ODD), tree=is_search_tree)(value):
        return False
    returned = value["returned"]
    return type(returned) is dict or returned < len(value["tree"])


def form_of_growth(playouts: int) -> Form:
    """Return the form of a tree grown by this number of playouts."""

    def fits(value: Any) -> bool:
        nodes = items(either(whole(), NOTHING, ODD), playouts, playouts)
        there = record(results=items(NUMBER, playouts, playouts), began=nodes, tree=is_search_tree)
        if not there(value):
            return False
        return all(type(node) is not int or node < len(value["tree"]) for node in value["began"])

    return fits


def form_of_answer(question: dict[str, Any], call: dict[str, Any]) -> Form:
    """Return the form of the answer to a call of a question."""
    if question["do"] == "call":
        return PAIR if question["answer"] == "pair" else NUMBER
    if question["do"] == "grow":
        after = form_of_growth(call["playouts"])
        return either(record(touched=NAME), after) if call["watch"] else after
    return ANSWERS[question["do"]]


ANSWERS: dict[str, Form] = {
    "find": exactly(True),
    "import": exactly(True),
    "phase": is_after_a_phase,
    "choose": either(NOTHING, PAIR),
    "move": MOVE,
}


# --- requests, while a call runs on a served game -------------------------------------------------

REQUESTS: dict[Any, Form] = {
    "call": row(exactly("call"), exactly(0)),
    "initial": row(exactly("initial"), exactly(0)),
    "result": row(exactly("result"), whole(), whole()),
    "utility": row(exactly("utility"), whole(), exactly("X", "O")),
    "cutoff": row(exactly("cutoff"), whole(), NUMBER),
    "h": row(exactly("h"), whole(), either(SHOWN, ODD)),
    "look": row(exactly("look"), whole()),
}


# --- whole messages -------------------------------------------------------------------------------

PRINTED = text(LONGEST_PRINTED)
ENDED_BY_ERROR = record(raised=RAISED, importing=exactly(True, False))


def is_request(message: Any) -> bool:
    """Is it a valid request about a served game?"""
    kind = message[0] if type(message) is list and message else None
    return type(kind) is str and kind in REQUESTS and REQUESTS[kind](message)


def are_requests(message: Any) -> bool:
    """Is it a list of requests that expect no reply?"""
    return items(is_request, 1, MAX_NOTED)(message)


def is_location(message: Any) -> bool:
    """Is it a report of the location of student code?"""
    return record(location=LOCATION)(message)


def is_progress(message: Any, calls: int) -> bool:
    """Is it a report that the call with this index begins?"""
    return record(call=whole(calls))(message)


def is_output(message: Any) -> bool:
    """Is it a part of what student code prints?"""
    return record(printed=PRINTED)(message)


def is_reply(message: Any, question: dict[str, Any], number: int, positions: int = 0) -> bool:
    """Is this a reply to the request with that number?

    positions: the number of recorded positions of a served game
    """
    if type(message) is not dict:
        return False
    end, calls = dict(message), question["calls"]
    if not exactly(number)(end.pop("id", None)):
        return False
    answers = end.pop("answers", None)
    if type(answers) is not list or len(answers) > len(calls):
        return False
    if not all(form_of_answer(question, call)(answer) for call, answer in zip(calls, answers)):
        return False
    if "traced" in end:
        most = MAX_TRACED_CALLS if question.get("watch") else 0
        traced = items(row(whole(positions), record(TRACED_CALL)), 0, most)
        return len(answers) == len(calls) and record(traced=traced)(end)
    if "missing" in end:
        return record(missing=SHOWN)(end)
    most = 0 if end.get("importing") is True else len(calls) - 1
    return len(answers) <= most and ENDED_BY_ERROR(end)
