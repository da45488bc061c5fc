"""Watches a search from outside: by the questions it asks of the game, and by the calls it makes of
its own functions. Nothing here searches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from types import ModuleType
from typing import Any, NamedTuple

from autograder.inside.mcts import PHASES, playout
from autograder.record import Recorded
from starter.games import Game, Move, Probability, State
from starter.players import CountingGame

Path = tuple[Move, ...]  # the moves from the root of a search to a position


class Deep(NamedTuple):
    """A state that also knows how many plies it is below the root."""

    state: State
    plies: int

    def __getattr__(self, name: str) -> Any:
        return getattr(self.state, name)

    def __str__(self) -> str:
        return str(self.state)


class Horizon(Game):
    """A game that ends after so many plies, undecided positions counting as draws. It gives any
    search a depth limit."""

    def __init__(self, game: Game, root: State, plies: int) -> None:
        self._game, self._plies = game, plies
        self.initial = Deep(root, 0)

    def actions(self, state: Deep) -> tuple[Move, ...]:
        return self._game.actions(state.state)

    def outcomes(self, state: Deep) -> tuple[tuple[Probability, Move], ...]:
        return self._game.outcomes(state.state)

    def result(self, state: Deep, move: Move) -> Deep:
        return Deep(self._game.result(state.state, move), state.plies + 1)

    def is_terminal(self, state: Deep) -> bool:
        return state.plies >= self._plies or self._game.is_terminal(state.state)

    def utility(self, state: Deep, player: str) -> float:
        return self._game.utility(state.state, player)


class Watched(CountingGame):
    """A game that also counts cut-offs, which are seen when a search turns away from a position
    before having tried every move there, and tells of its progress now and then."""

    def __init__(self, game: Game, tell: Callable[[Watched], None] | None = None) -> None:
        super().__init__(game)
        self._cutoffs = 0
        self._tell = tell
        self._line: list[list[Any]] = []  # root to current position: [state, moves, moves tried]

    @property
    def cutoffs(self) -> int:
        """The cut-offs so far; asking for them means that the search is over."""
        self._back_to(None)
        return self._cutoffs

    @property
    def positions(self) -> int:
        """The positions visited: those generated, and the root."""
        return self.generated + 1

    def actions(self, state: State) -> tuple[Move, ...]:
        moves = super().actions(state)
        self._back_to(state)[1] = len(moves)
        return moves

    def result(self, state: State, move: Move) -> State:
        child = super().result(state, move)
        self._back_to(state)[2] += 1
        self._line.append([child, 0, 0])
        if self._tell and not self.generated & 4095:
            self._tell(self)
        return child

    def _back_to(self, state: State) -> list[Any]:
        line = self._line
        while line and line[-1][0] is not state and line[-1][0] != state:
            _, moves, tried = line.pop()
            self._cutoffs += 0 < tried < moves
        if not line:
            line.append([state, 0, 0])
        return line[-1]


@contextmanager
def replaced(module: ModuleType, **functions: Any) -> Iterator[None]:
    """For a while, other functions stand in a module under these names."""
    originals = {name: getattr(module, name) for name in functions}
    vars(module).update(functions)
    try:
        yield
    finally:
        vars(module).update(originals)


# --- Minimax and alpha-beta, step by step ---------------------------------------------------------


class Step(NamedTuple):
    """The search enters a position with these bounds (None in minimax), or leaves it with a
    value."""

    path: Path
    alpha: float | None = None
    beta: float | None = None
    value: float | None = None

    @property
    def leaves(self) -> bool:
        return self.value is not None


def follow(module: ModuleType, search: str, game: Game, root: State) -> list[Step]:
    """Run `search`, a function of the student's `module`, and record each call of the `max_value`
    and `min_value` there."""
    followed = Recorded(game, root)
    steps: list[Step] = []

    def recorded(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            state = args[1] if len(args) > 1 else named["state"]
            bounds = dict(zip(("alpha", "beta"), args[3:])) | named
            path = followed.record.moves(state.number)
            steps.append(Step(path, bounds.get("alpha"), bounds.get("beta")))
            answer = function(*args, **named)
            steps.append(Step(path, value=answer[0]))
            return answer

        return call

    with replaced(
        module, max_value=recorded(module.max_value), min_value=recorded(module.min_value)
    ):
        getattr(module, search)(followed, followed.initial)
    return steps


def whole_tree(game: Game, root: State, most: int = 200) -> dict[Path, State]:
    """All positions that can follow, by path, each before its children, which stand in the order of
    the moves. Raises ValueError when there are more than `most`."""
    tree: dict[Path, State] = {}

    def add(path: Path, state: State) -> None:
        if len(tree) >= most:
            raise ValueError(f"this tree has more than {most} positions: too large to draw")
        tree[path] = state
        if not game.is_terminal(state):
            for move in game.actions(state):
                add((*path, move), game.result(state, move))

    add((), root)
    return tree


class Seen(NamedTuple):
    """What is known of one position after some steps: "waiting" (not looked at yet), "open" (being
    searched), "done", or "cut" (it never will be looked at)."""

    status: str = "waiting"
    order: int = 0  # its place in the order of the positions looked at
    alpha: float | None = None
    beta: float | None = None
    value: float | None = None


def seen_after(steps: list[Step], number: int, tree: dict[Path, State]) -> dict[Path, Seen]:
    """What the first `number` steps have shown of every position of the tree."""
    seen = {path: Seen() for path in tree}
    order = 0
    for step in steps[:number]:
        path = step.path
        if step.leaves:
            seen[path] = seen[path]._replace(status="done", value=step.value)
            for below in tree:
                if below[: len(path)] == path and seen[below].status == "waiting":
                    seen[below] = Seen("cut")
        else:
            order += 1
            seen[path] = Seen("open", order, step.alpha, step.beta)
            if path:  # the bounds passed to a child are its parent's at that moment
                parent = path[:-1]
                seen[parent] = seen[parent]._replace(alpha=step.alpha, beta=step.beta)
    return seen


# --- MCTS, phase by phase -------------------------------------------------------------------------


class Stats(NamedTuple):
    """What stands in one node of the search tree; `ucb` is None at the root."""

    U: float
    N: int
    ucb: float | None


class Phase(NamedTuple):
    """One of the four phases of a playout, and the tree after it."""

    playout: int
    name: str
    leaf: Path  # where selection ended
    child: Path  # where the playout starts
    utility: float  # for the player who moved into the child
    tree: dict[Path, Stats]


def grow(
    module: ModuleType, game: Game, root: State, playouts: int, C: float, seed: int
) -> list[Phase]:
    """Let the student's four functions grow a tree, and record it after every phase."""
    rng = random.Random(seed)
    top = module.Node(root)
    phases: list[Phase] = []
    for number in range(1, playouts + 1):
        returned, trees = {}, {}
        for name, what in playout(module, game, top, C, rng):
            returned[name], trees[name] = what, _stats(module, top, C)
        leaf, child, utility = (returned[name] for name in PHASES[:3])
        place = _path(leaf), _path(child), utility
        phases += [Phase(number, name, *place, tree) for name, tree in trees.items()]
    return phases


def _path(node: Any) -> Path:
    return () if node.parent is None else (*_path(node.parent), node.move)


def _stats(module: ModuleType, top: Any, C: float) -> dict[Path, Stats]:
    stats: dict[Path, Stats] = {}

    def add(path: Path, node: Any) -> None:
        ucb = None if node.parent is None else module.ucb(node, C) if node.parent.N else inf
        stats[path] = Stats(node.U, node.N, ucb)
        for move, child in node.children.items():
            add((*path, move), child)

    add((), top)
    return stats
