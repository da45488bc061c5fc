"""Say what is wrong with the bounds of a recorded call, and with the value that it returned."""

from collections.abc import Iterator
from math import isfinite
from typing import Any

from autograder.checks.ask.finding import Hint
from autograder.checks.ask.values import format_distinct, is_rounded, join_first, may_return, same
from autograder.checks.search.completeness import PRUNING_RULE
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

MOVES = {"max": {"did": "raised", "bound": "alpha"}, "min": {"did": "lowered", "bound": "beta"}}


def describe_window(calls: RecordedCalls, number: int, window: Window, due: Window) -> Deviation:
    """Describe the bounds that differ, and the origin of the expected ones."""
    parent = calls.server.positions[number].parent
    wrong = [which for which in (0, 1) if not same(window[which], due[which])]
    right = " and ".join(f"{BOUNDS[which]} = {format_value(due[which])}" for which in wrong)
    alpha, beta = format_distinct(*window)
    facts = {"node": calls.name(number), "alpha": alpha, "beta": beta, "due": right}
    hints = [Hint("call-window", facts)]
    if all(map(same, window, due[::-1])):
        hints.append(Hint("call-window-swapped"))
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


def has_raised_the_other(calls: RecordedCalls, parent: int, window: Window, due: Window) -> bool:
    """Did a node change the bound that is due to the other kind of node, and leave its own?"""
    above, kind = calls.find_window(parent), calls.kind(parent)
    if above is None or kind not in OWN:
        return False
    mine = OWN[kind]
    moved = same(window[1 - mine], due[mine]) and not same(above[1 - mine], due[mine])
    return moved and same(window[mine], above[mine])


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
    kind = calls.kind(calls.server.positions[step.at].parent or 0)
    if "call-bound-is-v" in said and never_moves_its_bound(calls, kind):
        nodes = calls.list_nodes(kind)
        one = f"{calls.name(nodes[0])} has not"
        who = one if len(nodes) == 1 else f"no {kind.upper()} node has"
        yield Hint("call-bound-never", {"who": who, **MOVES[kind]})


def check_value(
    calls: RecordedCalls, number: int, returned: float, values: list[float], window: Window | None
) -> Iterator[Deviation]:
    """Compare a node's value with its children's values; a bound may replace these."""
    kind = calls.kind(number)
    if kind == "chance":
        yield from check_mean(calls, number, returned, values)
        return
    best = BEST_OF[kind](values)
    if may_return(returned, best, window):
        return
    due, got = format_distinct(best, returned)
    found = join_first([*map(format_value, values)], 5)
    facts = {"node": calls.name(number), "got": got, "due": due, "values": found}
    hints = [
        Hint("call-only-child" if len(values) == 1 else f"call-{kind}-of", facts),
        *explain_choice(calls, number, returned, values),
        *explain_number(calls, kind, returned, values, window, facts),
    ]
    yield Deviation(number, tuple(hints), f"{due} is due")


def explain_choice(
    calls: RecordedCalls, number: int, returned: float, values: list[float]
) -> Iterator[Hint]:
    """Say which of several children's values was returned, if a wrong one was."""
    kind = calls.kind(number)
    other = OTHER_KIND[kind]
    if len(values) == 1:
        return
    if returns_its_last(calls, kind):
        yield Hint("call-took-last", {"kind": kind.upper()})
    elif same(returned, BEST_OF[other](values)):
        to_move = calls.server.state(number).to_move
        kinds = {"kind": kind.upper(), "other": other.upper(), "to_move": to_move}
        last = ", and the last one" if same(returned, values[-1]) else ""
        yield Hint(f"call-took-{other}", {**kinds, "last": last})


def explain_number(
    calls: RecordedCalls,
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
    limit = window and window[kind == "max"]  # where the node may return
    if same(returned, -best) and not a_childs:
        yield Hint("sign")
    elif is_rounded(returned, best) and not a_childs:
        if returned or not beyond:  # else v may have begun at 0
            yield Hint("call-rounded", facts)
    elif limit is not None and BEST_OF[kind](best, limit) == best:
        rule, which = PRUNING_RULE[kind]
        yield Hint("call-pruned", {**facts, "rule": rule, "which": which, "bound": limit})
    elif not isfinite(returned) and not beyond:
        yield Hint("call-never-replaced", facts)
    elif (
        beyond
        and returned != limit
        and not any(same(returned, -value) for value in values)
        and begins_with(calls, kind, returned)
    ):
        yield Hint("call-began-at", {**facts, "begin": "-inf" if kind == "max" else "inf"})


def returns_its_last(calls: RecordedCalls, kind: str) -> bool:
    """Does each node of a kind return its last child's value, and not always the worst?"""
    returns, worst = calls.returns[kind], BEST_OF[OTHER_KIND[kind]]
    all_last = all(same(returned, values[-1]) for returned, values in returns)
    all_worst = all(same(returned, worst(values)) for returned, values in returns)
    return bool(returns) and all_last and not all_worst


def begins_with(calls: RecordedCalls, kind: str, begin: float) -> bool:
    """Does each node of a kind return either this number or a child's value?"""
    return all(
        same(returned, begin) != any(same(returned, value) for value in values)
        for returned, values in calls.returns[kind]
    )


def check_mean(
    calls: RecordedCalls, number: int, returned: float, values: list[float]
) -> Iterator[Deviation]:
    """Compare a chance node's value with the mean of its outcomes' values."""
    server, children = calls.server, calls.children[number]
    odds = {move: p for p, move in server.game.outcomes(server.state(number))}
    weights = [odds[server.positions[child].move] for child in children]
    words = [f"{format_value(p)} * {format_value(value)}" for p, value in zip(weights, values)]
    terms = [float(p) * value for p, value in zip(weights, values)]
    mean = sum(terms)
    if same(returned, mean):
        return
    due, got = format_distinct(mean, returned)
    found = " + ".join(words[:4]) + " + ..." * (len(words) > 4)
    facts = {"node": calls.name(number), "got": got, "due": due, "values": found}
    hints = [Hint("call-mean", facts)]
    missing = [child for child, term in zip(children, terms) if same(returned, mean - term)]
    if len(missing) == 1:
        hints.append(Hint("call-mean-without", {"node": calls.name(missing[0])}))
    fits = [child for child, value in zip(children, values) if same(returned, value)]
    if len(fits) == 1:
        extremes = {"the smallest": min(values), "the largest": max(values)}
        which = [name for name, value in extremes.items() if same(returned, value)]
        which += ["the last one"] * (fits[0] == children[-1])
        facts_of_it = {"node": calls.name(fits[0]), "which": ", ".join(which)}
        hints.append(Hint("call-one-outcome", facts_of_it))
    if same(returned, -mean):
        hints.append(Hint("sign"))
    elif is_rounded(returned, mean):
        hints.append(Hint("call-rounded-mean", facts))
    yield Deviation(number, tuple(hints), f"{due} is due")
