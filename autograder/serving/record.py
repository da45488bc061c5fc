"""The record of a search: every position it came to and every question it asked, in order.

A game that is served to a worker keeps one (`referee.Served`), and so does `Recorded`, on which any
code of this process can play.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from operator import eq
from typing import Any, NamedTuple

from starter.games import Game, Move, Probability, State

# Bytes that one thing of each kind takes.
POSITION_BYTES, EVENT_BYTES, VALUE_BYTES = 16, 13, 250


class Position(NamedTuple):
    """One position as it was generated: which state, from which position, by which move."""

    state: State
    parent: int | None
    move: Move
    depth: int


class Event(NamedTuple):
    """One thing that student code asked for.

    kind: "result" (`number` is the new position), "initial" (the same, if the search did not start
          there), "utility", "cutoff" or "h"
    said: the depth passed to cutoff, the player passed to utility and h
    """

    kind: str
    number: int
    said: Any = None
    answer: Any = None


class Interned:
    """Values, each kept once and known by a number. Values of different types are different."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.numbers: dict[tuple[type, Any], int] = {}
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
        self.states, self.moves = Interned(), Interned()
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
        self.values = Interned()
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


class Record:
    """What one search asked of a game."""

    def __init__(self, game: Game, state: State) -> None:
        """The search starts at `state`, which is position 0."""
        self.game = game
        self.positions = Positions()
        self.positions.append(Position(state, None, None, 0))
        self.events = Events()

    def add(self, kind: str, state: State, parent: int | None, move: Move) -> int:
        """Keep a position that was asked for by an event of that kind; return its number."""
        number = len(self.positions)
        depth = 0 if parent is None else self.positions[parent].depth + 1
        self.positions.append(Position(state, parent, move, depth))
        self.events.append(Event(kind, number))
        return number

    @property
    def bytes(self) -> int:
        """About how many bytes the record takes."""
        tables = (self.positions.states, self.positions.moves, self.events.values)
        packed = POSITION_BYTES * len(self.positions) + EVENT_BYTES * len(self.events)
        return packed + sum(table.bytes for table in tables)

    def same_as(self, other: Record) -> bool:
        """Do both hold the same questions about the same positions?"""
        pairs = ((self.positions, other.positions), (self.events, other.events))
        return all(len(a) == len(b) and all(map(eq, a, b)) for a, b in pairs)

    def summary(self) -> list[Any]:
        """Return everything that was asked, as plain data."""
        parents = [[position.parent, str(position.move)] for position in self.positions]
        return [parents, [[event.kind, event.number, event.said] for event in self.events]]

    def name(self, number: Any) -> str:
        """Name the position with that number, by its key; "?" if none has."""
        try:
            return str(self.positions[int(number[:9])].state.key)
        except (TypeError, ValueError, LookupError):
            return "?"

    def children(self) -> dict[int, list[int]]:
        """Return the positions that were generated from each that has any, in their order."""
        found: dict[int, list[int]] = {}
        for number, position in enumerate(self.positions):
            if position.parent is not None:
                found.setdefault(position.parent, []).append(number)
        return found

    def path(self, number: int) -> list[int]:
        """Return the positions from the root to `number`, both included."""
        path, parents = [number], self.positions.packed[1]
        while (parent := parents[path[-1]]) >= 0:
            path.append(parent)
        return path[::-1]

    def moves(self, number: int) -> tuple[Move, ...]:
        """Return the moves that lead from the root to `number`."""
        return tuple(self.positions[n].move for n in self.path(number)[1:])


class RecordedState(NamedTuple):
    """A state of a recorded game, with its number in the record.

    It equals every state of the same position, and has all that `state` has.
    """

    number: int
    state: State

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RecordedState) and self.state == other.state

    def __hash__(self) -> int:
        return hash(self.state)

    def __str__(self) -> str:
        return str(self.state)


class Recorded(Game):
    """A game that keeps the record of the search that is played on it, from `initial` on."""

    def __init__(self, game: Game, state: State) -> None:
        self.game, self.record = game, Record(game, state)
        self.initial = RecordedState(0, state)

    def actions(self, state: State) -> tuple[Move, ...]:
        return self.game.actions(state.state)

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        return self.game.outcomes(state.state)

    def result(self, state: State, move: Move) -> State:
        child = self.game.result(state.state, move)
        return RecordedState(self.record.add("result", child, state.number, move), child)

    def is_terminal(self, state: State) -> bool:
        return self.game.is_terminal(state.state)

    def utility(self, state: State, player: str) -> float:
        utility = self.game.utility(state.state, player)
        self.record.events.append(Event("utility", state.number, player, utility))
        return utility
