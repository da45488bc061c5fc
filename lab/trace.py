"""Records a search from outside: by the questions it asks of the game, and by the calls of its own
functions. Nothing here searches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from inspect import CO_GENERATOR
from math import inf, isinf
from numbers import Real
from types import ModuleType
from typing import Any, NamedTuple

from autograder.diagram import show
from autograder.worker.inside import to_json
from autograder.worker.inside.mcts import nodes_under
from autograder.worker.inside.protocol import PHASES
from lab.student import as_number
from starter.games import Game, Move, Probability, State
from starter.players import CountingGame

Path = tuple[Move, ...]  # the moves from the root of a search to a position

SEARCHES = ("max_value", "min_value", "expectiminimax")  # functions that search one position
MAX_STEPS = 4_000  # recorded of one search,
MAX_PLAYOUTS = 60  # or of MCTS
ROUNDING = 1e-9


class StateAtDepth(NamedTuple):
    """A state that also knows how many plies it is below the root."""

    state: State
    plies: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)


class DepthLimitedGame(Game):
    """A game that ends after so many plies, undecided positions counting as draws. It gives any
    search a depth limit."""

    def __init__(self, game: Game, root: State, plies: int) -> None:
        self._game, self._plies = game, plies
        self.initial = StateAtDepth(root, 0)

    def actions(self, state: StateAtDepth) -> tuple[Move, ...]:
        return () if state.plies >= self._plies else self._game.actions(state.state)

    def outcomes(self, state: StateAtDepth) -> tuple[tuple[Probability, Move], ...]:
        return () if state.plies >= self._plies else self._game.outcomes(state.state)

    def result(self, state: StateAtDepth, move: Move) -> StateAtDepth:
        return StateAtDepth(self._game.result(state.state, move), state.plies + 1)

    def is_terminal(self, state: StateAtDepth) -> bool:
        return state.plies >= self._plies or self._game.is_terminal(state.state)

    def utility(self, state: StateAtDepth, player: str) -> float:
        return self._game.utility(state.state, player)


@contextmanager
def replaced(module: ModuleType, **functions: Any) -> Iterator[None]:
    """For a while, other functions stand in a module under these names."""
    originals = {name: getattr(module, name) for name in functions}
    vars(module).update(functions)
    try:
        yield
    finally:
        vars(module).update(originals)


# --- Searches with MAX and MIN --------------------------------------------------------------------


def known(bounds: tuple[float, float], v: float | None) -> str:
    """Say what a search knows of a value: v, or a bound if moves that it has skipped leave that
    open.

    bounds: the value lies between these, by all that the search has looked at
    """
    low, high = bounds
    if low == high or (low, high) == (-inf, inf):
        return "" if v is None else show(v)
    if isinf(low):
        return f"at most {show(high)}"
    return f"at least {show(low)}" if isinf(high) else f"{show(low)} to {show(high)}"


def contains(bounds: tuple[float, float], value: float) -> bool:
    """Return whether a value lies between two bounds, rounding errors aside."""
    return bounds[0] - ROUNDING <= value <= bounds[1] + ROUNDING


class NodeStatus(NamedTuple):
    """What is known of one position at some moment. All values are MAX's.

    status:      "waiting" (not looked at yet), "open" (being searched), "done", or "skipped" (the
                 search left its parent without looking at it)
    order:       its place in the order of the positions looked at, from 1 on
    v:           the best value so far of those below it, or its own
    low, high:   the value lies between these, by all that has been looked at
    alpha, beta: the window as it is now; None in minimax
    judged:      v is what h says of it
    is_max:      MAX is to move there
    chance:      nobody is: v is the sum of what has come back so far, weighted
    claim:       the value lies between these, if v is right: v, or more or less where alpha or beta
                 made the search content with a bound
    given:       what the values of all its moves make of it, if v is something else
    """

    status: str = "waiting"
    order: int = 0
    v: float | None = None
    low: float = -inf
    high: float = inf
    alpha: float | None = None
    beta: float | None = None
    judged: bool = False
    is_max: bool = True
    chance: bool = False
    claim: tuple[float, float] = (-inf, inf)
    given: float | None = None

    @property
    def prune_reason(self) -> str:
        """Why the search may leave this node early, by its v, alpha and beta; "" if it may not."""
        if self.v is None or self.alpha is None or self.beta is None:
            return ""
        if self.is_max and self.v >= self.beta:
            return f"v = {show(self.v)} >= beta = {show(self.beta)}"
        if not self.is_max and self.v <= self.alpha:
            return f"v = {show(self.v)} <= alpha = {show(self.alpha)}"
        return ""

    def contradicts(self, value: float) -> bool:
        """Return whether what the search has found leaves out the true value."""
        return self.status == "done" and not self.judged and not contains(self.claim, value)


class Step(NamedTuple):
    """One step of a search.

    name: "enter" or "leave"; "prune" or "early" if the search leaves before it has tried all moves,
          with or without a reason
    seen: what is known after the step of the positions that it concerns
    """

    name: str
    path: Path
    seen: dict[Path, NodeStatus]


@dataclass(eq=False, slots=True)
class Visit:
    """A position that a search looks at, from the first question about it to the last."""

    state: State
    above: Visit | None
    move: Move
    is_max: bool
    window: tuple[float, float] | None = None  # alpha and beta as the student's function got them
    order: int = 0
    v: float | None = None
    low: float = -inf
    high: float = inf
    judged: bool = False
    moves: int = 0  # legal, generated, and come back with a value
    tried: int = 0
    last: Move = None  # tried
    chances: dict[Move, float] = field(default_factory=dict)  # where chance is to move
    known: int = 0
    given: float | None = None
    waiting: dict[State, Visit] = field(default_factory=dict)  # generated, not looked at yet

    @property
    def path(self) -> Path:
        return (*self.above.path, self.move) if self.above else ()

    @property
    def bounds(self) -> tuple[float, float]:
        """The value lies between these; a move that is not known may be the best."""
        if self.known >= self.moves:
            return self.low, self.high
        if self.chances:
            return -inf, inf
        return (self.low, inf) if self.is_max else (-inf, self.high)

    @property
    def now(self) -> tuple[float, float] | None:
        """Alpha and beta, moved by v."""
        if self.window is None or self.v is None or not self.moves:
            return self.window
        alpha, beta = self.window
        return (max(alpha, self.v), beta) if self.is_max else (alpha, min(beta, self.v))

    @property
    def claim(self) -> tuple[float, float]:
        """The value lies between these, if v is right."""
        if self.v is None:
            return -inf, inf
        alpha, beta = self.window or (-inf, inf)
        return (-inf if self.v <= alpha else self.v), (inf if self.v >= beta else self.v)

    def give(self, value: float) -> None:
        """The student's function has returned this value."""
        alpha, beta = self.window or (-inf, inf)
        if self.v is not None and 0 < self.moves <= self.known and alpha < self.v < beta:
            self.given = None if contains((value, value), self.v) else self.v
        self.v = value

    def take(self, child: Visit) -> None:
        """A child has come back with a value."""
        if child.v is None:
            return
        low, high = child.bounds
        if self.chances:
            share, before = self.chances[child.move], self.known > 0
            v, *bounds = (self.v or 0, self.low, self.high) if before else (0, 0, 0)
            self.v = v + share * child.v
            self.low, self.high = bounds[0] + share * low, bounds[1] + share * high
            self.known += 1
            return
        best = max if self.is_max else min
        first = self.known == 0
        self.v = child.v if first or self.v is None else best(self.v, child.v)
        self.low, self.high = (low, high) if first else (best(self.low, low), best(self.high, high))
        self.known += 1

    def seen(self, status: str) -> NodeStatus:
        low, high = self.bounds
        alpha, beta = self.now or (None, None)
        v, judged = self.v, self.judged
        chance = self.state.to_move == "chance"
        end = (self.is_max, chance, self.claim, self.given)
        return NodeStatus(status, self.order, v, low, high, alpha, beta, judged, *end)


