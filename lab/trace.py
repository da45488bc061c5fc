"""Record a search with MAX and MIN from its calls of the game and of itself."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from numbers import Real
from types import ModuleType
from typing import Any

from autograder.diagram import default_side, kind_of
from autograder.worker.inside.call_trace import CallWatcher
from lab.node_status import Path, SearchStep, Visit, Window
from lab.student import check_number
from starter.games import Game, Move, Probability, State
from starter.players import CountingGame

SEARCHES = ("max_value", "min_value", "expectiminimax")  # functions that search one position
MAX_STEPS = 4_000  # that are recorded of one search


class Trace(CountingGame):
    """A game that follows a search: where it stands, what it knows, and its prunes.

    A prune shows when the search leaves a position early.

    may_prune: whether it may prune; if not, it has no reason to leave a position early
    record:    whether the steps of the search are recorded
    """

    def __init__(
        self,
        game: Game,
        root: State,
        may_prune: bool = True,
        record: bool = False,
    ) -> None:
        super().__init__(game)
        self.prunes = self.evaluations = 0
        self._player = default_side(root)
        self.steps: list[SearchStep] = []
        self._limit = MAX_STEPS if record else 0
        kind, window = kind_of(root, self._player), (-inf, inf) if may_prune else None
        self.root = Visit(kind=kind, state=root, call_window=window)
        self.moves: dict[Move, Visit] = {}  # those at the root that were searched
        self._line: list[Visit] = []  # from the root to where the search stands

    @property
    def is_recording(self) -> bool:
        """Return whether more steps will be recorded."""
        return len(self.steps) < self._limit

    @property
    def positions(self) -> int:
        """Return the number of positions visited: those generated, and the root."""
        return self.generated + 1

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        self.go_to(state).move_count = len(moves)
        return moves

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        outcomes = super().outcomes(state)
        visit = self.go_to(state)
        visit.move_count = len(outcomes)
        visit.chances = {move: float(probability) for probability, move in outcomes}
        return outcomes

    def is_terminal(self, state: State) -> bool:
        self.go_to(state)
        return super().is_terminal(state)

    def utility(self, state: State, player: str) -> float:
        utility = super().utility(state, player)
        self._set_leaf_value(state, utility)
        return utility

    def result(self, state: State, move: Move) -> State:
        child = super().result(state, move)
        parent = self.go_to(state)
        parent.child_count += 1
        kind = kind_of(child, self._player)
        parent.waiting_children[child] = Visit(kind=kind, state=child, parent=parent, move=move)
        return child

    def record_heuristic(self, h: Callable[[State, str], float]) -> Callable[[State, str], float]:
        """Return the heuristic with each of its values recorded."""

        def call(state: State, player: str) -> float:
            self.evaluations += 1
            value = h(state, player)
            self._set_leaf_value(state, check_number(value, "the heuristic"))
            self.go_to(state).is_estimate = True
            return value

        return call

    def handle_prune(self, visit: Visit) -> None:
        """React to a prune; a subclass may learn from it."""

    def finish(self) -> None:
        """Leave all positions at the end of the search."""
        while self._line:
            self._leave()

    def _set_leaf_value(self, state: State, value: float) -> None:
        visit = self.go_to(state)
        if not visit.child_count:
            visit.v = visit.low = visit.high = value
            visit.move_count = 0  # none that matters

    def go_to(self, state: State, window: Window | None = None) -> Visit:
        """Go to a position that the search asks about, and return its visit.

        Enter the position if necessary, and leave those that the search has finished.
        """
        if not self._line and not self.root.done:  # every search begins there
            self.root.call_window = window or self.root.call_window
            self._enter(self.root)
        line = self._line
        for place in range(len(line) - 1, -1, -1):
            visit = line[place]
            here = visit.state is state or visit.state == state
            if here or state in visit.waiting_children:
                while len(line) > place + 1:
                    self._leave()
                if here:
                    return visit
                child = visit.waiting_children.pop(state)
                child.call_window = window or visit.window
                self._enter(child)
                return child
        return Visit(state=state)  # the position does not belong to this search

    def _enter(self, visit: Visit) -> None:
        self._line.append(visit)
        if visit.parent:
            visit.parent.searched_moves.append(visit.move)
        if self.is_recording:
            words = visit.describe_entry(self._game.is_terminal(visit.state))
            self.steps.append(
                SearchStep("enter", visit.path, words, {visit.path: visit.take_snapshot()})
            )

    def _leave(self) -> None:
        visit = self._line.pop()
        visit.done = True
        parent = visit.parent
        early = 0 < visit.child_count < visit.move_count
        pruned = early and bool(visit.prune_reason)
        if pruned:
            self.prunes += 1
            self.handle_prune(visit)
        before = (parent.v, parent.window) if parent else None
        if parent:
            parent.update_from_child(visit)
            if parent is self.root:
                self.moves[visit.move] = visit
        if self.is_recording:
            name = "prune" if pruned else "early" if early else "leave"
            moves = self._game.actions(visit.state) if early else ()
            words = visit.describe_exit(name, moves)
            nodes: dict[Path, Any] = {visit.path: visit.take_snapshot()}
            if parent and before:
                words = f"{words} {parent.describe_change(*before)}"
                nodes[parent.path] = parent.take_snapshot()
            self.steps.append(SearchStep(name, visit.path, words, nodes))


class SearchWatcher(CallWatcher):
    """A profiler that reports the calls of a search to a trace.

    These are the calls of SEARCHES, and of all functions that take alpha and beta.
    """

    def __init__(self, module: ModuleType, trace: Trace) -> None:
        super().__init__(lambda path: path == module.__file__, type(trace.root.state))
        self._trace = trace

    def called(self, name: str, arguments: dict[str, Any], state: State) -> bool:
        if not self._trace.is_recording:
            sys.setprofile(None)  # nothing more is recorded, and this is slow
        elif name in SEARCHES or {"alpha", "beta"} <= set(arguments):
            window = read_window(arguments)
            self._trace.go_to(state, window).call_window = window
            return True
        return False

    def returned(self, state: State, value: float) -> None:
        self._trace.go_to(state).update_from_return(value)


@contextmanager
def trace_calls(module: ModuleType, trace: Trace) -> Iterator[None]:
    """Report the calls of the student's functions to a trace that records."""
    if trace.is_recording:
        sys.setprofile(SearchWatcher(module, trace))
    try:
        yield
    finally:
        sys.setprofile(None)


def read_window(arguments: dict[str, Any]) -> Window | None:
    """Return alpha and beta of a call, or None if they are not numbers."""
    alpha, beta = arguments.get("alpha"), arguments.get("beta")
    if isinstance(alpha, Real) and isinstance(beta, Real):
        with suppress(OverflowError):
            return float(alpha), float(beta)
    return None
