"""Say what is wrong with the window of a recorded call, and with the value that it returned."""

from collections.abc import Iterator
from itertools import pairwise
from math import isfinite
from typing import Any

from autograder.checks.ask.finding import Hint
from autograder.checks.ask.values import format_distinct, is_rounded, join_first, may_return, same
from autograder.checks.search.completeness import PRUNING_RULE
from autograder.checks.search.recorded_calls import (
    BEGIN,
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
        kind = calls.server.kind(parent)
        facts = {
            "parent": calls.name(parent),
            "kind": kind.upper(),
            "other": OTHER_KIND[kind].upper(),
            "did": "{did} {bound}".format(**MOVES[OTHER_KIND[kind]]),
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
        v = BEGIN[kind]
        for child in calls.children[number]:
            window, value = calls.find_window(child), calls.value(child)
            if window is None or value is None:
                return False
            found.append(same(window[OWN[kind]], v))
            v = BEST_OF[kind](v, value)
    return len(found) > 2 and all(found)


def has_raised_the_other(calls: RecordedCalls, parent: int, window: Window, due: Window) -> bool:
    """Did a node change the bound that is due to the other kind of node, and leave its own?"""
    above, kind = calls.find_window(parent), calls.server.kind(parent)
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
    above, name, kind = calls.find_window(parent), calls.name(parent), calls.server.kind(parent)
    if parent:
        name = f"the {kind} node {name}"
    own = kind == ("max", "min")[which]  # does this kind of node move that bound?
    bound = f"{BOUNDS[which]} = {format_value(due[which])}"
    facts = {"bound": bound, "parent": name, "own": own}
    if above and same(above[which], due[which]):
        yield Hint("call-bound-of-parent", facts)
    elif own and not same(due[which], calls.window[which]):
        yield Hint("call-bound-is-v", facts)  # a child of that node has changed it


def name_bound(calls: RecordedCalls, step: Deviation) -> Iterator[Hint]:
    """Say what all nodes of a kind pass on as their own bound, if the step's bound is wrong."""
    said = {hint.name for hint in step.hints}
    kind = calls.server.kind(calls.server.nodes[step.at].parent or 0)
    if "call-bound-is-v" in said and never_moves_its_bound(calls, kind):
        nodes = calls.list_nodes(kind)
        if all(calls.find_return(number) == BEGIN[kind] for number in nodes):
            yield Hint("call-never-replaced", {"got": format_value(BEGIN[kind])})
            return
        one = f"{calls.name(nodes[0])} has not"
        who = one if len(nodes) == 1 else f"no {kind.upper()} node has"
        yield Hint("call-bound-never", {"who": who, **MOVES[kind]})
    inherited = [hint for hint in step.hints if hint.name == "call-bound-of-parent"]
    if any(hint.facts["own"] for hint in inherited) and passes_on_its_v(calls, kind):
        facts = {"larger": "larger" if kind == "max" else "smaller", **MOVES[kind]}
        yield Hint("call-bound-own-v", {"kind": kind.upper(), **facts})


def check_value(
    calls: RecordedCalls, number: int, returned: float, values: list[float], window: Window | None
) -> Iterator[Deviation]:
    """Compare a node's value with its children's values; a bound may replace these."""
    kind = calls.server.kind(number)
    if kind == "chance":
        yield from check_mean(calls, number, returned, values)
        return
    if calls.is_turned(number):
        kind, returned, window = "max", -returned, window and (-window[1], -window[0])
        values = [-value for value in values]
    best = BEST_OF[kind](values)
    if may_return(returned, best, window):
        return
    due, got = format_distinct(best, returned)
    found = join_first([*map(format_value, values)], 5)
    facts = {"node": calls.name(number), "got": got, "due": due, "values": found}
    name = f"call-{kind}-of" + "-negamax" * (calls.negamax and kind == "max")
    hints = [Hint("call-only-child" if len(values) == 1 else name, facts)]
    if not calls.negamax and len(values) > 1:
        hints += explain_choice(calls, number, kind, returned, values)
    hints += explain_number(calls, number, kind, returned, values, window, facts)
    yield Deviation(number, tuple(hints), f"{due} is due")


def explain_choice(
    calls: RecordedCalls, number: int, kind: str, returned: float, values: list[float]
) -> Iterator[Hint]:
    """Say which of several children's values was returned, if a wrong one was."""
    other, place = OTHER_KIND[kind], find_returned_place(calls, kind)
    always_the_worst = all(same(back, BEST_OF[other](found)) for back, found in calls.returns[kind])
    if place and not always_the_worst:
        yield Hint("call-took-place", {"kind": kind.upper(), "place": place})
    elif always_the_worst and same(returned, BEST_OF[other](values)):
        to_move = calls.server.state(number).to_move
        kinds = {"kind": kind.upper(), "other": other.upper(), "to_move": to_move}
        last = ", and the last one" if place == "last" else ""
        yield Hint(f"call-took-{other}", {**kinds, "last": last})


def explain_number(
    calls: RecordedCalls,
    number: int,
    kind: str,
    returned: float,
    values: list[float],
    window: Window | None,
    facts: dict[str, Any],
) -> Iterator[Hint]:
    """Say how the returned number may have come about, if one way fits."""
    best = BEST_OF[kind](values)
    beyond = BEST_OF[kind](returned, best) == returned
    a_childs = any(same(returned, value) for value in values)
    if same(returned, -best) and not a_childs:
        yield Hint("sign")
    elif is_rounded(returned, best) and not a_childs:
        if returned or not beyond:  # else v may have begun at 0
            yield Hint("call-rounded", facts)
    elif window and BEST_OF[kind](best, window[kind == "max"]) == best:
        rule, which = PRUNING_RULE[kind]
        early = len(values) > 1 and same(returned, BEST_OF[kind](values[:-1]))
        pruned = {**facts, "rule": rule, "which": which, "bound": window[kind == "max"]}
        yield Hint("call-pruned-early" if early else "call-pruned", pruned)
    elif not isfinite(returned) and not beyond:
        yield Hint("call-never-replaced", facts)
    elif (
        beyond
        and not any(same(returned, -value) for value in values)
        and (calls.negamax or begins_with(calls, kind, returned))
    ):
        yield explain_beginning(calls, number, kind, facts)


def explain_beginning(calls: RecordedCalls, number: int, kind: str, facts: dict[str, Any]) -> Hint:
    """Say where a returned value that no child has may come from."""
    facts = {**facts, "begin": format_value(BEGIN[kind])}
    returned, window, other = calls.find_return(number), calls.find_window(number), 1 - OWN[kind]
    if window and not calls.negamax and returned == window[other]:
        return Hint("call-returned-bound", {**facts, "which": BOUNDS[other]})
    source = find_source(calls, number)
    if source is None:
        above = find_value_above(calls, number)
        if above is None:
            return Hint("call-began-at", facts)
        return Hint("call-began-at-value-of", {**facts, "source": calls.name(above)})
    began = "-or-began" * (returned in (-1, 0, 1))
    return Hint(f"call-returned-before{began}", {**facts, "source": calls.name(source)})


def find_source(calls: RecordedCalls, number: int) -> int | None:
    """Return a node of the same kind that returned the same number before, from a child."""
    returned, above = calls.find_return(number), calls.server.path(number)
    for other in calls.list_nodes(calls.server.kind(number)):
        ended = other < number or number in calls.server.path(other)
        same_return = ended and other not in above and calls.find_return(other) == returned
        if same_return and returned in map(calls.value, calls.children[other]):
            return other
    return None


def find_value_above(calls: RecordedCalls, number: int) -> int | None:
    """Return a node, searched before at a node above this one, whose value this one returned."""
    returned = calls.find_return(number)
    for parent, child in pairwise(calls.server.path(number)):
        for other in calls.children[parent]:
            if other < child and calls.value(other) == returned:
                return other
    return None


def find_returned_place(calls: RecordedCalls, kind: str) -> str | None:
    """Return the place of the child whose value each node of a kind returns, if it is one place."""
    returns = calls.returns[kind]
    for index, place in ((-1, "last"), (0, "first")):
        if returns and all(same(returned, values[index]) for returned, values in returns):
            return place
    return None


def begins_with(calls: RecordedCalls, kind: str, begin: float) -> bool:
    """Do all nodes of a kind that return no child's value return this number?"""
    return all(
        same(returned, begin) or any(same(returned, value) for value in values)
        for returned, values in calls.returns[kind]
    )


def check_mean(
    calls: RecordedCalls, number: int, returned: float, values: list[float]
) -> Iterator[Deviation]:
    """Compare a chance node's value with the mean of its outcomes' values."""
    odds = {move: p for p, move in calls.server.game.outcomes(calls.server.state(number))}
    found = [odds[calls.server.nodes[child].move] for child in calls.children[number]]
    terms = [float(p) * value for p, value in zip(found, values)]
    mean = sum(terms)
    if same(returned, mean):
        return
    due, got = format_distinct(mean, returned)
    words = [f"{format_value(p)} * {format_value(value)}" for p, value in zip(found, values)]
    shown = " + ".join(words[:4]) + " + ..." * (len(words) > 4)
    facts = {"node": calls.name(number), "got": got, "due": due, "values": shown}
    term = name_alone("call-mean-term", calls, number, returned, terms)
    hints = [Hint("call-mean", facts), *(term or name_missing_term(calls, number, returned, terms))]
    hints += name_alone("call-one-outcome", calls, number, returned, values)
    if same(returned, -mean):
        hints.append(Hint("sign"))
    elif is_rounded(returned, mean):
        hints.append(Hint("call-rounded-mean", facts))
    yield Deviation(number, tuple(hints), f"{due} is due")


def name_missing_term(
    calls: RecordedCalls, number: int, returned: float, terms: list[float]
) -> list[Hint]:
    """Name the outcome without which the mean is what was returned, if there is one."""
    missing = [i for i, term in enumerate(terms) if same(returned, sum(terms) - term)]
    if len(missing) != 1 or same(terms[missing[0]], 0):
        return []
    return [Hint("call-mean-without", {"node": calls.name(calls.children[number][missing[0]])})]


def name_alone(
    hint: str, calls: RecordedCalls, number: int, returned: float, found: list[float]
) -> list[Hint]:
    """Name the only outcome whose number was returned, and say which of them it is."""
    children = calls.children[number]
    fits = [i for i, one in enumerate(found) if same(returned, one)]
    if len(fits) != 1 or len(found) < len(children):
        return []
    extremes = {"smallest": min(found), "largest": max(found)}
    words = [f"the {name}" for name, one in extremes.items() if same(returned, one)]
    words += ["the last one"] * (fits[0] == len(found) - 1)
    return [Hint(hint, {"node": calls.name(children[fits[0]]), "which": ", ".join(words)})]
