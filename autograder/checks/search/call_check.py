"""Check the recorded calls of a search, and find where it first went wrong.

Each call is compared with its parent's arguments, and with the values that the calls before it
returned. The worker itself reports these calls, so they may explain a verdict but never decide it.
"""

from collections.abc import Generator, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from math import inf, isfinite
from typing import Any, NamedTuple

from autograder.checks.ask.finding import FIRST_WRONG_CALL, Finding, Hint
from autograder.checks.ask.values import format_distinct, is_rounded, same
from autograder.checks.search.completeness import PRUNING_RULE, find_left_out
from autograder.checks.search.search_diagram import (
    count_fits,
    draw_search,
    name_with_rank,
    negates,
    number_states,
    turns_windows_and_ends,
)
from autograder.diagram import Node, Tree, format_value, is_tree, kind_of
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import MAX_TRACED_CALLS
from starter.games import State

Window = tuple[float, float]
BOUNDS = ("alpha", "beta")
BEST_OF = {"max": max, "min": min}
OTHER_KIND = {"max": "min", "min": "max"}
H_EARLY = "cutoff said: go on"
OWN = {"max": 0, "min": 1}  # which bound of its window a node moves
MOVES = {
    "max": {"did": "raised", "bound": "alpha"},
    "min": {"did": "lowered", "bound": "beta"},
}


class Deviation(NamedTuple):
    """A call that does not follow from the calls before it.

    at:    the position where it was made
    hints: the deviation and the expectation; none if utility was called, or h at a leaf, or a move
           searched, where it should not be, because other findings report that
    mark:  the expectation, in a few words
    """

    at: int
    hints: tuple[Hint, ...] = ()
    mark: str = ""