class Trace(CountingGame):
    """A game that follows the search played on it: where the search stands, what it knows there,
    and its prunes. A prune shows when the search leaves a position early.

    prunes: whether it is to prune; a search that leaves a position early otherwise has no reason
    report: called with the progress now and then
    record: whether its steps are recorded
    """

    def __init__(
        self,
        game: Game,
        root: State,
        prunes: bool = True,
        report: Callable[[str], None] = lambda news: None,
        record: bool = False,
    ) -> None:
        super().__init__(game)
        self.prunes = self.evaluations = 0
        self._player = root.to_move
        self.steps: list[Step] = []
        self._report, self._limit, self._order = report, MAX_STEPS if record else 0, 0
        self.root = Visit(root, None, None, True, (-inf, inf) if prunes else None)
        self.moves: dict[Move, Visit] = {}  # those at the root that were searched
        self._line: list[Visit] = []  # from the root to where the search stands

    @property
    def records(self) -> bool:
        """Whether more steps will be recorded."""
        return len(self.steps) < self._limit

    @property
    def positions(self) -> int:
        """The positions visited: those generated, and the root."""
        return self.generated + 1

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        self._at(state).moves = len(moves)
        return moves

    def outcomes(self, state: State) -> tuple[tuple[Probability, Move], ...]:
        outcomes = super().outcomes(state)
        visit = self._at(state)
        visit.moves = len(outcomes)
        visit.chances = {move: float(probability) for probability, move in outcomes}
        return outcomes

    def is_terminal(self, state: State) -> bool:
        self._at(state)
        return super().is_terminal(state)

    def utility(self, state: State, player: str) -> float:
        utility = super().utility(state, player)
        self._ends(state, utility)
        return utility

    def result(self, state: State, move: Move) -> State:
        child = super().result(state, move)
        above = self._at(state)
        above.tried += 1
        above.last = move
        above.waiting[child] = Visit(child, above, move, child.to_move == self._player)
        if not self.generated & 4095:
            self._report(f"{self.positions:,} positions")
        return child

    def recording(self, h: Callable[[State, str], float]) -> Callable[[State, str], float]:
        """Return the heuristic with each of its values recorded."""

        def call(state: State, player: str) -> float:
            self.evaluations += 1
            value = h(state, player)
            self._ends(state, as_number(value, "the heuristic"))
            self._at(state).judged = True
            return value

        return call

    def called(self, state: State, window: tuple[float, float] | None) -> None:
        """A function of the search is called for this position, with this alpha and beta."""
        visit = self._at(state, window)
        visit.window = window

    def returned(self, state: State, value: float) -> None:
        """That function has returned this value."""
        self._at(state).give(value)

    def left(self, visit: Visit, pruned: bool) -> None:
        """Called when the search leaves a position; `pruned`: rightly, with moves left to try."""

    def over(self) -> None:
        """The search has come to its end."""
        while self._line:
            self._leave()

    def _ends(self, state: State, value: float) -> None:
        visit = self._at(state)
        if not visit.tried:
            visit.v = visit.low = visit.high = value
            visit.moves = 0  # none that matters

    def _at(self, state: State, window: tuple[float, float] | None = None) -> Visit:
        """The visit of a position about which something is asked. If need be it is entered, and
        those that the search has turned away from are left."""
        if not self.root.order:  # every search begins there
            self.root.window = window or self.root.window
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
                child.window = window or visit.now
                self._enter(child)
                return child
        return Visit(state, None, None, True)  # of a position that does not belong to this search

    def _enter(self, visit: Visit) -> None:
        self._line.append(visit)
        self._order += 1
        visit.order = self._order
        self._record("enter", visit)

    def _leave(self) -> None:
        visit = self._line.pop()
        early = 0 < visit.tried < visit.moves
        pruned = early and bool(visit.seen("done").prune_reason)
        self.prunes += pruned
        self.left(visit, pruned)
        if self._line:
            self._line[-1].take(visit)
            if len(self._line) == 1:
                self.moves[visit.move] = visit
        self._record("prune" if pruned else "early" if early else "leave", visit)

    def _record(self, name: str, visit: Visit) -> None:
        if not self.records:
            return
        if name == "enter":
            seen = {visit.path: visit.seen("open")}
        else:
            seen = {visit.path: visit.seen("done")}
            if visit.above:
                seen[visit.above.path] = visit.above.seen("open")
        self.steps.append(Step(name, visit.path, seen))


