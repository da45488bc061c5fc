"""The steps of a search: with which bounds each call was made, and what it returned.

Each call is compared with the one above it: with what that was called with, and with what the calls
before it returned.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from math import inf, isfinite
from typing import NamedTuple

from autograder.checks.replay import asked_everything
from autograder.checks.search_diagram import called, searched_order
from autograder.checks.values import same, told_apart
from autograder.diagram import kind_of, show
from autograder.serving.game_server import Served
from autograder.serving.record import Event
from autograder.worker.inside.protocol import SIDES
from starter.games import State

Window = tuple[float, float]
BOUNDS = ("alpha", "beta")
TAKEN = {"max": "the largest", "min": "the smallest"}


class Slip(NamedTuple):
    """A step that does not follow from those before it.

    at:    the position where it was made
    what:  a line that says what was done, and what was due
    mark:  what was due, in a few words
    kind:  "bound": another bound was handed on; "value": another value than what came from below;
           "end": another value than what the utility, or h, was there;
           "side": the function for the other kind of node was called;
           "sign": the same value as the utility, or h, in a search that turns signs;
           "call": utility or h was called, or a move searched, where it should not be
    """

    at: int
    what: str
    mark: str
    kind: str = ""


class Steps:
    """The steps of a search, in the order in which they were made."""

    def __init__(self, served: Served, player: str, window: Window, turns: bool) -> None:
        """turns: values and bounds are seen from who is to move, not from MAX"""
        self.served, self.player, self.turns = served, player, turns
        self.window = (-window[1], -window[0]) if self.mirrored(0) else window
        self.order = searched_order(served)
        self.whole = asked_everything(served)
        self.chance = any(position.state.to_move == "chance" for position in served.positions)
        self.told = {e.number: e for e in served.events if e.kind in ("utility", "h")}
        self.stops = {e.number: e.answer for e in served.events if e.kind == "cutoff"}
        children = served.children()
        self.children = {above: self.searched(below) for above, below in children.items()}
        # By kind of node: what came back from below, in this order, and what was returned.
        self.compared: dict[str, list[tuple[list[float], float]]] = {}

    def slips(self) -> list[Slip]:
        """Return the steps that are wrong, in the order in which they were made."""
        return list(self.checked(0, self.window))

    def searched(self, children: list[int]) -> list[int]:
        """Return positions in the order in which they were searched, if all calls are known."""
        calls = {number: place for place, number in enumerate(self.served.handed)}
        for child in set(children).intersection(self.told).difference(calls):
            if self.told[child].kind == "utility" or self.stops.get(child):
                return children  # an end that no function was called with
        return sorted(children, key=lambda child: calls.get(child, len(calls)))

    def as_told(self) -> bool:
        """Does any end's value come back as it was told? Else the search has a scale of its own."""
        pairs = ((self.returned(number), event.answer) for number, event in self.told.items())
        known = [(back, told) for back, told in pairs if back is not None and told]
        return not known or any(agree(abs(back), abs(told)) for back, told in known)

    def name(self, number: int) -> str:
        order = self.order.get(self.state(number))
        return called(self.served, number) + ("" if order is None else f" (#{order})")

    def state(self, number: int) -> State:
        return self.served.positions[number].state

    def kind(self, number: int) -> str:
        state = self.state(number)
        return kind_of(state, state.to_move if self.turns else self.player)

    def checked(self, number: int, due: Window) -> Iterator[Slip]:
        """Yield what is wrong with a call and with all below it.

        due: alpha and beta that it should be called with
        """
        window = self.called_with(number)
        right = window and all(map(agree, window, due))
        if window and not right and (number or not self.wide(window)) and not self.chance:
            yield self.other_window(number, window, due)
        if not self.children.get(number):
            yield from self.checked_end(number, window)
            return
        function, kind = self.served.given_to.get(number, ""), self.kind(number)
        if kind in TAKEN and SIDES.get(function, kind) != kind and not self.turns:
            to_move = self.state(number).to_move
            what = f"{self.name(number)} was passed to {function}, but {to_move} is to move there"
            yield Slip(number, f"{what}: it is a {kind} node", f"a {kind} node", "side")
        if self.stops.get(number):
            what = f"cutoff said stop at {self.name(number)}, and the search went on there"
            yield Slip(number, f"{what}: return h's value instead", "h is due", "call")
            return
        values = yield from self.checked_children(number, window or due)
        returned = self.returned(number)
        if values and returned is not None and (window or self.whole):
            yield from self.other_value(number, returned, values, window)

    def called_with(self, number: int) -> Window | None:
        found = self.served.handed.get(number, {})
        if not {"alpha", "beta"} <= found.keys():
            return None
        alpha, beta = found["alpha"], found["beta"]
        return (-beta, -alpha) if self.mirrored(number) else (alpha, beta)

    def mirrored(self, number: int) -> bool:
        """Is this the root, called from MAX's side whatever is done below?"""
        return self.turns and not number and self.state(0).to_move != self.player

    def wide(self, window: Window) -> bool:
        """Does the window hold every value that the search was told? Then it is as good as any."""
        most = max((abs(event.answer) for event in self.told.values()), default=0.0)
        return window[0] < -most and most < window[1]

    def checked_children(self, number: int, window: Window) -> Generator[Slip, None, list[float]]:
        """Look at the calls below; return their values, none if one of them is not known."""
        alpha, beta = window
        values: list[float] = []
        seen: set[State] = set()
        for child in self.children[number]:
            if self.state(child) in seen:
                return []  # searched again, perhaps with a narrower window
            seen.add(self.state(child))
            yield from self.checked(child, (-beta, -alpha) if self.turns else (alpha, beta))
            value = self.value(child, number)
            if value is None:
                return []
            values.append(value)
            if self.kind(number) == "max":
                alpha = max(alpha, value)
            elif self.kind(number) == "min":
                beta = min(beta, value)
        return values

    def value(self, child: int, parent: int) -> float | None:
        """What came back from a position, as the one above it sees it."""
        found = self.returned(child)
        if found is not None:
            return -found if self.turns else found
        told = self.told.get(child)
        if told is None or self.children.get(child):
            return None
        return self.seen(told, parent)

    def returned(self, number: int) -> float | None:
        found = self.served.returned(number)
        return -found if found is not None and self.mirrored(number) else found

    def checked_end(self, number: int, window: Window | None) -> Iterator[Slip]:
        """Nothing was searched below: the value is what utility, or h, said there."""
        told, returned = self.told.get(number), self.returned(number)
        name, over = self.name(number), self.served.game.is_terminal(self.state(number))
        if told is None:
            if returned is not None and self.stops.get(number):
                what = f"cutoff said stop at {name}, but h was not called there"
                yield Slip(number, f"{what}: {show(returned)} was returned", "h was not called")
            return
        if told.kind == "utility" and not over:
            what = f"utility was called at {name}, where the game goes on"
            if self.stops.get(number):
                yield Slip(number, f"{what} and cutoff said stop: call h instead", "h is due")
            else:
                what += ": search its moves instead"
                yield Slip(number, what, "the game goes on", "call")
            return
        if told.kind == "h" and not over and self.stops.get(number) is False:
            what = f"h was called at {name}, where cutoff said go on: search its moves instead"
            yield Slip(number, what, "cutoff said go on", "call")
            return
        due = self.seen(told, number)
        if returned is None or self.may_return(returned, due, window):
            return
        if self.turns and agree(returned, -due):
            what = (
                f"{told.kind} was {show(told.answer)} at {name}, seen from {self.player}, and was "
                f"returned unchanged; but your search changes the sign of every value from below, "
                f"so return {show(due)} where {self.state(number).to_move} is to move"
            )
            yield Slip(number, what, f"{show(due)} is due", "sign")
        else:
            sign = ": its sign was changed" if agree(returned, -due) else ""
            right, got, _ = told_apart(due, returned)
            what = f"{told.kind} was {right} at {name}, but {got} was returned{sign}"
            yield Slip(number, what, f"{right} is due", "end")

    def seen(self, told: Event, number: int) -> float:
        """What an end was told to be worth, from the side from which that position is seen."""
        worth: float = told.answer
        return -worth if self.turns and self.state(number).to_move != self.player else worth

    @staticmethod
    def may_return(returned: float, value: float, window: Window | None) -> bool:
        """Is that the value, or the bound that may stand for it?"""
        alpha, beta = window or (value, value)
        return agree(returned, value) or agree(returned, min(max(value, alpha), beta))

    def other_window(self, number: int, window: Window, due: Window) -> Slip:
        """Say which bounds are others than they should be, and where these come from."""
        wrong = [which for which in (0, 1) if not agree(window[which], due[which])]
        right = " and ".join(f"{BOUNDS[which]} = {show(due[which])}" for which in wrong)
        parent = self.served.positions[number].parent
        what = f"{self.name(number)} was called with {shown(window)}; expected {right}"
        if all(map(agree, window, due[::-1])):
            what += ": alpha and beta are swapped"
        elif all(map(agree, window, (-due[1], -due[0]))):
            what += ": they were negated as in negamax, but values are not"
        elif parent is not None and len(wrong) == 1 and not self.turns:
            what += self.source(number, parent, wrong[0], due)
        return Slip(number, what, f"[{show(due[0])}, {show(due[1])}] is due", "bound")

    def source(self, number: int, parent: int, which: int, due: Window) -> str:
        """Say where the right bound comes from."""
        above, name = self.called_with(parent), self.name(parent)
        if parent:
            name = f"the {self.kind(parent)} node {name}"
        if above and agree(above[which], due[which]):
            return f", with which {name} was called"
        if self.kind(parent) != ("max", "min")[which] or agree(due[which], self.window[which]):
            return ""  # no child of that node has changed it
        siblings = self.children[parent]
        later = siblings[siblings.index(number) + 1 :]
        after = self.called_with(later[0]) if later else None
        late = after and agree(after[which], due[which])
        came = f": that came a move late, at {self.name(later[0])}" if late else ""
        return f", the v of {name} so far{came}"

    def other_value(
        self, number: int, returned: float, values: list[float], window: Window | None
    ) -> Iterator[Slip]:
        """Compare what a node returned with its children's values; a bound may stand for these."""
        kind, are = self.kind(number), list[str]()
        if kind == "chance":
            odds, values = self.terms(number, values)
            best = sum(values)
            taken = " + ".join(odds[:4]) + " + ..." * (len(odds) > 4)
        else:
            best = (max if kind == "max" else min)(values)
            found = ", ".join(map(show, values[:5])) + ", ..." * (len(values) > 5)
            below = self.name(self.children[number][0])
            taken = f"{TAKEN[kind]} of {found}" if len(values) > 1 else f"what {below} returned"
            if window and returned in window:
                are.append(f"{BOUNDS[window.index(returned)]} there")
            are += ["where v begins"] * (returned == (-inf if kind == "max" else inf))
            if are:
                taken += f"; {show(returned)} is {' and '.join(are)}"
            elif returned > best if kind == "max" else returned < best:
                taken += "; check the value that v begins with"
        self.compared.setdefault(kind, []).append((values, returned))
        if not self.may_return(returned, best, window):
            due, got, _ = told_apart(best, returned)
            what = f"{self.name(number)} returned {got}; expected {due}, {taken}"
            picked = len(values) > 1 and not are
            yield Slip(number, what, f"{due} is due", "value" if picked else "")

    def terms(self, number: int, values: list[float]) -> tuple[list[str], list[float]]:
        """Return what the mean of the outcomes that were searched is the sum of, also in words."""
        odds = {move: p for p, move in self.served.game.outcomes(self.state(number))}
        moves = [self.served.positions[child].move for child in self.children[number]]
        words = [f"{show(odds[move])} * {show(value)}" for move, value in zip(moves, values)]
        return words, [float(odds[move]) * value for move, value in zip(moves, values)]


def shown(window: Window) -> str:
    return f"alpha = {show(window[0])}, beta = {show(window[1])}"


def agree(a: float, b: float) -> bool:
    """Equal except for rounding; an infinite bound equals nothing else."""
    return a == b or (isfinite(a) and isfinite(b) and same(a, b))
