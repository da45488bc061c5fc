"""Record a search with MAX and MIN from its calls of the game and of itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from numbers import Real
from types import ModuleType
from typing import Any

from autograder.diagram import default_side, kind_of
from autograder.worker.inside.call_trace import CallWatcher
from lab.node_status import Path, Step, Visit, Window
from lab.student import as_number
from starter.games import Game, Move, Probability, State
from starter.players import CountingGame

SEARCHES = ("max_value", "min_value", "expectiminimax")  # functions that search one position
MAX_STEPS = 4_000  # that are recorded of one search


@contextmanager
def replaced(module: ModuleType, **functions: Any) -> Iterator[None]:
    """Replace functions of a module under these names."""
    originals = {name: getattr(module, name) for name in functions}
    vars(module).update(functions)
    try:
        yield
    finally:
        vars(module).update(originals)


class Trace(CountingGame):
    """A game that follows a search: where it stands, what it knows, and its prunes.

    A prune shows when the search leaves a position early.

    prunes: whether the search may prune; if not, it has no reason to leave a position early
    record: whether the steps of the search are recorded
    """

    def __init__(
        self,
        game: Game,
        root: State,
        prunes: bool = True,
        record: bool = False,
    ) -> None:
        super().__init__(game)
        self.prunes = self.evaluations = 0
        self._player = default_side(root)
        self.steps: list[Step] = []
        self._limit = MAX_STEPS if record else 0
        kind, called = kind_of(root, self._player), (-inf, inf) if prunes else None
        self.root = Visit(kind=kind, state=root, called=called)
        self.moves: dict[Move, Visit] = {}  # those at the root that were searched
        self._line: list[Visit] = []  # from the root to where the search stands

    @property
    def records(self) -> bool:
        """Return whether more steps will be recorded."""
        return len(self.steps) < self._limit

    @property
    def positions(self) -> int:
        """Return the number of positions visited: those generated, and the root."""
        return self.generated + 1

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        self.visit_of(state).legal = len(moves)
        return moves

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        outcomes = super().outcomes(state)
        visit = self.visit_of(state)
        visit.legal = len(outcomes)
        visit.chances = {move: float(probability) for probability, move in outcomes}
        return outcomes

    def is_terminal(self, state: State) -> bool:
        self.visit_of(state)
        return super().is_terminal(state)

    def utility(self, state: State, player: str) -> float:
        utility = super().utility(state, player)
        self._ends(state, utility)
        return utility

    def result(self, state: State, move: Move) -> State:
        child = super().result(state, move)
        above = self.visit_of(state)
        above.tried += 1
        kind = kind_of(child, self._player)
        above.waiting[child] = Visit(kind=kind, state=child, above=above, move=move)
        return child

    def recording(self, h: Callable[[State, str], float]) -> Callable[[State, str], float]:
        """Return the heuristic with each of its values recorded."""

        def call(state: State, player: str) -> float:
            self.evaluations += 1
            value = h(state, player)
            self._ends(state, as_number(value, "the heuristic"))
            self.visit_of(state).judged = True
            return value

        return call

    def pruned(self, visit: Visit) -> None:
        """React to a prune; a subclass may learn from it."""

    def over(self) -> None:
        """Leave all positions at the end of the search."""
        while self._line:
            self._leave()

    def _ends(self, state: State, value: float) -> None:
        visit = self.visit_of(state)
        if not visit.tried:
            visit.v = visit.low = visit.high = value
            visit.legal = 0  # none that matters

    def visit_of(self, state: State, window: Window | None = None) -> Visit:
        """Return the visit of a position that the search asks about.

        Enter the position if necessary, and leave those that the search has finished.
        """
        if not self._line and not self.root.done:  # every search begins there
            self.root.called = window or self.root.called
            self._enter(self.root)
        line = self._line
        for place in range(len(line) - 1, -1, -1):
            visit = line[place]
            here = visit.state is state or visit.state == state
            if here or state in visit.waiting:
                while len(line) > place + 1:
                    self._leave()
                if here:
                    return visit
                child = visit.waiting.pop(state)
                child.called = window or visit.window
                self._enter(child)
                return child
        return Visit(state=state)  # the position does not belong to this search

    def _enter(self, visit: Visit) -> None:
        self._line.append(visit)
        if visit.above:
            visit.above.searched.append(visit.move)
        if self.records:
            words = visit.entered_in_words(self._game.is_terminal(visit.state))
            self.steps.append(Step("enter", visit.path, words, {visit.path: visit.snapshot()}))

    def _leave(self) -> None:
        visit = self._line.pop()
        visit.done = True
        above = visit.above
        early = 0 < visit.tried < visit.legal
        pruned = early and bool(visit.prune_reason)
        if pruned:
            self.prunes += 1
            self.pruned(visit)
        before = (above.v, above.window) if above else None
        if above:
            above.take_child(visit)
            if above is self.root:
                self.moves[visit.move] = visit
        if self.records:
            name = "prune" if pruned else "early" if early else "leave"
            moves = self._game.actions(visit.state) if early else ()
            words = visit.left_in_words(name, moves)
            nodes: dict[Path, Any] = {visit.path: visit.snapshot()}
            if above and before:
                words = f"{words} {above.changed_in_words(*before)}"
                nodes[above.path] = above.snapshot()
            self.steps.append(Step(name, visit.path, words, nodes))


class SearchWatcher(CallWatcher):
    """A profiler that reports the calls of a search to a trace.

    These are the calls of SEARCHES, and of all functions that take alpha and beta.
    """

    def __init__(self, module: ModuleType, trace: Trace) -> None:
        super().__init__(lambda path: path == module.__file__, type(trace.root.state))
        self._trace = trace

    def called(self, name: str, arguments: dict[str, Any], state: State) -> bool:
        if not self._trace.records:
            sys.setprofile(None)  # nothing more is recorded, and this is slow
        elif name in SEARCHES or {"alpha", "beta"} <= set(arguments):
            window = window_of(arguments)
            self._trace.visit_of(state, window).called = window
            return True
        return False

    def returned(self, state: State, value: float) -> None:
        self._trace.visit_of(state).take_returned(value)


@contextmanager
def trace_calls(module: ModuleType, trace: Trace) -> Iterator[None]:
    """Report the calls of the student's functions to a trace that records."""
    if trace.records:
        sys.setprofile(SearchWatcher(module, trace))
    try:
        yield
    finally:
        sys.setprofile(None)


def window_of(given: dict[str, Any]) -> Window | None:
    """Return alpha and beta of a call, or None if they are not numbers."""
    alpha, beta = given.get("alpha"), given.get("beta")
    if isinstance(alpha, Real) and isinstance(beta, Real):
        with suppress(OverflowError):
            return float(alpha), float(beta)
    return None
