"""Record MCTS phase by phase, by stand-ins for the student's four functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from types import ModuleType
from typing import Any, NamedTuple

from autograder.worker.inside import to_json
from autograder.worker.inside.mcts import nodes_under
from autograder.worker.inside.protocol import PHASES
from lab.node_status import Path
from lab.student import as_number
from lab.trace import replaced

MAX_PLAYOUTS = 60  # that are recorded


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
    """Record what the student's four functions do to the tree, phase by phase.

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
    """Return a number, or words for anything else: the page knows no classes of the student's."""
    found = to_json.number(value)
    return found["odd"] if isinstance(found, dict) else found


def _read_tree(
    module: ModuleType, root: Any, C: float
) -> tuple[dict[int, Path], dict[Path, Stats]]:
    """Return the path to each node below the root, by its id, and the statistics of each path; a
    node that has several parents counts once."""
    paths: dict[int, Path] = {}
    tree: dict[Path, Stats] = {}
    for name, (node, parent, move) in nodes_under(root).items():
        path = paths[name] = () if parent is None else (*paths[parent], move)
        above = node.parent
        ucb = None if above is None else float(module.ucb(node, C)) if above.N else inf
        tree[path] = Stats(as_plain(node.U), as_plain(node.N), ucb)
    return paths, tree
