"""What the grader and its workers agree on; both load this file.

They exchange lines of JSON. The grader sends a question:

    id        its number; the answer repeats it
    file      the question file that is asked, without ending, and `function` in it
    do        the verb: "call" or "find" (see `asked.py`), or one that only this question has
              (see the file of its name)
    answer    what is called returns a "number" or a "pair" (value, move)
    game      as `make_game` reads it, or ["served", the start]
    calls     what the verb is done with, one after the other; `state` as `make_state` reads it
    watch     the names of the functions whose calls are traced in a search of a served game

Arguments of a call that plain data can't hold are a dictionary of one kind: {"the": "game"} or
{"the": "state"} of the call, {"rng": seed}, or a kind of a question's own.

While a call runs on a served game the worker sends requests, a list each, and gets one line back:

    ["initial", 0]                           like "result"
    ["result", number, index of the move]    [number, position, and what is new of the position:
                                             who is to move, is it over, the moves, and where chance
                                             moves their probabilities]
    ["utility", number, player]              the utility
    ["cutoff", number, depth]                is it cut off?
    ["h", number, player]                    the heuristic's value
    ["look", number]                         {"key", "rows" or null, "text" or null: how it looks}

At the end it sends {"id", "printed", "answers"} and one of these:

    traced    every call is answered. It is empty unless the question has names to watch: then
              [number of the position, {"alpha", "beta", "depth", "returned": as text, "by": one of
              these names}] each
    missing   the name of a function that is not there
    raised    the exception that ended the call after those that are answered, with "importing":
              did the file itself raise it?

When its time is up it may send {"location": where the student's code is}. `worker/replies.py`
checks the exact form of all that a worker may send; the worker keeps to the sizes below.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from starter.games import GAMES, Game, State

PROVIDED_FILES = ("__init__.py", "players.py", "games/*.py")
GAME = {"the": "game"}
STATE = {"the": "state"}
TRACED_ARGUMENTS = (
    "alpha",
    "beta",
    "depth",
)  # the arguments that are told of a call that is watched
SIDES = {"max_value": "max", "min_value": "min"}  # what kind of node a function of that name is for
WATCHED = (*TRACED_ARGUMENTS, "returned")  # and the value that came back

MAX_TRACED_CALLS = 2_000  # positions whose calls are reported
LONGEST_LINE = 1_000_000  # bytes of one reply; the largest honest one has about half of that
DEEPEST, LARGEST = 8, 1e300  # of a reply's nesting, and of its numbers
LARGEST_TREE = 5_000  # nodes of a search tree
LONGEST_PRINTED = 2_000  # characters of student output
LONGEST_RAISED = 400  # of an exception's text
LONGEST_SHOWN = 120  # of one name, value or line of code
LONGEST_ODD = 2 * LONGEST_SHOWN + 3  # of a value that is not of the right kind, with its type
LONGEST_NAME = 200  # of a state in a row of a search tree
MOST_LINES = 3  # of a traceback
MAX_DEPTH = 10_000  # frames that are counted; a million would take all the memory there is
DUMPED_FRAMES = 100  # that Python writes when it crashes, or when a signal asks for it
MOST_ARGUMENTS = 8  # of a call that is shown
PHASES = ("select", "expand", "simulate", "backprop")  # of Monte Carlo tree search


def make_game(spec: Sequence[Any]) -> Game:
    """Return the game that is named, e.g. ["TicTacToe", 3, 3, 3]."""
    return made_game(json.dumps(spec))


@lru_cache(maxsize=64)  # a match asks for the same game at every move
def made_game(spec: str) -> Game:
    name, *parameters = json.loads(spec)
    game: Game = GAMES[name](*parameters)
    return game


def make_state(game: Game, spec: str | Sequence[int] | None) -> State:
    """Return a state: None the initial one, a text its key, [0, 2] indices of moves played."""
    if spec is None:
        return game.initial
    if isinstance(spec, str):
        return game.from_key(spec)
    return after_moves(game, game.initial, spec)


def after_moves(game: Game, state: State, indices: Sequence[int]) -> State:
    """Return the state that moves lead to, by their indices in `game.actions`."""
    for index in indices:
        state = game.result(state, game.actions(state)[index])
    return state
