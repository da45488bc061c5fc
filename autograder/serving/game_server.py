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

from autograder.errors import WorkerGone
from autograder.questions import SEARCHES
from autograder.serving.record import Event, Record
from autograder.worker.inside.protocol import SIDES, WATCHED
from starter.games import Game, Move, State

MAX_POSITIONS = 150_000  # of one search; the largest of a right submission has 18,297
MAX_QUESTIONS = 4  # questions per position, at most; a search has reason to ask two
MAX_RECORD_BYTES = 80_000_000  # bytes of all that is kept of the searches of one case
TRACED_FUNCTIONS = (*SIDES, *SEARCHES)
NEVER_GIVEN = "used a state or a move that this game never gave it"


class UnknownState(WorkerGone):
    """The worker asked about a state or move that it was never served."""


class TooManyPositions(WorkerGone):
    """The worker asked for one position more than it may."""


def said_in(argument: Any) -> Any:
    """What student code passed: a number, or the text of whatever else it was."""
    return argument["odd"] if type(argument) is dict else argument


def number_in(text: str) -> float | None:
    """Read a number that came as text; None if it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return None if isnan(number) else number


class GameServer(Record):
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
        self.record_budget = MAX_RECORD_BYTES  # bytes that the record may take
        self.max_positions = MAX_POSITIONS  # that may be asked for
        # By position: alpha, beta and depth as student code was called with them, and the value
        # that it returned, if that was watched. The worker says so: it is only shown.
        self.call_args: dict[int, dict[str, float]] = {}
        self.called_function: dict[int, str] = {}  # likewise: of TRACED_FUNCTIONS

    def record_calls(self, calls: list[Any]) -> None:
        """Keep what the worker says that positions came with, of the form in `replies.py`."""
        for number, noted in calls:
            numbers = {name: number_in(noted[name]) for name in WATCHED if name in noted}
            self.call_args[number] = {k: v for k, v in numbers.items() if v is not None}
            if "by" in noted:
                self.called_function[number] = noted["by"]

    def returned(self, number: int) -> float | None:
        """What came back from a position, if that was watched."""
        return self.call_args.get(number, {}).get("returned")

    def start_reply(self) -> list[Any]:
        return [0, 0, *self.facts(self.positions[0].state)]

    def facts(self, state: State) -> list[Any]:
        """What is new of a state: who is to move, is it over, the moves, their probabilities."""
        facts = [state.to_move, self.game.is_terminal(state), self.game.actions(state)]
        chances = self.game.outcomes(state) if state.to_move == "chance" else ()
        return [*facts, *(p if isinstance(p, float) else str(p) for p, _ in chances)]

    def new_position(self, kind: str, state: State, parent: int | None, move: Move) -> str:
        """Add a position; answer with its number, its state's and, if that is new, its facts.

        Raises TooManyPositions where they are more than `max_positions`.
        """
        if len(self.positions) >= self.max_positions:
            raise TooManyPositions(f"it asked for {self.max_positions:,} positions; does it end?")
        facts = [] if state in self.states else self.facts(state)
        number = self.add(kind, state, parent, move)
        return json.dumps([number, self.states[state], *facts])

    def serve(self, request: list[Any]) -> str:
        """Answer a request of the worker, which has a form of `replies.is_request`.

        Raises UnknownState if it is about something never served, WorkerGone if it is one too many.
        """
        if self.bytes > self.record_budget:
            raise WorkerGone("it asked for more than can be kept; does it end?")
        kind, number = request[:2]
        if number >= len(self.positions):
            raise UnknownState(NEVER_GIVEN)
        state = self.positions[number].state
        if kind == "initial":
            return self.initial()
        if kind == "result":
            actions = self.game.actions(state)
            if request[2] >= len(actions):
                raise UnknownState(NEVER_GIVEN)
            move = actions[request[2]]
            return self.new_position("result", self.game.result(state, move), number, move)
        return json.dumps(self.other(kind, number, state, request))

    def initial(self) -> str:
        """Serve the game's initial state, which need not be where the search started."""
        state = self.game.initial
        if state == self.positions[0].state:
            return "[0, 0]"
        return self.new_position("initial", state, None, None)

    def other(self, kind: str, number: int, state: State, request: list[Any]) -> Any:
        if len(self.events) >= MAX_QUESTIONS * len(self.positions) + 10_000:
            raise WorkerGone("it never stopped asking")
        answer: Any
        if kind == "look":
            picture = state.picture()
            # A tree's own text gives away what is below.
            text = None if picture["kind"] == "tree" else str(state)
            return {"key": state.key, "rows": picture.get("rows"), "text": text}
        said = said_in(request[2])
        if kind == "utility":
            answer = self.game.utility(state, said)
        elif kind == "cutoff" and self.cutoff is not None:
            over = self.game.is_terminal(state)
            answer = not over and self.cutoff(state, self.positions[number].depth)
        elif kind == "h" and self.h is not None:
            answer = self.h(state) if said == "X" else -self.h(state)
        else:  # kept from another search, to which a cutoff or an h was served
            raise UnknownState(NEVER_GIVEN)
        self.note(Event(kind, number, said, answer))
        return answer
