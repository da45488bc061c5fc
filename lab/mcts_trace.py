"""Record MCTS phase by phase.

Functions that report stand in for the student's four functions.
"""

from collections.abc import Callable
from math import inf
from types import ModuleType
from typing import Any

from autograder.diagram import format_value, path_name
from autograder.worker.inside.mcts import find_nodes
from lab.student import check_number
from lab.visits import Path, SearchStep

MAX_PLAYOUTS = 60  # that are recorded


class MctsTrace:
    """A record of what the student's four functions do to the tree.

    If one of them calls itself or another, that call is part of the same phase. The root is the
    argument of `select`; a search that has not called `select` has nothing to show.

    max_recorded: the number of playouts whose phases are recorded
    """

    def __init__(self, module: ModuleType, C: float, max_recorded: int) -> None:
        self.steps: list[SearchStep] = []  # one for each phase
        self.root: Any = None
        self.playouts = 0
        self._module, self._C, self._max_recorded = module, C, max_recorded
        self._in_phase = False
        self._answers: dict[str, Any] = {}  # by each function, in this playout

    def make_stand_in(self, name: str) -> Callable[..., Any]:
        """Return a function that calls the student's function and records its phases."""
        function = getattr(self._module, name)

        def call(*args: Any, **keywords: Any) -> Any:
            if self._in_phase:
                return function(*args, **keywords)
            if name == "select":
                self.root, self._answers = (args or tuple(keywords.values()))[0], {}
                self.playouts += 1
            self._in_phase = True
            try:
                self._answers[name] = function(*args, **keywords)
            finally:
                self._in_phase = False
            if self.root is not None and self.playouts <= self._max_recorded:
                self._record_phase(name)
            return self._answers[name]

        return call

    def _record_phase(self, name: str) -> None:
        """Record the phase that has ended. A node with several parents counts once."""
        paths: dict[int, Path] = {}
        nodes: list[tuple[Path, list[str]]] = []
        for node, parent, move in find_nodes(self.root).values():
            path = paths[id(node)] = () if parent is None else (*paths[parent], move)
            texts = [f"U = {format_value(node.U)}", f"N = {format_value(node.N)}"]
            if node.parent is not None:
                ucb = float(self._module.ucb(node, self._C)) if node.parent.N else inf
                texts.append(f"UCB = {format_value(ucb)}")
            nodes.append((path, texts))
        ends = [paths.get(id(self._answers.get(one)), ()) for one in ("select", "expand")]
        words = f"Playout {self.playouts}, {name}: {self._describe_phase(name, *ends)}."
        end = ends[name not in ("select", "expand")]
        self.steps.append(SearchStep(name, end, words, nodes))

    def _describe_phase(self, name: str, end: Path, start: Path) -> str:
        """Say what a phase did.

        end:   the leaf that was selected
        start: the node from which the playout starts
        """
        leaf, child = path_name(end), path_name(start)
        if name == "select":
            return f"follow the largest UCB down to a leaf: {leaf}"
        if name == "expand" and end != start:
            return f"{leaf} gets its children, and {child} is taken"
        if name == "expand":
            return f"{leaf} is the end of a game: nothing to expand"
        if name == "simulate":
            utility = check_number(self._answers[name], name)
            return (
                f"random moves from {child} to the end: {format_value(utility)} for the player who "
                "moved there"
            )
        return f"the result goes into every node from {child} up, its sign flipped each time"
