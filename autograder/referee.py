"""Keeps a game on the grader's side, serves it to the worker, and records what is asked.

Student code sees an ordinary game. Each position it generates gets a number of its own, known to
both sides; the position itself, its utility, the cutoff's answer and the heuristic's value stay
here until they are asked for. So the record shows every position that was asked for, in order, and
nothing that student code does can change it.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import eq
from typing import Any, NamedTuple

from autograder.sandbox import WorkerGone
from starter import games
from starter.games import Game, Move, State

MOST_POSITIONS = 600_000  # of one search; plain minimax has 549,946 on the empty 3x3 board
MOST_ASKED = 4  # questions per position, likewise; a search has reason to ask two
LONGEST_SAID = 120  # characters of what was passed
# Bytes of all that is kept of the searches of one case, and what one thing of each kind takes.
ROOM = 80_000_000
POSITION_BYTES, EVENT_BYTES, VALUE_BYTES = 16, 13, 250


class UnknownState(WorkerGone):
    """The worker asked about a state or move that it was never served."""


def make_game(spec: Sequence) -> Game:
    """Return the game that a case names, e.g. ["TicTacToe", 3, 3, 3]."""
    return made_game(json.dumps(spec))


@lru_cache(maxsize=64)  # a match asks for the same game at every move
def made_game(spec: str) -> Game:
    name, *parameters = json.loads(spec)
    return getattr(games, name)(*parameters)


def make_state(game: Game, spec: str | Sequence[int] | None) -> State:
    """Return a state: None the initial one, "XO./..." rows, [0, 2] indices of moves played."""
    if spec is None:
        return game.initial
    if isinstance(spec, str):
        return game.state(spec.split("/"))  # type: ignore[attr-defined]
    state = game.initial
    for index in spec:
        state = game.result(state, game.actions(state)[index])
    return state


def key_of(state: State) -> str:
    """Return what a case calls a state: a board its rows, as text; a place in a tree its path."""
    return "/".join(state.rows) if hasattr(state, "rows") else "".join(state.path)


def short(said: Any) -> Any:
    """What student code passed, as a number or a short text: the grader keeps it."""
    if type(said) in (int, float):
        return said
    odd = said.get("odd") if isinstance(said, dict) else said
    return (odd if isinstance(odd, str) else json.dumps(odd))[:LONGEST_SAID]


class Position(NamedTuple):
    """One position as it was generated: which state, from which position, by which move."""

    state: State
    parent: int | None
    move: Move
    depth: int


class Event(NamedTuple):
    """One thing that student code asked for.

    kind: "result" (`number` is the new position), "initial" (likewise, if the search did not start
          there), "utility", "cutoff" or "h"
    said: the depth passed to cutoff, the player passed to utility and h
    """

    kind: str
    number: int
    said: Any = None
    answer: Any = None


class Table:
    """Values, each kept once and known by a number. What differs in type differs."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.numbers: dict[tuple, int] = {}
        self.bytes = 0

    def number_of(self, value: Any) -> int:
        key = type(value), value
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.values)
            self.values.append(value)
            self.bytes += VALUE_BYTES + sys.getsizeof(value)
        return number


class Positions(Sequence[Position]):
    """The positions as they were generated, packed: a search asks for hundreds of thousands."""

    def __init__(self) -> None:
        self.states, self.moves = Table(), Table()
        self.packed = array("i"), array("i"), array("i"), array("i")

    def append(self, position: Position) -> None:
        states, parents, moves, depths = self.packed
        states.append(self.states.number_of(position.state))
        parents.append(-1 if position.parent is None else position.parent)
        moves.append(self.moves.number_of(position.move))
        depths.append(position.depth)

    def __len__(self) -> int:
        return len(self.packed[0])

    def __getitem__(self, number: int) -> Position:  # type: ignore[override]
        states, parents, moves, depths = self.packed
        parent = parents[number]
        return Position(
            self.states.values[states[number]],
            None if parent < 0 else parent,
            self.moves.values[moves[number]],
            depths[number],
        )


class Events(Sequence[Event]):
    """The events in their order, likewise."""

    KINDS = ("result", "initial", "utility", "cutoff", "h")

    def __init__(self) -> None:
        self.values = Table()
        self.packed = array("b"), array("i"), array("i"), array("i")

    def append(self, event: Event) -> None:
        kinds, numbers, said, answers = self.packed
        kinds.append(self.KINDS.index(event.kind))
        numbers.append(event.number)
        said.append(self.values.number_of(event.said))
        answers.append(self.values.number_of(event.answer))

    def __len__(self) -> int:
        return len(self.packed[0])

    def __getitem__(self, index: int) -> Event:  # type: ignore[override]
        kinds, numbers, said, answers = self.packed
        values = self.values.values
        kind = self.KINDS[kinds[index]]
        return Event(kind, numbers[index], values[said[index]], values[answers[index]])