class CallCheck:
    """The recorded calls of a search, in order, and a check of each."""

    def __init__(self, server: GameServer, window: Window, negamax: bool = False) -> None:
        """Read the calls of a search with that window.

        negamax: windows and return values are those of the player to move; here all are MAX's
        """
        self.server, self.window, self.negamax = server, window, negamax
        self.order = number_states(server)
        self.whole = next(find_left_out(server), None) is None
        self.chance = any(position.state.to_move == "chance" for position in server.positions)
        self.answers = {e.number: e for e in server.find_requests("utility", "h")}
        self.worths = {
            number: event.answer if event.said == server.max_player else -event.answer
            for number, event in self.answers.items()
        }
        self.answered = {server.state(number) for number in self.answers}
        self.stops = {e.number: e.answer for e in server.find_requests("cutoff")}
        children = server.children()
        self.children = {above: self.sort_by_calls(below) for above, below in children.items()}

    def sort_by_calls(self, children: list[int]) -> list[int]:
        """Return positions in the order of their calls, if all calls are known.

        A copy that nothing was asked about, and that was not called, is left out.
        """
        used = self.server.call_args.keys() | self.answers.keys()
        searched = {self.server.state(child) for child in used.intersection(children)}
        children = [n for n in children if n in used or self.server.state(n) not in searched]
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

    def kind(self, number: int) -> str:
        return kind_of(self.server.state(number), self.server.max_player)

    def check(self, number: int, due: Window) -> Iterator[Deviation]:
        """Yield the deviations of a call and of all calls below it.

        due: the alpha and beta that it should be called with
        """
        window = self.find_window(number)
        right = window and all(map(same, window, due))
        if window and not right and (number or not self.is_wide(window)) and not self.chance:
            yield self.describe_window(number, window, due)
        if self.is_unsearched(number):
            facts = {"node": self.name(number), "returned": self.server.find_return(number)}
            yield Deviation(number, (Hint("call-no-child", facts),), "no move was searched")
            return
        if not self.children.get(number):
            yield from self.check_leaf(number, window)
            return
        if self.stops.get(number):
            yield Deviation(number)
            return
        if self.stops.get(number) is False and number in self.answers:
            hint = Hint("call-h-early", {"node": self.name(number)})
            yield Deviation(number, (hint,), H_EARLY)
        values = yield from self.check_children(number, window or due)
        returned = self.find_return(number)
        if values and returned is not None and (window or self.whole):
            yield from self.check_value(number, returned, values, window)

    def is_unsearched(self, number: int) -> bool:
        """Has an inner node returned inf or -inf without a request or a call at its children?"""
        returned = self.server.find_return(number)
        if returned is None or isfinite(returned) or self.server.is_over(number):
            return False
        used = self.server.call_args.keys() | self.answers.keys()
        children = self.server.children().get(number, [])
        return number not in self.answers and used.isdisjoint(children)

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
        return self.negamax and number > 0 and self.kind(number) == "min"

    def turn(self, number: int, window: Window) -> Window:
        """Turn a window between MAX's side and that of the call."""
        return (-window[1], -window[0]) if self.is_turned(number) else window

    def is_wide(self, window: Window) -> bool:
        """Does the window contain every leaf value, so that nothing can be pruned?"""
        most = max((abs(event.answer) for event in self.answers.values()), default=0.0)
        return window[0] < -most and most < window[1]

    def check_children(
        self, number: int, window: Window
    ) -> Generator[Deviation, None, list[float]]:
        """Check the calls of the children; return their values, [] if one is unknown."""
        alpha, beta = window
        values: list[float] = []
        seen: set[State] = set()
        for child in self.children[number]:
            if self.server.state(child) in seen:
                if self.server.call_args.get(child, {}).keys() & {*BOUNDS}:
                    return []  # searched again, perhaps with a narrower window
                continue
            seen.add(self.server.state(child))
            yield from self.check(child, (alpha, beta))
            value = self.value(child)
            if value is None:
                return []
            values.append(value)
            if self.kind(number) == "max":
                alpha = max(alpha, value)
            elif self.kind(number) == "min":
                beta = min(beta, value)
        return values

    def value(self, child: int) -> float | None:
        """Return the value of a child: its return value, or its utility or h."""
        found = self.find_return(child)
        if found is None and child in self.answers and not self.children.get(child):
            found = self.worths[child]
        return found

    def check_leaf(self, number: int, window: Window | None) -> Iterator[Deviation]:
        """Check that a leaf returned the value that utility, or h, gave for it."""
        answer, returned = self.answers.get(number), self.find_return(number)
        stop = self.stops.get(number)
        if answer is None:
            if returned is not None and stop:
                facts = {"node": self.name(number), "returned": returned}
                yield Deviation(number, (Hint("call-no-h", facts),), "h was not called")
            elif returned is not None and self.server.is_over(number):
                yield from self.check_unasked_end(number, returned, window)
            return
        if not self.server.is_over(number) and (answer.kind == "utility" or stop is False):
            if not stop:
                yield Deviation(number)
            return
        due = self.worths[number]
        if returned is None or self.may_return(returned, due, window):
            return
        right, got = self.format_pair(number, due, returned)
        facts = {"node": self.name(number), "function": answer.kind, "due": right, "got": got}
        if self.negamax:
            to_move = self.server.state(number).to_move
            hints = [Hint("call-end-negamax", {**facts, "to_move": to_move})]
        else:
            hints = [Hint("call-end", facts)] + [Hint("sign")] * same(returned, -due)
            hints += [Hint("call-rounded", facts)] * is_rounded(returned, due)
        yield Deviation(number, tuple(hints), f"{right} is due")

    def check_unasked_end(
        self, number: int, returned: float, window: Window | None
    ) -> Iterator[Deviation]:
        """Check what a terminal node returned whose utility was never asked for."""
        state = self.server.state(number)
        due = self.server.game.utility(state, self.server.max_player)
        if state in self.answered or self.may_return(returned, due, window):
            return
        right, got = self.format_pair(number, due, returned)
        facts = {"node": self.name(number), "due": right, "got": got}
        yield Deviation(number, (Hint("call-end-not-asked", facts),), f"{right} is due")

    def format_pair(self, number: int, due: float, returned: float) -> tuple[str, str]:
        """Format the value that is due at a node and the returned one, in the code's own signs."""
        turned = -1 if self.is_turned(number) else 1
        return format_distinct(turned * due, turned * returned)

    @staticmethod
    def may_return(returned: float, value: float, window: Window | None) -> bool:
        """Is `returned` the value, or a bound that may be returned instead?

        Outside the window any number between the value and the window is a true bound.
        """
        alpha, beta = window or (value, value)
        low, high = sorted((value, min(max(value, alpha), beta)))
        return low <= returned <= high or same(returned, low) or same(returned, high)

    def describe_window(self, number: int, window: Window, due: Window) -> Deviation:
        """Describe the bounds that differ, and the origin of the expected ones."""
        parent = self.server.positions[number].parent
        window, due = self.turn(number, window), self.turn(number, due)
        side = f", seen from {self.server.state(number).to_move}'s side" if self.negamax else ""
        wrong = [which for which in (0, 1) if not same(window[which], due[which])]
        right = " and ".join(f"{BOUNDS[which]} = {format_value(due[which])}" for which in wrong)
        alpha, beta = format_distinct(*window)
        facts = {"node": self.name(number), "alpha": alpha, "beta": beta, "due": right}
        hints = [Hint("call-window", {**facts, "side": side})]
        above = None if parent is None else self.find_window(parent)
        if all(map(same, window, due[::-1])):
            hints.append(Hint("call-window-swapped"))
        elif above and same(*window) and len(wrong) == 1 and same(window[0], above[1 - wrong[0]]):
            facts = {"parent": self.name(parent or 0), "bound": BOUNDS[1 - wrong[0]]}
            hints.append(Hint("call-window-equal", facts))
        elif self.negamax:
            hints += [Hint("call-window-not-turned")] * self.passes_on(parent, window)
            if parent is not None and wrong == [1]:
                hints += self.find_unturned_value(parent, number, window[1])
        elif parent is not None and self.has_raised_the_other(parent, window, due):
            kind, other = self.kind(parent), OTHER_KIND[self.kind(parent)]
            facts = {
                "parent": self.name(parent),
                "kind": kind.upper(),
                "other": other.upper(),
                "did": "{did} {bound}".format(**MOVES[other]),
                "due": MOVES[kind]["bound"],
            }
            hints.append(Hint("call-window-other-kind", facts))
        elif parent is not None and len(wrong) == 1:
            hints += self.explain_bound(parent, wrong[0], due)
        mark = f"[{format_value(due[0])}, {format_value(due[1])}] is due"
        return Deviation(number, tuple(hints), mark)

    def never_moves_its_bound(self, kind: str) -> bool:
        """Does each node of a kind pass on the bound that it was called with, unchanged?"""
        return all(
            same(above[OWN[kind]], window[OWN[kind]])
            for number in self.list_nodes(kind)
            if (above := self.find_window(number))
            for child in self.children[number]
            if (window := self.find_window(child))
        )

    def list_nodes(self, kind: str) -> list[int]:
        """Return the searched inner nodes of a kind."""
        return [number for number in self.children if self.kind(number) == kind]

    def passes_on_its_v(self, kind: str) -> bool:
        """Does each node of a kind pass on its own v, whatever bound it was called with?"""
        found = []
        for number in self.list_nodes(kind):
            v = -inf if kind == "max" else inf
            for child in self.children[number]:
                window, value = self.find_window(child), self.value(child)
                if window is None or value is None:
                    return False
                found.append(same(window[OWN[kind]], v))
                v = BEST_OF[kind](v, value)
        return len(found) > 2 and all(found)

    def has_raised_the_other(self, parent: int, window: Window, due: Window) -> bool:
        """Did a node change the bound that is due to the other kind of node, and leave its own?"""
        above, kind = self.find_window(parent), self.kind(parent)
        if above is None or kind not in OWN:
            return False
        mine = OWN[kind]
        moved = same(window[1 - mine], due[mine]) and not same(above[1 - mine], due[mine])
        return moved and same(window[mine], above[mine])

    def passes_on(self, parent: int | None, window: Window) -> bool:
        """Is the window the parent's own, neither turned nor swapped?

        The first call's function may have turned its own window before it passes that on.
        """
        above = None if parent is None else self.find_window(parent)
        if parent is None or above is None or window[0] == -window[1]:
            return False  # the last: turned and swapped, it is the same window
        own = [self.turn(parent, above)] + [(-above[1], -above[0])] * (parent == 0)
        return any(all(map(same, window, each)) for each in own)

    def find_unturned_value(self, parent: int, number: int, beta: float) -> Iterator[Hint]:
        """Name a child of a negamax node whose value became a bound without a turned sign."""
        siblings = self.children[parent]
        for child in siblings[: siblings.index(number)]:
            returned = self.server.find_return(child)
            if returned and same(returned, -beta):
                facts = {"child": self.name(child), "returned": returned, "turned": -returned}
                yield Hint("call-value-not-turned", facts)
                return

    def explain_bound(self, parent: int, which: int, due: Window) -> Iterator[Hint]:
        """Say where the right bound comes from."""
        above, name = self.find_window(parent), self.name(parent)
        if parent:
            name = f"the {self.kind(parent)} node {name}"
        facts = {"bound": f"{BOUNDS[which]} = {format_value(due[which])}", "parent": name}
        if above and same(above[which], due[which]):
            yield Hint("call-bound-of-parent", facts)
        elif self.kind(parent) == ("max", "min")[which] and not same(
            due[which], self.window[which]
        ):
            yield Hint("call-bound-is-v", facts)  # a child of that node has changed it

    def check_value(
        self, number: int, returned: float, values: list[float], window: Window | None
    ) -> Iterator[Deviation]:
        """Compare a node's value with its children's values; a bound may replace these."""
        kind = self.kind(number)
        if self.is_turned(number):
            kind, returned, window = "max", -returned, window and (-window[1], -window[0])
            values = [-value for value in values]
        if kind == "chance":
            odds, values = self.weigh(number, values)
            best, name = sum(values), "call-mean"
            found = " + ".join(odds[:4]) + " + ..." * (len(odds) > 4)
        else:
            best = BEST_OF[kind](values)
            name = f"call-{kind}-of" + "-negamax" * (self.negamax and kind == "max")
            found = ", ".join(map(format_value, values[:5])) + ", ..." * (len(values) > 5)
        if self.may_return(returned, best, window):
            return
        due, got = format_distinct(best, returned)
        facts: dict[str, Any] = {"node": self.name(number), "got": got, "due": due, "values": found}
        if len(values) == 1 and kind != "chance":
            name = "call-only-child"
        hints = [Hint(name, facts)]
        if kind == "chance":
            hints += self.name_missing_term(number, returned, values)
            hints += self.name_single_weight(number, returned)
            hints += self.name_single_outcome(number, returned)
        if kind in BEST_OF and not self.negamax and len(values) > 1:
            other = OTHER_KIND[kind]
            if self.returns_its_last(kind):
                hints.append(Hint("call-took-last", {"kind": kind.upper()}))
            elif self.takes_the_worst("max") and self.takes_the_worst("min"):
                hints.append(Hint("call-sides-exchanged"))
            elif same(returned, BEST_OF[other](values)):
                to_move = self.server.state(number).to_move
                kinds = {"kind": kind.upper(), "other": other.upper(), "to_move": to_move}
                last = ", and the last one" if same(returned, values[-1]) else ""
                hints.append(Hint(f"call-took-{other}", {**kinds, "last": last}))
        beyond = kind in BEST_OF and BEST_OF[kind](returned, best) == returned
        factor = self.find_factor(kind) if kind in BEST_OF and not self.negamax else None
        if same(returned, -best) and not any(same(returned, value) for value in values):
            hints.append(Hint("sign"))
        elif factor is not None:
            hints.append(Hint("call-scaled", {"factor": factor, "kind": kind.upper()}))
        elif is_rounded(returned, best) and not any(same(returned, value) for value in values):
            if returned or not beyond:  # else v may have begun at 0
                hints.append(Hint("call-rounded" + "-mean" * (kind == "chance"), facts))
        elif window and kind in BEST_OF and BEST_OF[kind](best, window[kind == "max"]) == best:
            rule, which = PRUNING_RULE[kind]
            facts |= {"rule": rule, "which": which, "bound": window[kind == "max"]}
            early = len(values) > 1 and same(returned, BEST_OF[kind](values[:-1]))
            hints.append(Hint("call-pruned" + "-early" * early, facts))
        elif not isfinite(returned) and kind in BEST_OF and not beyond:
            hints.append(Hint("call-never-replaced", facts))
        elif (
            beyond
            and not any(same(returned, -value) for value in values)
            and (self.negamax or self.begins_with(kind, returned))
        ):
            hints.append(self.explain_beginning(number, kind, facts))
        yield Deviation(number, tuple(hints), f"{due} is due")

    def explain_beginning(self, number: int, kind: str, facts: dict[str, Any]) -> Hint:
        """Say where a returned value that no child has may come from."""
        facts = {**facts, "begin": "-inf" if kind == "max" else "inf"}
        returned, window = self.find_return(number), self.find_window(number)
        other = 1 - OWN[kind]
        if window and not self.negamax and returned == window[other]:
            return Hint("call-began-or-bound", {**facts, "which": BOUNDS[other]})
        source = self.find_source(number)
        if source is None:
            return Hint("call-began-at", facts)
        began = "-or-began" * (returned in (-1, 0, 1))
        return Hint(f"call-kept{began}", {**facts, "source": self.name(source)})

    def find_source(self, number: int) -> int | None:
        """Return a node of the same kind that returned the same number before, from a child."""
        returned, above = self.find_return(number), self.server.path(number)
        for other in self.list_nodes(self.kind(number)):
            ended = other < number or number in self.server.path(other)
            same_return = ended and other not in above and self.find_return(other) == returned
            if same_return and returned in map(self.value, self.children[other]):
                return other
        return None

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

    def returns_its_last(self, kind: str) -> bool:
        """Does each node of a kind return its last child's value, and not always the worst?"""
        returns, worst = self.list_returns(kind), BEST_OF[OTHER_KIND[kind]]
        all_last = all(same(returned, values[-1]) for returned, values in returns)
        all_worst = all(same(returned, worst(values)) for returned, values in returns)
        return bool(returns) and all_last and not all_worst

    def takes_the_worst(self, kind: str) -> bool:
        """Does each node of a kind return its worst child's value, one that had a better child?"""
        best, worst = BEST_OF[kind], BEST_OF[OTHER_KIND[kind]]
        returns = self.list_returns(kind)
        chose = any(not same(best(values), worst(values)) for _, values in returns)
        return chose and all(same(returned, worst(values)) for returned, values in returns)

    def find_factor(self, kind: str) -> float | None:
        """Return the number by which several nodes of a kind have multiplied what is due."""
        best = BEST_OF[kind]
        returns = [(returned, best(values)) for returned, values in self.list_returns(kind)]
        factor = next((returned / due for returned, due in returns if due), 1.0)
        scaled = all(same(returned, factor * due) for returned, due in returns)
        several = len(set(returns)) > 1
        return factor if several and scaled and abs(factor) not in (0, 1, inf) else None

    def begins_with(self, kind: str, begin: float) -> bool:
        """Do all nodes of a kind that return no child's value return this number?"""
        return all(
            same(returned, begin) or any(same(returned, value) for value in values)
            for returned, values in self.list_returns(kind)
        )

    def name_missing_term(self, number: int, returned: float, terms: list[float]) -> list[Hint]:
        """Name the outcome without which the mean is what was returned, if there is one."""
        missing = [i for i, term in enumerate(terms) if same(returned, sum(terms) - term)]
        if len(missing) != 1 or same(terms[missing[0]], 0):
            return []
        children = self.children[number]
        child = children[missing[0]]
        facts = {"node": self.name(child)}
        value = self.value(child)
        for other in children:
            if other != child and value is not None and self.value(other) == value:
                facts["other"] = self.name(other)
                return [Hint("call-mean-without-equal", facts)]
        return [Hint("call-mean-without", facts)]

    def name_single_weight(self, number: int, returned: float) -> list[Hint]:
        """Name the outcome whose probability alone has multiplied the sum of all values."""
        odds = {move: p for p, move in self.server.game.outcomes(self.server.state(number))}
        weights = {
            child: odds[self.server.positions[child].move] for child in self.children[number]
        }
        total = sum(value for child in weights if (value := self.value(child)) is not None)
        fits = [child for child, p in weights.items() if same(returned, float(p) * total)]
        if len(fits) != 1 or not total:
            return []
        facts = {"node": self.name(fits[0]), "probability": weights[fits[0]]}
        return [Hint("call-mean-one-weight", facts)]

    def name_single_outcome(self, number: int, returned: float) -> list[Hint]:
        """Name the outcome whose value was returned in place of the mean, and what it is."""
        children = self.children[number]
        found = {child: value for child in children if (value := self.value(child)) is not None}
        fits = [child for child, value in found.items() if same(returned, value)]
        if len(fits) != 1:
            return []
        extremes = {"smallest": min(found.values()), "largest": max(found.values())}
        words = [f"the {name}" for name, value in extremes.items() if same(returned, value)]
        words += ["the last one"] * (fits[0] == children[-1])
        return [Hint("call-one-outcome", {"node": self.name(fits[0]), "which": ", ".join(words)})]

    def weigh(self, number: int, values: list[float]) -> tuple[list[str], list[float]]:
        """Return the terms of the mean over searched outcomes, in words and as numbers."""
        odds = {move: p for p, move in self.server.game.outcomes(self.server.state(number))}
        moves = [self.server.positions[child].move for child in self.children[number]]
        words = [
            f"{format_value(odds[move])} * {format_value(value)}"
            for move, value in zip(moves, values)
        ]
        return words, [float(odds[move]) * value for move, value in zip(moves, values)]


