"""The protocol of the grader and its workers; both load this file.

They exchange lines of JSON. The grader sends a request:

    id        its number; the reply repeats it
    seconds   its time limit
    file      a question file, without ending; `function` is in it
    do        the verb, see `VERBS` in `worker.py`
    answer    the form of the function's value: "number" or "pair" (value, move)
    game      an argument of `make_game`, or ["served", the start]
    calls     the calls, in order; `state` is an argument of `make_state`
    watch     trace the calls of student code in a search of a served game?

Arguments that are not plain data are given by a dictionary with one key: {"the": "game"} or {"the":
"state"} of the call, or a kind of `ARGUMENTS` in `request.py`, as {"rng": seed}.

While a call runs on a served game the worker sends requests, each a list, and gets one line back:

    ["initial", 0]                           like "result"
    ["result", number, index of the move]    [number, state, and for a new state its facts:
                                             the player to move, is it over, the moves, and the
                                             utilities for X and O if it is over, the moves'
                                             probabilities if chance moves]
    ["utility", number, player]              the utility
    ["cutoff", number, depth]                does the search stop here?
    ["h", number, player]                    the heuristic's value
    ["call", 0]                              null: the next of several calls begins
    ["look", number]                         {"key", "rows" or null, "text" or null: how it looks}

If it knows the reply, by the facts or by the same request about an equal state, it does not wait
for it: it sends such requests later, as a list of them, ahead of its next line. No reply follows.

When a call of the request begins, it may send {"call": index}; of many quick ones few are sent.
What student code prints is sent at once as {"printed": text}, up to a limit.
At the end it sends {"id", "answers"} and one of these:

    traced    every call is answered. It is empty unless the request says to watch: then
              [number of the node, {"alpha", "beta", "depth", "returned": as text}] each
    missing   the name of a missing function
    raised    the exception of the first call without an answer, with "importing": did loading the
              file raise it?

`worker/replies.py` checks the exact form of all that a worker may send; the worker keeps to the
sizes below.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from starter.games import GAMES, Game, State

GAME = {"the": "game"}
STATE = {"the": "state"}
TRACED_ARGUMENTS = ("alpha", "beta", "depth")  # reported for a traced call
TRACED_VALUES = (*TRACED_ARGUMENTS, "returned")  # and the return value

MAX_TRACED_CALLS = 2_000  # nodes whose calls are reported
LONGEST_LINE = 1_000_000  # bytes of one reply; the largest honest one has about half of that
MAX_NOTED = 32  # requests that are sent together, without a reply
LARGEST = 1e300  # of all numbers in messages
LARGEST_TREE = 5_000  # nodes of a search tree
LONGEST_PRINTED = 2_000  # characters of student output
LONGEST_RAISED = 400  # of an exception's text
LONGEST_SHOWN = 120  # of one name, value or line of code
LONGEST_ODD = 2 * LONGEST_SHOWN + 3  # of a value of a wrong kind, with its type
LONGEST_NAME = 200  # of a state in a row of a search tree
MOST_LINES = 3  # of a traceback
DUMPED_FRAMES = 100  # in a dump that Python writes at a crash or on a signal
PHASES = ("select", "expand", "simulate", "backprop")  # of Monte Carlo tree search


def make_game(spec: Sequence[Any]) -> Game:
    """Return the named game, e.g. ["TicTacToe", 3, 3, 3]."""
    return make_cached_game(json.dumps(spec))


@lru_cache(maxsize=256)  # a match asks for the same game at every move
def make_cached_game(spec: str) -> Game:
    name, *parameters = json.loads(spec)
    game: Game = GAMES[name](*parameters)
    return game


def make_state(game: Game, key: str | None) -> State:
    """Return the state with that key, the initial state for None."""
    return game.initial if key is None else game.from_key(key)
