"""Record a search: every node that it generates and every request, in order."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

from autograder.diagram import default_side
from starter.games import Game, Move, State

# Bytes of a position and of an event, without their state or text.
POSITION_BYTES, EVENT_BYTES, STATE_BYTES = 160, 140, 500


class Position(NamedTuple):
    """A generated position: its state, its parent's number, the move, its depth."""

    state: State
    parent: int | None
    move: Move
    depth: int


class Event(NamedTuple):
    """One request of student code.

    kind: "result" (`number` is the new position), "initial" (the same, if the search did not start
          there), "utility", "cutoff" or "h"
    said: the depth passed to cutoff, the player passed to utility and h
    """

    kind: str
    number: int
    said: Any = None
    answer: Any = None


class Record:
    """The positions and requests of one search."""

    def __init__(self, game: Game, state: State) -> None:
        """Start a record; the search starts at `state`, which is position 0."""
        self.game = game
        self.max_player = default_side(state)  # values are for this player
        self.positions = [Position(state, None, None, 0)]
        self.events: list[Event] = []
        self.states = {state: 0}  # the different states, numbered in order
        self.bytes = 0  # approximate size of the record

    def add(self, kind: str, state: State, parent: int | None, move: Move) -> int:
        """Store a position that an event of that kind generated; return its number."""
        number, known = len(self.positions), len(self.states)
        depth = 0 if parent is None else self.positions[parent].depth + 1
        is_new = self.states.setdefault(state, known) == known
        self.bytes += POSITION_BYTES + EVENT_BYTES + STATE_BYTES * is_new
        self.positions.append(Position(state, parent, move, depth))
        self.events.append(Event(kind, number))
        return number

    def note(self, event: Event) -> None:
        """Store an event."""
        self.bytes += EVENT_BYTES + (sys.getsizeof(event.said) if event.said is not None else 0)
        self.events.append(event)

    def same_as(self, other: Record) -> bool:
        """Do both contain the same requests about the same positions?"""
        return (self.positions, self.events) == (other.positions, other.events)

    def summary(self) -> list[Any]:
        """Return all requests as plain data."""
        parents = [[position.parent, str(position.move)] for position in self.positions]
        return [parents, [[event.kind, event.number, event.said] for event in self.events]]

    def name(self, number: Any) -> str:
        """Name the position with that number, by its key; "?" if none has."""
        try:
            return str(self.positions[int(number[:9])].state.key)
        except (TypeError, ValueError, LookupError):
            return "?"

    @property
    def root(self) -> State:
        """The state where the search starts."""
        return self.positions[0].state

    def state(self, number: int) -> State:
        return self.positions[number].state

    def is_over(self, number: int) -> bool:
        """Is the game over at a position?"""
        return self.game.is_terminal(self.state(number))

    def actions(self, number: int) -> tuple[Move, ...]:
        """Return the moves at a position."""
        return self.game.actions(self.state(number))

    def asked(self, *kinds: str) -> list[Event]:
        """Return the requests of some kinds, in order."""
        return [event for event in self.events if event.kind in kinds]

    def children(self) -> dict[int, list[int]]:
        """Return the children of each inner position, in the order of generation."""
        found: dict[int, list[int]] = {}
        for number, position in enumerate(self.positions):
            if position.parent is not None:
                found.setdefault(position.parent, []).append(number)
        return found

    def path(self, number: int) -> list[int]:
        """Return the positions from the root to `number`, both included."""
        path = [number]
        while (parent := self.positions[path[-1]].parent) is not None:
            path.append(parent)
        return path[::-1]

    def moves(self, number: int) -> tuple[Move, ...]:
        """Return the moves that lead from the root to `number`."""
        return tuple(self.positions[n].move for n in self.path(number)[1:])
