"""Say what is wrong with the alpha and beta of a recorded call."""

from collections.abc import Iterator
from math import inf

from autograder.checks.ask.finding import Hint
from autograder.checks.ask.values import format_distinct, same
from autograder.checks.search.recorded_calls import (
    BEST_OF,
    BOUNDS,
    OTHER_KIND,
    OWN,
    Deviation,
    RecordedCalls,
    Window,
)
from autograder.diagram import format_value

MOVES = {
    "max": {"did": "raised", "bound": "alpha"},
    "min": {"did": "lowered", "bound": "beta"},
}


def describe_window(calls: RecordedCalls, number: int, window: Window, due: Window) -> Deviation:
    """Describe the bounds that differ, and the origin of the expected ones."""
    parent = calls.server.nodes[number].parent
    window, due = calls.turn(number, window), calls.turn(number, due)
    side = f", seen from {calls.server.state(number).to_move}'s side" if calls.negamax else ""
    wrong = [which for which in (0, 1) if not same(window[which], due[which])]
    right = " and ".join(f"{BOUNDS[which]} = {format_value(due[which])}" for which in wrong)
    alpha, beta = format_distinct(*window)
    facts = {"node": calls.name(number), "alpha": alpha, "beta": beta, "due": right}
    hints = [Hint("call-window", {**facts, "side": side})]
    if all(map(same, window, due[::-1])):
        hints.append(Hint("call-window-swapped"))
    elif calls.negamax:
        hints += [Hint("call-window-not-turned")] * passes_on(calls, parent, window)
        if parent is not None and wrong == [1]:
            hints += find_unturned_value(calls, parent, number, window[1])
    elif parent is not None and has_raised_the_other(calls, parent, window, due):
        kind, other = calls.kind(parent), OTHER_KIND[calls.kind(parent)]
        facts = {
            "parent": calls.name(parent),
            "kind": kind.upper(),
            "other": other.upper(),
            "did": "{did} {bound}".format(**MOVES[other]),
            "due": MOVES[kind]["bound"],
        }
        hints.append(Hint("call-window-other-kind", facts))
    elif parent is not None and len(wrong) == 1:
        hints += explain_bound(calls, parent, wrong[0], due)
    mark = f"[{format_value(due[0])}, {format_value(due[1])}] is due"
    return Deviation(number, tuple(hints), mark)


def never_moves_its_bound(calls: RecordedCalls, kind: str) -> bool:
    """Does each node of a kind pass on the bound that it was called with, unchanged?"""
    return all(
        same(above[OWN[kind]], window[OWN[kind]])
        for number in calls.list_nodes(kind)
        if (above := calls.find_window(number))
        for child in calls.children[number]
        if (window := calls.find_window(child))
    )


def passes_on_its_v(calls: RecordedCalls, kind: str) -> bool:
    """Does each node of a kind pass on its own v, whatever bound it was called with?"""
    found = []
    for number in calls.list_nodes(kind):
        v = -inf if kind == "max" else inf
        for child in calls.children[number]:
            window, value = calls.find_window(child), calls.value(child)
            if window is None or value is None:
                return False
            found.append(same(window[OWN[kind]], v))
            v = BEST_OF[kind](v, value)
    return len(found) > 2 and all(found)


def has_raised_the_other(calls: RecordedCalls, parent: int, window: Window, due: Window) -> bool:
    """Did a node change the bound that is due to the other kind of node, and leave its own?"""
    above, kind = calls.find_window(parent), calls.kind(parent)
    if above is None or kind not in OWN:
        return False
    mine = OWN[kind]
    moved = same(window[1 - mine], due[mine]) and not same(above[1 - mine], due[mine])
    return moved and same(window[mine], above[mine])


def passes_on(calls: RecordedCalls, parent: int | None, window: Window) -> bool:
    """Is the window the parent's own, neither turned nor swapped?

    The first call's function may have turned its own window before it passes that on.
    """
    above = None if parent is None else calls.find_window(parent)
    if parent is None or above is None or window[0] == -window[1]:
        return False  # the last: turned and swapped, it is the same window
    own = [calls.turn(parent, above)] + [(-above[1], -above[0])] * (parent == 0)
    return any(all(map(same, window, each)) for each in own)


def find_unturned_value(
    calls: RecordedCalls, parent: int, number: int, beta: float
) -> Iterator[Hint]:
    """Name a child of a negamax node whose value became a bound without a turned sign."""
    siblings = calls.children[parent]
    for child in siblings[: siblings.index(number)]:
        returned = calls.server.find_return(child)
        if returned and same(returned, -beta):
            facts = {"child": calls.name(child), "returned": returned, "turned": -returned}
            yield Hint("call-value-not-turned", facts)
            return


def explain_bound(calls: RecordedCalls, parent: int, which: int, due: Window) -> Iterator[Hint]:
    """Say where the right bound comes from."""
    above, name = calls.find_window(parent), calls.name(parent)
    if parent:
        name = f"the {calls.kind(parent)} node {name}"
    facts = {"bound": f"{BOUNDS[which]} = {format_value(due[which])}", "parent": name}
    if above and same(above[which], due[which]):
        yield Hint("call-bound-of-parent", facts)
    elif calls.kind(parent) == ("max", "min")[which] and not same(due[which], calls.window[which]):
        yield Hint("call-bound-is-v", facts)  # a child of that node has changed it


def name_bound(calls: RecordedCalls, step: Deviation) -> Iterator[Hint]:
    """Say what all nodes of a kind pass on as their own bound, if the step's bound is wrong."""
    said = {hint.name for hint in step.hints}
    kind = calls.kind(calls.server.nodes[step.at].parent or 0)
    if "call-bound-is-v" in said and never_moves_its_bound(calls, kind):
        nodes = calls.list_nodes(kind)
        one = f"{calls.name(nodes[0])} has not"
        who = one if len(nodes) == 1 else f"no {kind.upper()} node has"
        yield Hint("call-bound-never", {"who": who, **MOVES[kind]})
    if "call-bound-of-parent" in said and passes_on_its_v(calls, kind):
        facts = {"larger": "larger" if kind == "max" else "smaller", **MOVES[kind]}
        yield Hint("call-bound-own-v", {"kind": kind.upper(), **facts})