# Consequences of a first wrong step, which say less. SAID_BY: hints that say the same as a step's.
CONSEQUENCES = {
    *("another-return", "margin", "left-early", "left-by-no-bound", "left-by-that-bound", "sign"),
    *("tried-moves", "missing-place", "returned-at-once", "bounds-shared"),
    *("wrong-side", "wrong-side-to-move", "wrong-side-moved"),
}
SAID_BY = {"called-with": "call-window", "bound-of-a-node": "call-bound-is-v"}


def explain_by_calls(finding: Finding, case: SearchCase, server: GameServer) -> Finding:
    """Return the finding with the first wrong step of the search, if it is known.

    That a node was left too early is a consequence of the step, which is reported in its place.
    """
    if finding.code.startswith("value/") and is_tree(server.root):
        finding = replace(finding, diagrams=(draw_search(server, returns=True),))
    check = make_check(server, case)
    steps = list(check.check(0, check.window)) if check else []
    if finding.code.startswith("h/no-stop"):  # it says the same
        steps = [step for step in steps if step.mark != H_EARLY]
    if check is None or not steps or not steps[0].hints:
        return finding
    step = steps[0]
    hints = [*step.hints, *name_kind(check, steps), *name_bound(check, step)]
    names = {hint.name for hint in hints}
    specific = [
        hint
        for hint in finding.hints
        if hint.name not in {*CONSEQUENCES, *names} and SAID_BY.get(hint.name) not in names
    ]
    diagrams = finding.diagrams
    if diagrams and isinstance(diagrams[0], Tree):
        diagrams = (mark_node(diagrams[0], server, step), *diagrams[1:])
    code, facts = finding.code, finding.facts
    if code.startswith("left-too-early") and not code.endswith("/came-back"):
        first, *hints = hints
        code, facts = FIRST_WRONG_CALL + first.name, first.facts
    else:
        code = code.removesuffix("/side").removesuffix("/left-too-early")
        if step.hints[0].name in ("call-mean", "call-no-child"):
            code = code.removesuffix("/infinite")  # that is about v, which the step is not
    return replace(finding, code=code, facts=facts, hints=(*hints, *specific), diagrams=diagrams)