@contextmanager
def trace_calls(module: ModuleType, trace: Trace) -> Iterator[None]:
    """While it lasts, report calls of the student's functions for a position to `trace`: those of
    SEARCHES, and of all that take alpha and beta, also inside another function."""
    kind = type(trace.root.state)
    calls: list[tuple[Any, State]] = []  # under way, each with its position

    def profile(frame: Any, event: str, value: Any) -> None:
        code = frame.f_code
        if code.co_filename != module.__file__ or code.co_flags & CO_GENERATOR:
            return
        if not trace.records:
            sys.setprofile(None)  # nothing more is recorded, and this is slow
        elif event == "call":
            names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            given = {name: frame.f_locals.get(name) for name in names}
            state = next((one for one in given.values() if type(one) is kind), None)
            if state is not None and (code.co_name in SEARCHES or {"alpha", "beta"} <= set(given)):
                calls.append((frame, state))
                trace.called(state, window_of(given))
        elif event == "return" and calls and calls[-1][0] is frame:
            _, state = calls.pop()
            if isinstance(value, tuple) and value and isinstance(value[0], Real):
                with suppress(OverflowError):
                    trace.returned(state, float(value[0]))

    if trace.records:
        sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)


def window_of(given: dict[str, Any]) -> tuple[float, float] | None:
    """Alpha and beta among the arguments of a call, by name or as the fourth and fifth."""
    fourth, fifth = (*list(given.values())[3:5], None, None)[:2]
    alpha, beta = given.get("alpha", fourth), given.get("beta", fifth)
    if isinstance(alpha, Real) and isinstance(beta, Real):
        with suppress(OverflowError):
            return float(alpha), float(beta)
    return None


