"""Say what is wrong with the value that a recorded call returned."""

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


def check_value(
    calls: RecordedCalls, number: int, returned: float, values: list[float], window: Window | None
) -> Iterator[Deviation]:
    """Compare a node's value with its children's values; a bound may replace these."""
    kind = calls.kind(number)
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
    other = OTHER_KIND[kind]
    if returns_its_last(calls, kind):
        yield Hint("call-took-last", {"kind": kind.upper()})
    elif same(returned, BEST_OF[other](values)):
        to_move = calls.server.state(number).to_move
        kinds = {"kind": kind.upper(), "other": other.upper(), "to_move": to_move}
        last = ", and the last one" if same(returned, values[-1]) else ""
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
        yield Hint("call-pruned" + "-early" * early, pruned)
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
    facts = {**facts, "begin": "-inf" if kind == "max" else "inf"}
    returned, window, other = calls.find_return(number), calls.find_window(number), 1 - OWN[kind]
    if window and not calls.negamax and returned == window[other]:
        return Hint("call-began-or-bound", {**facts, "which": BOUNDS[other]})
    source = find_source(calls, number)
    if source is None:
        return Hint("call-began-at", facts)
    began = "-or-began" * (returned in (-1, 0, 1))
    return Hint(f"call-returned-before{began}", {**facts, "source": calls.name(source)})


def find_source(calls: RecordedCalls, number: int) -> int | None:
    """Return a node of the same kind that returned the same number before, from a child."""
    returned, above = calls.find_return(number), calls.server.path(number)
    for other in calls.list_nodes(calls.kind(number)):
        ended = other < number or number in calls.server.path(other)
        same_return = ended and other not in above and calls.find_return(other) == returned
        if same_return and returned in map(calls.value, calls.children[other]):
            return other
    return None


def returns_its_last(calls: RecordedCalls, kind: str) -> bool:
    """Does each node of a kind return its last child's value, and not always the worst?"""
    returns, worst = calls.returns[kind], BEST_OF[OTHER_KIND[kind]]
    all_last = all(same(returned, values[-1]) for returned, values in returns)
    all_worst = all(same(returned, worst(values)) for returned, values in returns)
    return bool(returns) and all_last and not all_worst


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
    words, terms = weigh(calls, number, values)
    mean = sum(terms)
    if same(returned, mean):
        return
    due, got = format_distinct(mean, returned)
    found = " + ".join(words[:4]) + " + ..." * (len(words) > 4)
    facts = {"node": calls.name(number), "got": got, "due": due, "values": found}
    hints = [
        Hint("call-mean", facts),
        *name_missing_term(calls, number, returned, terms),
        *name_single_outcome(calls, number, returned),
    ]
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


def name_single_outcome(calls: RecordedCalls, number: int, returned: float) -> list[Hint]:
    """Name the outcome whose value was returned in place of the mean, and what it is."""
    children = calls.children[number]
    found = {child: value for child in children if (value := calls.value(child)) is not None}
    fits = [child for child, value in found.items() if same(returned, value)]
    if len(fits) != 1:
        return []
    extremes = {"smallest": min(found.values()), "largest": max(found.values())}
    words = [f"the {name}" for name, value in extremes.items() if same(returned, value)]
    words += ["the last one"] * (fits[0] == children[-1])
    return [Hint("call-one-outcome", {"node": calls.name(fits[0]), "which": ", ".join(words)})]


def weigh(calls: RecordedCalls, number: int, values: list[float]) -> tuple[list[str], list[float]]:
    """Return the terms of the mean over searched outcomes, in words and as numbers."""
    odds = {move: p for p, move in calls.server.game.outcomes(calls.server.state(number))}
    found = [odds[calls.server.nodes[child].move] for child in calls.children[number]]
    words = [f"{format_value(p)} * {format_value(value)}" for p, value in zip(found, values)]
    return words, [float(p) * value for p, value in zip(found, values)]