def mark_node(tree: Tree, server: GameServer, step: Deviation) -> Tree:
    """Return a drawn tree with a mark at the node of a step, unless there is one."""
    tree = deepcopy(tree)
    node = find_node(tree.root, server, step.at)
    node.mark = node.mark or step.mark
    return tree


def find_node(root: Node, server: GameServer, number: int) -> Node:
    """Return the node of a drawn tree that stands for a position."""
    node = root
    above = server.path(number)
    for parent, child in pairwise(above):
        actions = server.actions(parent)
        node = node.children[actions.index(server.positions[child].move)]
    return node


def name_kind(check: CallCheck, steps: list[Deviation]) -> Iterator[Hint]:
    """Say of which kind the nodes are where the first step is wrong, if all are of one kind.

    The wrong bounds of a call are its parent's fault.
    """
    name = steps[0].hints[0].name
    nodes = {step.at for step in steps if step.hints and step.hints[0].name == name}
    if name.startswith("call-window"):
        nodes = {check.server.positions[at].parent or 0 for at in nodes}
    kinds = {check.kind(node) for node in nodes}
    if len(nodes) > 1 and len(kinds) == 1 and kinds != set(map(check.kind, check.children)):
        facts = {"nodes": len(nodes), "kind": kinds.pop()}
        yield Hint("call-one-kind" + "-window" * name.startswith("call-window"), facts)


