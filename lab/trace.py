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
from lab.student import check_number
from lab.visits import Path, SearchStep, Visit, Window
from starter.games import Game, Move, Probability, State
from starter.players import CountingGame

SEARCHES = ("max_value", "min_value", "expectiminimax")  # functions that search one position
MAX_STEPS = 4_000  # that are recorded of one search


class Trace(CountingGame):
    """A game that follows a search: where it stands, what it knows, and its prunes.

    A prune shows when the search leaves a position early.

    may_prune: whether it may prune; if not, it has no reason to leave a position early
    plies:     after how many plies the game ends, as a draw where it is undecided
    record:    whether the steps of the search are recorded
    """

    def __init__(
        self,
        game: Game,
        root: State,
        may_prune: bool = True,
        plies: float = inf,
        record: bool = False,
    ) -> None:
        super().__init__(game)
        self.prunes = self.evaluations = 0
        self._plies, self._player = plies, default_side(root)
        self.steps: list[SearchStep] = []
        self._limit = MAX_STEPS if record else 0
        window = (-inf, inf) if may_prune else None
        self.root = Visit(root, kind=kind_of(root, self._player), call_window=window)
        self.moves: dict[Move, Visit] = {}  # those at the root that were searched
        self._line: list[Visit] = []  # from the root to where the search stands
        self._paths: dict[State, Path] = {}  # to each position that was generated

    @property
    def is_recording(self) -> bool:
        """Return whether more steps will be recorded."""
        return len(self.steps) < self._limit

    @property
    def positions(self) -> int:
        """Return the number of positions visited: those generated, and the root."""
        return self.generated + 1

    def actions(self, state: State) -> tuple[Move, ...]:
        visit = self.go_to(state)
        moves = () if self._is_horizon(visit) else super().actions(state)
        visit.move_count = len(moves)
        return moves

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        visit = self.go_to(state)
        outcomes = () if self._is_horizon(visit) else super().outcomes(state)
        visit.move_count = len(outcomes)
        visit.chances = {move: float(probability) for probability, move in outcomes}
        return outcomes

    def is_terminal(self, state: State) -> bool:
        return self._is_horizon(self.go_to(state)) or super().is_terminal(state)

    def utility(self, state: State, player: str) -> float:
        visit = self.go_to(state)
        undecided = self._is_horizon(visit) and not self._game.is_terminal(state)
        utility = 0 if undecided else super().utility(state, player)
        self._set_leaf_value(visit, utility)
        return utility

    def result(self, state: State, move: Move) -> State:
        child = super().result(state, move)
        visit = self.go_to(state)
        visit.children[child] = self._paths[child] = (*visit.path, move)
        return child

    def record_heuristic(self, h: Callable[[State, str], float]) -> Callable[[State, str], float]:

        def call(state: State, player: str) -> float:
            self.evaluations += 1
            value, visit = h(state, player), self.go_to(state)
            self._set_leaf_value(visit, check_number(value, "the heuristic"))
            visit.is_estimate = True
            return value

        return call

    def handle_prune(self, visit: Visit) -> None:
        """React to a prune; a subclass may learn from it."""

    def finish(self) -> None:
        """Leave all positions at the end of the search."""
        while self._line:
            self._leave()

    def _is_horizon(self, visit: Visit) -> bool:
        return len(visit.path) >= self._plies

    def _set_leaf_value(self, visit: Visit, value: float) -> None:
        if not visit.children:
            visit.v = visit.low = visit.high = value
            visit.move_count = 0  # none that matters

    def go_to(self, state: State, window: Window | None = None) -> Visit:
        """Go to a position that the search asks about, and return its visit.

        Enter the position if necessary, and leave those that the search has finished.
        """
        line = self._line
        if not line:  # every search begins there
            self.root.call_window = window or self.root.call_window
            self._enter(self.root)
        for place in range(len(line) - 1, -1, -1):
            visit = line[place]
            here = visit.state is state or visit.state == state
            if here or state in visit.children:
                while len(line) > place + 1:
                    self._leave()
                if here:
                    return visit
                path, kind = visit.children[state], kind_of(state, self._player)
                child = Visit(state, path, kind, window or visit.window)
                visit.searched_moves.append(path[-1])
                self._enter(child)
                return child
        # The search asks for a position that it has left, or goes through the tree ply by ply.
        return Visit(state, self._paths.get(state, ()))

    def _enter(self, visit: Visit) -> None:
        if self.is_recording:
            leaf = self._is_horizon(visit) or self._game.is_terminal(visit.state)
            words = visit.describe_entry(leaf, self._line[-1] if self._line else None)
            texts = [] if leaf else visit.list_open_texts()
            self.steps.append(SearchStep("enter", visit.path, words, [(visit.path, texts)]))
        self._line.append(visit)

    def _leave(self) -> None:
        visit = self._line.pop()
        parent = self._line[-1] if self._line else None
        early = 0 < len(visit.children) < visit.move_count
        pruned = early and bool(visit.prune_reason)
        if pruned:
            self.prunes += 1
            self.handle_prune(visit)
        before = (parent.v, parent.window) if parent else None
        if parent:
            parent.update_from_child(visit)
            if parent is self.root:
                self.moves[visit.path[-1]] = visit
        if self.is_recording:
            name = "prune" if pruned else "early" if early else "leave"
            words = visit.describe_exit(name, self._game.actions(visit.state) if early else ())
            nodes = [(visit.path, visit.list_final_texts() + [visit.prune_reason] * pruned)]
            if parent and before:
                words = f"{words} {parent.describe_change(*before)}"
                nodes.append((parent.path, parent.list_open_texts()))
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
        self._trace.go_to(state).v = value


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
