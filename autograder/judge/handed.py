"""Where a search first handed on another bound, or returned another value, than what it had.

Each call is compared with the one above it: with what that was called with, and with what the calls
before it returned. All this the worker says of itself, so it explains a verdict and is never one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import pairwise
from math import inf, isfinite
from typing import NamedTuple

from autograder.cases import SearchCase
from autograder.draw import Node, Tree, is_tree, show
from autograder.inside.protocol import SIDES
from autograder.judge.pictures import called, kind_of, searched_order, searched_tree
from autograder.judge.replay import ASK, asked_everything
from autograder.judge.values import after_chance, same
from autograder.record import Event
from autograder.referee import Served
from autograder.student import NOTHING_COMPARED
from autograder.wrong import Wrong
from starter.games import State

MOST_POSITIONS = 2_000  # no more of them are watched
Window = tuple[float, float]
BOUNDS = ("alpha", "beta")
TAKEN = {"max": "the largest", "min": "the smallest"}
PICKS: dict[str, Callable[[list[float]], float]] = {
    "the first": lambda values: values[0],
    "the last": lambda values: values[-1],
    "the largest": max,
    "the smallest": min,
}


class Slip(NamedTuple):
    """A step that does not follow from those before it.

    at:    the position where it was made
    what:  a line that says what was done, and what was due
    mark:  what was due, in a few words
    kind:  "bound": another bound was handed on; "value": another value than what came from below;
           "end": another value than what the utility, or h, was there;
           "side": the function for the other kind of node was called
           "sign": the same value as the utility, or h, in a search that turns signs
    """

    at: int
    what: str
    mark: str
    kind: str = ""


def explain(wrong: Wrong, case: SearchCase, served: Served) -> None:
    """Add to a finding where the search first went wrong, if what it was seen to do tells."""
    if wrong.code.startswith("value/") and is_tree(served.positions[0].state):
        wrong.pictures = [searched_tree(served, case.player, returns=True)]
    if begun_again(served) and not wrong.code.startswith("raised/"):  # then it was done again
        wrong.where.insert(0, BEGUN_AGAIN)
    slip = first_slip(served, case)
    if slip is None:
        return
    wrong.where = [line.removesuffix(f": {ASK}") for line in wrong.where]
    late = slip.kind == "bound" and wrong.code.startswith("missed-cut/")
    if late or (slip.kind in ENDS and wrong.code == "left-too-early"):
        # The node that did not cut off, or did, is not to blame, but what was handed to it.
        follows = f"so {wrong.what}".removesuffix(f": {ASK}")
        wrong.what, wrong.where = slip.what, [follows, *wrong.where]
        if not late:
            wrong.expected, wrong.got = ENDS[slip.kind], ""
    else:  # where all values are seen from the other side, nothing else that was found is true
        others = [] if slip.kind == "sign" else wrong.where
        wrong.where = [slip.what, *(line for line in others if line != NOTHING_COMPARED)]
    if wrong.pictures and isinstance(wrong.pictures[0], Tree):
        node = node_of(wrong.pictures[0].root, served, slip.at)
        node.mark = node.mark or slip.mark


ENDS = {  # what is due where the value of an end is wrong
    "end": "what the utility, or h, is comes back as it is",
    "sign": "what the utility, or h, is comes back from the side of who is to move there",
}
BEGUN_AGAIN = (
    "the first move at the root was made twice: is the search done again from the root, as with "
    "another window?"
)


def begun_again(served: Served) -> bool:
    """Was the root's first move generated more than once?"""
    made = [position.move for position in served.positions if position.parent == 0]
    return made.count(made[0]) > 1 if made else False


def node_of(root: Node, served: Served, number: int) -> Node:
    """Return the node of a drawn tree that stands for a position."""
    node = root
    above = served.path(number)
    for parent, child in pairwise(above):
        actions = served.game.actions(served.positions[parent].state)
        node = node.children[actions.index(served.positions[child].move)]
    return node