class Served:
    """One game as it is served for one search, and the record of what was asked."""

    def __init__(
        self,
        game: Game,
        state: State,
        cutoff: Callable[[State, int], bool] | None = None,
        h: Callable[[State], float] | None = None,
    ) -> None:
        """cutoff and h answer from the case, whatever depth is passed; h gives X's side."""
        self.game = game
        self.cutoff, self.h = cutoff, h
        self.room = ROOM  # bytes that the record may take
        self.positions = Positions()
        self.positions.append(Position(state, None, None, 0))
        self.events = Events()

    def start_reply(self) -> list:
        return [0, 0, *self.facts(self.positions[0].state)]

    def facts(self, state: State) -> list:
        return [state.to_move, self.game.is_terminal(state), self.game.actions(state)]

    def new_position(self, kind: str, state: State, parent: int | None, move: Move) -> str:
        """Add a position; answer with its number, its state's and, if that is new, what is to know.

        Raises WorkerGone when there are too many.
        """
        number, states = len(self.positions), self.positions.states
        if number >= MOST_POSITIONS:
            raise WorkerGone(f"it asked for {MOST_POSITIONS:,} positions; does it end?")
        known = len(states.values)
        depth = 0 if parent is None else self.positions[parent].depth + 1
        self.positions.append(Position(state, parent, move, depth))
        self.events.append(Event(kind, number))
        name = states.number_of(state)
        return json.dumps([number, name, *(self.facts(state) if name == known else [])])

    @property
    def bytes(self) -> int:
        """What the record takes, about."""
        tables = (self.positions.states, self.positions.moves, self.events.values)
        packed = POSITION_BYTES * len(self.positions) + EVENT_BYTES * len(self.events)
        return packed + sum(table.bytes for table in tables)

    def serve(self, request: list) -> str:
        """Answer a request of the worker.

        Raises UnknownState for one about what was never served, WorkerGone when there are too many.
        """
        if len(self.events) % 1000 == 0 and self.bytes > self.room:
            raise WorkerGone("it asked for more than can be kept; does it end?")
        try:
            kind, number = request[0], request[1]
            if type(number) is not int or number < 0:
                raise ValueError
            position = self.positions[number]
            if kind == "initial":
                return self.initial()
            if kind == "result":
                index = request[2]
                if type(index) is not int or index < 0:
                    raise ValueError
                move = self.game.actions(position.state)[index]
                state = self.game.result(position.state, move)
                return self.new_position("result", state, number, move)
            return json.dumps(self.other(kind, number, position.state, request))
        except (ValueError, IndexError, TypeError):
            raise UnknownState("used a state or a move that this game never gave it") from None

    def initial(self) -> str:
        """Serve the game's initial state, which need not be where the search started."""
        state = self.game.initial
        if state == self.positions[0].state:
            return "[0, 0]"
        return self.new_position("initial", state, None, None)

    def other(self, kind: str, number: int, state: State, request: list) -> Any:
        if len(self.events) >= MOST_ASKED * len(self.positions) + 10_000:
            raise WorkerGone("it never stopped asking")
        answer: Any
        if kind == "look":
            rows = getattr(state, "rows", None)
            path = getattr(state, "path", None)
            text = str(state) if path is None else "/".join(path) or "root"
            return {"rows": rows, "text": text}
        said = request[2]
        if kind == "utility":
            answer = self.game.utility(state, said) if said in ("X", "O") else 0
        elif kind == "cutoff" and self.cutoff is not None:
            over = self.game.is_terminal(state)
            answer = not over and self.cutoff(state, self.positions[number].depth)
        elif kind == "h" and self.h is not None:
            answer = self.h(state) if said == "X" else -self.h(state)
        else:
            raise ValueError
        self.events.append(Event(kind, number, short(said), answer))
        return answer

    def same_as(self, other: Served) -> bool:
        """Was the same asked, of the same positions?"""
        pairs = ((self.positions, other.positions), (self.events, other.events))
        return all(len(a) == len(b) and all(map(eq, a, b)) for a, b in pairs)

    def summary(self) -> list:
        """Return everything that was asked, as plain data."""
        parents = [[position.parent, str(position.move)] for position in self.positions]
        return [parents, [[event.kind, event.number, event.said] for event in self.events]]

    def name(self, number: Any) -> str:
        """Name the position with that number, as text, by its rows or its path; "?" if none has."""
        try:
            return key_of(self.positions[int(number[:9])].state)
        except (TypeError, ValueError, LookupError):
            return "?"

    def path(self, number: int) -> list[int]:
        """Return the positions from the root to `number`, both included."""
        path, parents = [number], self.positions.packed[1]
        while (parent := parents[path[-1]]) >= 0:
            path.append(parent)
        return path[::-1]