# --- MCTS, phase by phase -------------------------------------------------------------------------


class Stats(NamedTuple):
    """What stands in one node of the search tree, words where that is no number; `ucb` is None at
    the root."""

    U: Any
    N: Any
    ucb: float | None


class Phase(NamedTuple):
    """One of the four phases of a playout, and the tree after it."""

    playout: int
    name: str
    leaf: Path  # where selection ended
    child: Path  # where the playout starts
    utility: float  # for the player who moved into the child
    tree: dict[Path, Stats]


@contextmanager
def mcts_phases(module: ModuleType, C: float) -> Iterator[list[Phase]]:
    """While it lasts, record what the student's four functions do to the tree, phase by phase.

    A function that calls itself, or another of the four, is within one phase. The root is what
    `select` is called with; a search that has not called it has nothing to be shown.
    """
    phases: list[Phase] = []
    root: Any = None
    playouts = 0
    within = False
    now: dict[str, Any] = {}

    def recording(name: str) -> Callable[..., Any]:
        function = getattr(module, name)

        def call(*args: Any, **named: Any) -> Any:
            nonlocal root, playouts, within
            if within:
                return function(*args, **named)
            if name == "select":
                root, playouts = (args or tuple(named.values()))[0], playouts + 1
                now.clear()
            within = True
            try:
                now[name] = function(*args, **named)
            finally:
                within = False
            if root is not None and playouts <= MAX_PLAYOUTS:
                paths, tree = _read_tree(module, root, C)
                leaf, child = (paths.get(id(now.get(one)), ()) for one in ("select", "expand"))
                utility = as_number(now.get("simulate", 0), "simulate")
                phases.append(Phase(playouts, name, leaf, child, utility, tree))
            return now[name]

        return call

    with replaced(module, **{name: recording(name) for name in PHASES}):
        yield phases


def as_plain(value: Any) -> Any:
    """What stands in a node, so that the page, which knows no classes of the student's, can tell
    it."""
    found = to_json.number(value)
    return found["odd"] if isinstance(found, dict) else found


def _read_tree(
    module: ModuleType, root: Any, C: float
) -> tuple[dict[int, Path], dict[Path, Stats]]:
    """The path to each node below the root, by its id, and what stands in it; of a node that has
    several parents, once."""
    paths: dict[int, Path] = {}
    tree: dict[Path, Stats] = {}
    for name, (node, parent, move) in nodes_under(root).items():
        path = paths[name] = () if parent is None else (*paths[parent], move)
        above = node.parent
        ucb = None if above is None else float(module.ucb(node, C)) if above.N else inf
        tree[path] = Stats(as_plain(node.U), as_plain(node.N), ucb)
    return paths, tree
