"""Keeps a game on the grader's side, serves it to the worker, and records what is asked.

Student code sees an ordinary game. Each position it generates gets a number of its own, known to
both sides; the position itself, its utility, the cutoff's answer and the heuristic's value stay
here until they are asked for. So the record shows every position that was asked for, in order, and
nothing that student code does can change it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from math import isnan
from typing import Any

from autograder.inside.protocol import LONGEST_SHOWN, SIDES, WATCHED
from autograder.questions import SEARCHES
from autograder.record import Event, Record
from autograder.sandbox import WorkerGone
from starter.games import Game, Move, State

MOST_POSITIONS = 600_000  # of one search; plain minimax has 549,946 on the empty 3x3 board
MOST_ASKED = 4  # questions per position, at most; a search has reason to ask two
ROOM = 80_000_000  # bytes of all that is kept of the searches of one case
WATCHED_FUNCTIONS = (*SIDES, *SEARCHES)


class UnknownState(WorkerGone):
    """The worker asked about a state or move that it was never served."""


class TooManyPositions(WorkerGone):
    """The worker asked for one position more than it may."""


def short(said: Any) -> Any:
    """What student code passed, as a number or a short text: the grader keeps it."""
    if type(said) in (int, float):
        return said
    odd = said.get("odd") if isinstance(said, dict) else said
    return (odd if isinstance(odd, str) else json.dumps(odd))[:LONGEST_SHOWN]


def number_in(said: Any) -> float | None:
    """Read a number that came as text; None if it is none."""
    try:
        number = float(said)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if isnan(number) else number


class Served(Record):
    """One game as it is served for one search, and the record of what was asked."""

    def __init__(
        self,
        game: Game,
        state: State,
        cutoff: Callable[[State, int], bool] | None = None,
        h: Callable[[State], float] | None = None,
    ) -> None:
        """cutoff and h answer from the case, whatever depth is passed; h gives X's side."""
        super().__init__(game, state)
        self.cutoff, self.h = cutoff, h
        self.room = ROOM  # bytes that the record may take
        self.most = MOST_POSITIONS  # that may be asked for
        # By position: alpha, beta and depth as student code was called with them, and the value
        # that it returned, if that was watched. The worker says so: it is only shown.
        self.handed: dict[int, dict[str, float]] = {}
        self.given_to: dict[int, str] = {}  # likewise: of WATCHED_FUNCTIONS

    def take_handed(self, told: Any) -> None:
        """Keep what the worker says was handed on, as far as it makes sense."""
        for entry in told if isinstance(told, list) else []:
            if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], dict):
                number, found = entry
                if type(number) is int and 0 <= number < len(self.positions):
                    numbers = {name: number_in(found.get(name)) for name in WATCHED}
                    self.handed[number] = {k: v for k, v in numbers.items() if v is not None}
                    if found.get("by") in WATCHED_FUNCTIONS:  # it may be anything
                        self.given_to[number] = found["by"]

    def returned(self, number: int) -> float | None:
        """What came back from a position, if that was watched."""
        return self.handed.get(number, {}).get("returned")

    def start_reply(self) -> list[Any]:
        return [0, 0, *self.facts(self.positions[0].state)]

    def facts(self, state: State) -> list[Any]:
        """What is new of a state: who is to move, is it over, the moves, their probabilities."""
        facts = [state.to_move, self.game.is_terminal(state), self.game.actions(state)]
        chances = self.game.outcomes(state) if state.to_move == "chance" else ()
        return [*facts, *(p if isinstance(p, float) else str(p) for p, _ in chances)]

    def new_position(self, kind: str, state: State, parent: int | None, move: Move) -> str:
        """Add a position; answer with its number, its state's and, if that is new, its facts.

        Raises TooManyPositions where they are more than `most`.
        """
        states = self.positions.states
        if len(self.positions) >= self.most:
            raise TooManyPositions(f"it asked for {self.most:,} positions; does it end?")
        known = len(states.values)
        number = self.add(kind, state, parent, move)
        name = states.number_of(state)
        return json.dumps([number, name, *(self.facts(state) if name == known else [])])

    def serve(self, request: list[Any]) -> str:
        """Answer a request of the worker.

        Raises UnknownState if it is about something never served, WorkerGone if it is one too many.
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

    def other(self, kind: str, number: int, state: State, request: list[Any]) -> Any:
        if len(self.events) >= MOST_ASKED * len(self.positions) + 10_000:
            raise WorkerGone("it never stopped asking")
        answer: Any
        if kind == "look":
            picture = state.picture()
            # A tree's own text gives away what is below.
            text = None if picture["kind"] == "tree" else str(state)
            return {"key": state.key, "rows": picture.get("rows"), "text": text}
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