def name_bound(check: CallCheck, step: Deviation) -> Iterator[Hint]:
    """Say what all nodes of a kind pass on as their own bound, if the step's bound is wrong."""
    said = {hint.name for hint in step.hints}
    kind = check.kind(check.server.positions[step.at].parent or 0)
    if "call-bound-is-v" in said and check.never_moves_its_bound(kind):
        nodes = check.list_nodes(kind)
        one = f"{check.name(nodes[0])} has not"
        who = one if len(nodes) == 1 else f"no {kind.upper()} node has"
        yield Hint("call-bound-never", {"who": who, **MOVES[kind]})
    if "call-bound-of-parent" in said and check.passes_on_its_v(kind):
        facts = {"larger": "larger" if kind == "max" else "smaller", **MOVES[kind]}
        yield Hint("call-bound-own-v", {"kind": kind.upper(), **facts})


def make_check(server: GameServer, case: SearchCase) -> CallCheck | None:
    """Return a check of a search's calls, or None if their values can't be understood.

    A search that asks from the other side is not explained, unless it is negamax.
    """
    asked = server.find_requests("utility", "h")
    other_side = any(event.said != server.max_player for event in asked)
    own_side = all(event.said == server.state(event.number).to_move for event in asked)
    plain, negated = count_fits(server, below=1 if case.function else 0)
    negamax = negated > plain or turns_windows_and_ends(server)
    if len(server.positions) > MAX_TRACED_CALLS or (other_side and not (own_side and negamax)):
        return None
    if not negamax and negates(server):
        return None  # its values fit both
    check = CallCheck(server, (case.alpha, case.beta), negamax)
    if not check.uses_the_same_scale():
        return None
    return check
