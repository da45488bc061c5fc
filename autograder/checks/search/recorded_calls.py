"""Read the recorded calls of a search: windows, return values, and the values of nodes.

The worker itself reports these calls, so they may explain a verdict but never decide it.
"""

from math import inf, isfinite
from typing import NamedTuple

from autograder.checks.ask.finding import Hint
from autograder.checks.ask.values import format_distinct, is_rounded, same
from autograder.checks.search.completeness import find_left_out
from autograder.checks.search.search_diagram import (
    count_fits,
    name_with_rank,
    negates,
    number_states,
    turns_windows_and_ends,
)
from autograder.diagram import is_tree
from autograder.questions import find_question
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import MAX_TRACED_CALLS

Window = tuple[float, float]
BOUNDS = ("alpha", "beta")
BEST_OF = {"max": max, "min": min}
BEGIN = {"max": -inf, "min": inf}  # what v begins with
OTHER_KIND = {"max": "min", "min": "max"}
OWN = {"max": 0, "min": 1}  # which bound of its window a node moves


class Deviation(NamedTuple):
    """A call that does not follow from the calls before it.

    at:    the node where it was made
    hints: the deviation and the expectation; none if utility was called, or h at a leaf, or a move
           searched, where it should not be, because other findings report that
    mark:  the expectation, in a few words
    """

    at: int
    hints: tuple[Hint, ...] = ()
    mark: str = ""


class RecordedCalls:
    """The recorded calls of a search, in order, with MAX's values."""

    def __init__(self, server: GameServer, case: SearchCase, negamax: bool = False) -> None:
        """Read the calls of a search of that case.

        negamax: windows and return values are those of the player to move; here all are MAX's
        """
        self.server, self.window, self.negamax = server, (case.alpha, case.beta), negamax
        self.to_the_end = is_tree(server.root) and find_question(case.number).name != "cutoff"
        self.order = number_states(server)
        self.whole = find_left_out(server) is None
        self.chance = any(node.state.to_move == "chance" for node in server.nodes)
        self.answers = {e.number: e for e in server.find_requests("utility", "h")}
        self.worths = {
            number: event.answer if event.said == server.max_player else -event.answer
            for number, event in self.answers.items()
        }
        self.answered = {server.state(number) for number in self.answers}
        self.stops = {e.number: e.answer for e in server.find_requests("cutoff")}
        self.used = server.call_args.keys() | self.answers.keys()
        children = server.children()
        self.children = {above: self.sort_by_calls(below) for above, below in children.items()}
        self.returns = {kind: self.list_returns(kind) for kind in BEST_OF}

    def sort_by_calls(self, children: list[int]) -> list[int]:
        """Return nodes in the order of their calls, if all calls are known.

        A copy that nothing was asked about, and that was not called, is left out.
        """
        searched = {self.server.state(child) for child in self.used.intersection(children)}
        children = [n for n in children if n in self.used or self.server.state(n) not in searched]
        calls = {number: place for place, number in enumerate(self.server.call_args)}
        for child in set(children).intersection(self.answers).difference(calls):
            if self.answers[child].kind == "utility" or self.stops.get(child):
                return children  # a leaf that was evaluated without a call
        return sorted(children, key=lambda child: calls.get(child, len(calls)))

    def uses_the_same_scale(self) -> bool:
        """Does the search return most leaves' values as answered, up to their signs?"""
        same_scale = [
            same(abs(back), abs(event.answer)) or is_rounded(abs(back), abs(event.answer))
            for number, event in self.answers.items()
            if (back := self.find_return(number)) is not None and isfinite(back) and event.answer
        ]
        return 2 * sum(same_scale) >= len(same_scale)

    def name(self, number: int) -> str:
        return name_with_rank(self.server, number, self.order)

    def find_window(self, number: int) -> Window | None:
        found = self.server.call_args.get(number, {})
        if not {"alpha", "beta"} <= found.keys():
            return None
        return self.turn(number, (found["alpha"], found["beta"]))

    def find_return(self, number: int) -> float | None:
        returned = self.server.find_return(number)
        return -returned if returned is not None and self.is_turned(number) else returned

    def is_turned(self, number: int) -> bool:
        """Are the numbers of this call MIN's? The first call has the search's own window."""
        return self.negamax and number > 0 and self.server.kind(number) == "min"

    def turn(self, number: int, window: Window) -> Window:
        """Turn a window between MAX's side and that of the call."""
        return (-window[1], -window[0]) if self.is_turned(number) else window

    def is_wide(self, window: Window) -> bool:
        """Does the window contain every leaf value, so that nothing can be pruned?"""
        most = max((abs(event.answer) for event in self.answers.values()), default=0.0)
        return window[0] < -most and most < window[1]

    def value(self, child: int) -> float | None:
        """Return the value of a child: its return value, or its utility or h."""
        found = self.find_return(child)
        if found is None and child in self.answers and not self.children.get(child):
            found = self.worths[child]
        return found

    def list_nodes(self, kind: str) -> list[int]:
        """Return the searched inner nodes of a kind."""
        return [number for number in self.children if self.server.kind(number) == kind]

    def list_returns(self, kind: str) -> list[tuple[float, list[float]]]:
        """Return what each node of a kind returned, and its children's values; [] if unknown."""
        returns = []
        for number in self.list_nodes(kind):
            returned = self.find_return(number)
            found = [self.value(child) for child in self.children[number]]
            values = [value for value in found if value is not None]
            if returned is None or len(values) < len(found):
                return []
            returns.append((returned, values))
        return returns

    def format_pair(self, number: int, due: float, returned: float) -> tuple[str, str]:
        """Format the value that is due at a node and the returned one, in the code's own signs."""
        turned = -1 if self.is_turned(number) else 1
        return format_distinct(turned * due, turned * returned)


def read_calls(server: GameServer, case: SearchCase) -> RecordedCalls | None:
    """Return a search's recorded calls, or None if their values can't be understood.

    A search that asks from the other side is not explained, unless it is negamax.
    """
    asked = server.find_requests("utility", "h")
    other_side = any(event.said != server.max_player for event in asked)
    own_side = all(event.said == server.state(event.number).to_move for event in asked)
    below = 1 if case.function else 0
    (plain, negated), (low, high) = (count_fits(server, below, zeros) for zeros in (False, True))
    negamax = negated > plain or turns_windows_and_ends(server)
    if len(server.nodes) > MAX_TRACED_CALLS or (other_side and not (own_side and negamax)):
        return None
    if not negamax and (negates(server) or high > low):
        return None  # its values fit both
    return RecordedCalls(server, case, negamax)
