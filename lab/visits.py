"""Store what a search with MAX and MIN knows of a position, and put its steps into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf, isinf
from typing import NamedTuple

from autograder.diagram import format_value, path_name
from starter.games import Move, State

Path = tuple[Move, ...]  # the moves from the root of a search to a position
Window = tuple[float, float]  # alpha and beta

MAX_NAMED = 6  # moves that a sentence lists


class SearchStep(NamedTuple):
    """One step of a recorded search, or one phase of a playout of MCTS.

    name:  "enter" or "leave"; if the search leaves before it has tried all moves, "prune" with a
           reason and "early" without one; in MCTS, the name of the phase
    path:  the position that the step concerns
    words: what it did
    nodes: the lines in the node of each position that the step concerns, after it; in MCTS, in
           all nodes
    """

    name: str
    path: Path
    words: str
    nodes: Sequence[tuple[Path, Sequence[str]]]


@dataclass(eq=False, slots=True)
class Visit:
    """A position that a search visits, from the first call about it to the last.

    All values are for MAX.

    kind:           "max", "min" or "chance"
    call_window:    alpha and beta in the call of the search; None in minimax
    v:              the best value of its children so far, or its own; with chance, their weighted
                    sum
    low, high:      bounds on the value, from the children that have returned
    move_count:     the number of its moves
    value_count:    the number of its children that have returned a value
    is_estimate:    whether v comes from h
    children:       the path to each child that was generated
    searched_moves: the moves to the children that were looked at
    chances:        the probability of each move, where chance is to move
    """

    state: State
    path: Path = ()
    kind: str = "max"
    call_window: Window | None = None
    v: float | None = None
    low: float = -inf
    high: float = inf
    move_count: int = 0
    value_count: int = 0
    is_estimate: bool = False
    children: dict[State, Path] = field(default_factory=dict)
    searched_moves: list[Move] = field(default_factory=list)
    chances: dict[Move, float] = field(default_factory=dict)

    @property
    def bounds(self) -> tuple[float, float]:
        """Return bounds on the value. A move without a value may be the best."""
        if self.value_count >= self.move_count:
            return self.low, self.high
        if self.kind == "chance":
            return -inf, inf
        return (self.low, inf) if self.kind == "max" else (-inf, self.high)

    @property
    def window(self) -> Window | None:
        """Return alpha and beta, moved by v."""
        if self.call_window is None or self.v is None or not self.move_count:
            return self.call_window
        alpha, beta = self.call_window
        return (max(alpha, self.v), beta) if self.kind == "max" else (alpha, min(beta, self.v))

    @property
    def prune_reason(self) -> str:
        """Say why the search may leave this node early, or "" if it may not."""
        if self.v is None or self.window is None:
            return ""
        alpha, beta = self.window
        if self.kind == "max" and self.v >= beta:
            return f"v = {format_value(self.v)} >= beta = {format_value(beta)}"
        if self.kind == "min" and self.v <= alpha:
            return f"v = {format_value(self.v)} <= alpha = {format_value(alpha)}"
        return ""

    def update_from_child(self, child: Visit) -> None:
        """Update v and the bounds with the value of a child, if it has one."""
        if child.v is None:
            return
        low, high = child.bounds
        first, self.value_count = self.value_count == 0, self.value_count + 1
        if self.chances:
            self.v = (0 if first else self.v or 0) + self.chances[child.path[-1]] * child.v
            self.low = self.high = self.v
        elif first or self.v is None:
            self.v, self.low, self.high = child.v, low, high
        else:
            best = max if self.kind == "max" else min
            self.v = best(self.v, child.v)
            self.low, self.high = best(self.low, low), best(self.high, high)

    def describe_value(self) -> str:
        """Say what the search knows of the value: v, or a bound if it has skipped moves."""
        low, high = self.bounds
        if low == high or (low, high) == (-inf, inf):
            return "" if self.v is None else format_value(self.v)
        if isinf(low):
            return f"at most {format_value(high)}"
        at_least = f"at least {format_value(low)}"
        return at_least if isinf(high) else f"{format_value(low)} to {format_value(high)}"

    def list_open_texts(self) -> list[str]:
        """Return the lines in its node while it is searched: v, alpha and beta."""
        texts = [] if self.v is None else [f"v = {format_value(self.v)}"]
        for name, value in zip(("alpha", "beta"), self.window or ()):
            texts.append(f"{name} = {format_value(value)}")
        return texts

    def list_final_texts(self) -> list[str]:
        """Return the lines in its node after the search has left it."""
        words = self.describe_value().replace("at most", "<=").replace("at least", ">=")
        return [f"h = {words}" if self.is_estimate else words] if words else []

    def describe_entry(self, leaf: bool, parent: Visit | None) -> str:
        """Say that the search enters this position, and with which alpha and beta."""
        words = f"The search enters {path_name(self.path)}"
        if leaf:
            return f"{words}, a leaf."
        mover = "chance" if self.kind == "chance" else self.kind.upper()
        words = f"{words}, {mover} to move"
        if self.window is None:
            return f"{words}."
        alpha, beta = map(format_value, self.window)
        words += f", with alpha = {alpha} and beta = {beta}"
        if parent and parent.window and parent.window != self.window:
            alpha, beta = map(format_value, parent.window)
            words += f", where those above are {alpha} and {beta}"
        return f"{words}."

    def describe_exit(self, step: str, moves: tuple[Move, ...]) -> str:
        """Say what is known of this position when the search leaves it.

        step:  "leave", "prune" or "early" (see `SearchStep`)
        moves: all that are legal
        """
        name, bound = path_name(self.path), self.describe_value()
        if self.is_estimate:
            words = f"h says {bound} of {name}."
        elif bound.startswith("at"):
            words = f"{name} is {bound} for MAX."
        else:
            words = f"{name} is worth {bound} to MAX."
        if step == "leave":
            return words
        left = [str(move) for move in moves if move not in self.searched_moves]
        if len(left) > MAX_NAMED:
            left[MAX_NAMED - 1 :] = [f"{len(left) - MAX_NAMED + 1} more"]
        how = f"{self.prune_reason} at {name}: pruned."
        if step == "early":
            without = "" if self.window is None else ", without a reason"
            how = f"{name} is left before all its moves were tried{without}."
        return f"{how} Never looked at: {', '.join(left)}. {words}"

    def describe_change(self, v: float | None, window: Window | None) -> str:
        """Say how a child has changed the previous v and window of this position."""
        change = (
            f"becomes {format_value(self.v)}" if self.v != v else f"stays {format_value(self.v)}"
        )
        bounds = [
            f", {name} becomes {format_value(new)}"
            for name, old, new in zip(("alpha", "beta"), window or (), self.window or ())
            if new != old
        ]
        return f"At {path_name(self.path)} v {change}{''.join(bounds)}."