def first_slip(served: Served, case: SearchCase) -> Slip | None:
    """Return the first step that is wrong for a search in which MAX is the same all the time.

    None if there is none, or if fewer steps are wrong for a search whose values and bounds are seen
    from who is to move: of that one is only said if it turns all signs but those of the ends.
    """
    asked = [event.said for event in served.events if event.kind in ("utility", "h")]
    if len(served.positions) > MOST_POSITIONS or any(said != case.max_player for said in asked):
        return None  # asked from the other side: that is a finding of its own
    window = (case.alpha, case.beta)
    plain, turned = (Steps(served, case.max_player, window, turns) for turns in (False, True))
    slips, mirrored = plain.slips(), turned.slips()
    judged = [slip for slip in slips if slip.kind != "side"]
    if not judged or not plain.as_told():
        return None
    if len(judged) > len(mirrored):
        unturned = mirrored and turned.compared and all(slip.kind == "sign" for slip in mirrored)
        return mirrored[0] if unturned else None
    said = plain.rule(slips[0]) or plain.taken(slips[0])
    return slips[0]._replace(what=slips[0].what + said)


class Steps:
    """The steps of a search, in the order in which they were made."""

    def __init__(self, served: Served, player: str, window: Window, turns: bool) -> None:
        """turns: values and bounds are seen from who is to move, not from MAX"""
        self.served, self.player, self.turns = served, player, turns
        self.window = (-window[1], -window[0]) if self.mirrored(0) else window
        self.order = searched_order(served)
        self.whole = asked_everything(served)
        self.chance = any(position.state.to_move == "chance" for position in served.positions)
        self.children: dict[int, list[int]] = {}
        for number, position in enumerate(served.positions):
            if position.parent is not None:
                self.children.setdefault(position.parent, []).append(number)
        self.told = {e.number: e for e in served.events if e.kind in ("utility", "h")}
        self.stops = {e.number: e.answer for e in served.events if e.kind == "cutoff"}
        self.children = {above: self.searched(below) for above, below in self.children.items()}
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

    def rule(self, slip: Slip) -> str:
        """Say which of its values all nodes of a slip's kind returned, if it is the same one."""
        if slip.kind != "value":
            return ""
        kind = self.kind(slip.at)
        found = [pair for pair in self.compared[kind] if len(pair[0]) > 1]
        fit = [
            name
            for name, of in PICKS.items()
            if found and all(agree(of(values), returned) for values, returned in found)
        ]
        if not fit:
            return ""
        also = f", as at all {kind} nodes here" if len(found) > 1 else ""
        these = "these products" if kind == "chance" else "them"
        return f": it returned {' and '.join(fit)} of {these}{also}{self.side(slip, fit)}"

    def side(self, slip: Slip, fit: list[str]) -> str:
        """Say if a node below a chance node may have been taken for one of the other kind."""
        other_kind = {"max": "min", "min": "max"}.get(self.kind(slip.at), "")
        if not after_chance(self.served, slip.at) or TAKEN.get(other_kind) not in fit:
            return ""
        return f". Is it taken for a {other_kind} node? state.to_move tells, below chance too"

    def taken(self, slip: Slip) -> str:
        """Say if the node of a slip acts as one of the other kind does, and which others do so."""
        parent = self.served.positions[slip.at].parent
        number = slip.at if slip.kind == "value" else parent
        if number is None or slip.kind not in ("value", "bound"):
            return ""
        acts = {other: as_kind for other in self.children if (as_kind := self.acts(other))}
        if acts.get(number, self.kind(number)) == self.kind(number):
            return ""
        said = f". {self.name(number)} acts as a {acts[number]} node"
        again: tuple[list[bool], list[bool]] = ([], [])  # by place: does the same side act again?
        for above in acts:
            for place, child in enumerate(self.children[above]):
                if child in acts:
                    again[place % 2].append(acts[child] == acts[above])
        if any(again[0]) or not all(again[1]) or len(again[1]) < 2:
            return said
        others = ", after no other" if again[0] else ""
        return (
            f"{said}; after each second move the side above acts again here{others}: is the turn "
            "changed inside the loop?"
        )

    def acts(self, number: int) -> str:
        """Return the kind of node whose value comes back, "" if that does not tell."""
        found = [self.value(child, number) for child in self.children[number]]
        values, returned = [value for value in found if value is not None], self.returned(number)
        if self.kind(number) not in TAKEN or returned is None or len(values) < len(found):
            return ""
        fit = [kind for kind, of in (("max", max), ("min", min)) if agree(of(values), returned)]
        return fit[0] if len(fit) == 1 else ""

    def as_told(self) -> bool:
        """Does any end's value come back as it was told? Else the search has a scale of its own."""
        pairs = ((self.returned(number), event.answer) for number, event in self.told.items())
        known = [(back, told) for back, told in pairs if back is not None]
        return not known or any(agree(abs(back), abs(told)) and told for back, told in known)

    def name(self, number: int) -> str:
        order = self.order.get(self.state(number))
        return called(self.served, number) + ("" if order is None else f" (#{order})")

    def state(self, number: int) -> State:
        return self.served.positions[number].state

    def kind(self, number: int) -> str:
        state = self.state(number)
        return kind_of(state, state.to_move if self.turns else self.player).lower()

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
            what = f"{self.name(number)} was given to {function}, but there {to_move} is to move"
            yield Slip(number, f"{what}: it is a {kind} node", f"a {kind} node", "side")
        if self.stops.get(number):
            what = f"cutoff said stop at {self.name(number)}, and the search went on there"
            yield Slip(number, f"{what}: h is due", "h is due")
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
        found = self.served.handed.get(number, {}).get("returned")
        return -found if found is not None and self.mirrored(number) else found

    def checked_end(self, number: int, window: Window | None) -> Iterator[Slip]:
        """Nothing was searched below: the value is what utility, or h, said there."""
        told, returned = self.told.get(number), self.returned(number)
        name, over = self.name(number), self.served.game.is_terminal(self.state(number))
        if told is None:
            if returned is not None and self.stops.get(number):
                what = f"cutoff said stop at {name}, and h was not asked there, but"
                yield Slip(number, f"{what} {show(returned)} was returned", "h was not asked")
            return
        if told.kind == "utility" and not over:
            what = f"utility was asked at {name}, where the game goes on"
            if self.stops.get(number):
                yield Slip(number, f"{what} and cutoff said stop: h is due", "h is due")
            else:
                yield Slip(number, f"{what}: it has to be searched", "the game goes on")
            return
        if told.kind == "h" and not over and self.stops.get(number) is False:
            what = f"h was asked at {name}, where cutoff said go on: it has to be searched"
            yield Slip(number, what, "cutoff said go on")
            return
        due = self.seen(told, number)
        if returned is None or self.may_return(returned, due, window):
            return
        if self.turns and agree(returned, -due):
            what = (
                f"{told.kind} was {show(told.answer)} at {name}, seen from {self.player}'s side, "
                f"and came back as it is; but your search turns the sign of what comes from "
                f"below, so {show(due)} is due, as {self.state(number).to_move} is to move there"
            )
            yield Slip(number, what, f"{show(due)} is due", "sign")
        else:
            sign = ": the sign was turned" if agree(returned, -due) else ""
            what = f"{told.kind} was {show(due)} at {name}, but {show(returned)} was returned{sign}"
            yield Slip(number, what, f"{show(due)} is due", "end")

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
            what += ": they were swapped"
        elif all(map(agree, window, (-due[1], -due[0]))):
            what += ": they were turned as in negamax, and values are not"
        elif parent is not None and len(wrong) == 1:
            what += self.source(number, parent, wrong[0], window, due)
        return Slip(number, what, f"[{show(due[0])}, {show(due[1])}] is due", "bound")

    def source(self, number: int, parent: int, which: int, window: Window, due: Window) -> str:
        """Say where the right bound comes from, and what the wrong one is instead."""
        above, name = self.called_with(parent), self.name(parent)
        if parent:
            name = f"the {self.kind(parent)} node {name}"
        if above and agree(above[which], due[which]):
            return f", with which {name} was called"
        said = f", the v of {name} so far"
        if window[0] == window[1]:
            return f"{said}: it got {BOUNDS[1 - which]} in its place"
        siblings = self.children[parent]
        later = siblings[siblings.index(number) + 1 :]
        after = self.called_with(later[0]) if later else None
        if after and agree(after[which], due[which]):
            return f"{said}: that came a move late, at {self.name(later[0])}"
        return said

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
                are.append(BOUNDS[window.index(returned)])
            are += ["what v begins with"] * (returned == (-inf if kind == "max" else inf))
            if are:
                taken += f": it returned {' and '.join(are)}"
            elif returned > best if kind == "max" else returned < best:
                taken += ": is it what v began with?"
        self.compared.setdefault(kind, []).append((values, returned))
        if not self.may_return(returned, best, window):
            what = f"{self.name(number)} returned {show(returned)}; expected {show(best)}, {taken}"
            picked = len(values) > 1 and not are
            yield Slip(number, what, f"{show(best)} is due", "value" if picked else "")

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
