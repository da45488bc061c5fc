"""Check the recorded calls of a search, and find where it first went wrong.

Each call is compared with its parent's arguments, and with the values that the calls before it
returned.
"""

from collections.abc import Generator, Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from typing import Any

from autograder.checks.ask.finding import FIRST_WRONG_CALL, Finding, Hint
from autograder.checks.ask.values import is_rounded, may_return, same
from autograder.checks.search.recorded_calls import (
    BEGIN,
    BOUNDS,
    Deviation,
    RecordedCalls,
    Window,
    read_calls,
)
from autograder.checks.search.search_diagram import draw_search
from autograder.checks.search.wrong_call import check_value, describe_window, name_bound
from autograder.diagram import Tree, is_tree
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from starter.games import State


def check_call(calls: RecordedCalls, number: int, due: Window) -> Iterator[Deviation]:
    """Yield the deviations of a call and of all calls below it.

    due: the alpha and beta that it should be called with
    """
    window = calls.find_window(number)
    right = window and all(map(same, window, due))
    if window and not right and (number or not calls.is_wide(window)) and not calls.chance:
        yield describe_window(calls, number, window, due)
    if is_unsearched(calls, number):
        facts = {"node": calls.name(number), "returned": calls.server.find_return(number)}
        name = "call-no-child" if facts["returned"] in BEGIN.values() else "call-gave-up"
        yield Deviation(number, (Hint(name, facts),), "no move was searched")
        return
    if not calls.children.get(number):
        yield from check_leaf(calls, number, window)
        return
    if calls.stops.get(number):
        yield Deviation(number)
        return
    if calls.stops.get(number) is False and number in calls.answers:
        yield Deviation(number)
    values = yield from check_children(calls, number, window or due)
    returned = calls.find_return(number)
    if values and returned is not None and (window or calls.whole):
        yield from check_value(calls, number, returned, values, window)


def is_unsearched(calls: RecordedCalls, number: int) -> bool:
    """Has an inner node returned a number without a search below it, nor from a table or h?"""
    returned = calls.server.find_return(number)
    if returned is None or calls.server.is_over(number) or number in calls.answers:
        return False
    made = calls.children.get(number, [])
    if isfinite(returned):
        return calls.to_the_end and not made
    return calls.used.isdisjoint(made)


def check_children(
    calls: RecordedCalls, number: int, window: Window
) -> Generator[Deviation, None, list[float]]:
    """Check the calls of the children; return their values, [] if one is unknown."""
    alpha, beta = window
    values: list[float] = []
    seen: set[State] = set()
    for child in calls.children[number]:
        if calls.server.state(child) in seen:
            if calls.server.call_args.get(child, {}).keys() & {*BOUNDS}:
                return []  # searched again, perhaps with a narrower window
            continue
        seen.add(calls.server.state(child))
        yield from check_call(calls, child, (alpha, beta))
        value = calls.value(child)
        if value is None:
            return []
        values.append(value)
        if calls.server.kind(number) == "max":
            alpha = max(alpha, value)
        elif calls.server.kind(number) == "min":
            beta = min(beta, value)
    return values


def check_leaf(calls: RecordedCalls, number: int, window: Window | None) -> Iterator[Deviation]:
    """Check that a leaf returned the utility, or what h gave for it."""
    server, answer = calls.server, calls.answers.get(number)
    returned = calls.find_return(number)
    state, stop, over = server.state(number), calls.stops.get(number), server.is_over(number)
    if answer is not None and not over and (answer.kind == "utility" or stop is False):
        if not stop:
            yield Deviation(number)
        return
    if returned is None or (answer is None and not stop and (not over or state in calls.answered)):
        return
    facts: dict[str, Any] = {"node": calls.name(number), "returned": returned}
    if answer is None and stop:
        yield Deviation(number, (Hint("call-no-h", facts),), "h was not called")
        return
    due = calls.worths[number] if answer else server.game.utility(state, server.max_player)
    if may_return(returned, due, window):
        return
    right, got = calls.format_pair(number, due, returned)
    facts |= {"due": right, "got": got}
    if answer is None:
        hints = [Hint("call-end-not-asked", facts)]
    elif calls.negamax:
        facts |= {"function": answer.kind, "to_move": state.to_move}
        hints = [Hint("call-end-negamax", facts)]
    else:
        hints = [Hint("call-end", {**facts, "function": answer.kind})]
        hints += [Hint("sign")] * same(returned, -due)
        hints += [Hint("call-rounded", facts)] * is_rounded(returned, due)
    yield Deviation(number, tuple(hints), f"{right} is due")


# Consequences of a first wrong step, which say less. SAID_BY: hints that say the same as a step's.
CONSEQUENCES = {
    *("another-return", "margin", "left-early", "left-by-no-bound", "sign"),
    *("tried-moves", "missing-place", "bounds-shared", "never-replaced"),
    *("wrong-side", "wrong-side-one", "wrong-side-to-move", "wrong-side-moved"),
}
VALUES = ("call-max-of", "call-min-of", "call-only-child")  # what an inner node returned
SAID_BY = {"bound-of-a-node": "call-bound-is-v"}


def explain_by_calls(finding: Finding, case: SearchCase, server: GameServer) -> Finding:
    """Return the finding with the first wrong step of the search, if it is known.

    That a node was left too early is a consequence of the step, which is reported in its place.
    """
    if finding.code.startswith("value/") and is_tree(server.root):
        finding = replace(finding, diagrams=(draw_search(server, returns=True),))
    calls = read_calls(server, case)
    if calls is None:
        return finding
    if calls.uses_the_same_scale():
        steps = list(check_call(calls, 0, calls.window))
    else:  # its other values follow from those at the leaves
        leaves = [number for number in calls.answers if number not in calls.children]
        steps = [step for leaf in leaves for step in check_leaf(calls, leaf, None)]
    if not steps or not steps[0].hints:
        return finding
    step = steps[0]
    hints = [*step.hints, *name_kind(calls, steps), *name_bound(calls, step)]
    names = {hint.name for hint in hints}
    specific = [
        hint
        for hint in finding.hints
        if hint.name not in {*CONSEQUENCES, *names} and SAID_BY.get(hint.name) not in names
    ]
    code, facts, diagrams = finding.code, finding.facts, finding.diagrams
    if diagrams and isinstance(diagrams[0], Tree):
        diagrams = (mark_node(diagrams[0], server, step), *diagrams[1:])
    if code.startswith("left-too-early") and not code.endswith("/came-back"):
        first, *hints = hints
        code, facts = FIRST_WRONG_CALL + first.name, first.facts
    else:
        code = code.removesuffix("/side").removesuffix("/left-too-early")
    return replace(finding, code=code, facts=facts, hints=(*hints, *specific), diagrams=diagrams)


def mark_node(tree: Tree, server: GameServer, step: Deviation) -> Tree:
    """Return a drawn tree with a mark at the node of a step, unless there is one."""
    tree = deepcopy(tree)
    node = tree.root
    for parent, child in pairwise(server.path(step.at)):
        node = node.children[server.actions(parent).index(server.nodes[child].move)]
    node.mark = node.mark or step.mark
    return tree


def name_kind(calls: RecordedCalls, steps: list[Deviation]) -> Iterator[Hint]:
    """Say of which kind the nodes are where the first step is wrong, if all are of one kind.

    The wrong bounds of a call are its parent's fault.
    """
    first = steps[0].hints[0].name
    about = VALUES if first.startswith(VALUES) else first
    nodes = {step.at for step in steps if step.hints and step.hints[0].name.startswith(about)}
    if first.startswith("call-window"):
        nodes = {calls.server.nodes[at].parent or 0 for at in nodes}
    ends = first.startswith("call-end")
    kinds = {calls.server.kind(node) for node in nodes}
    others = set(map(calls.server.kind, calls.answers if ends else calls.children)) - kinds
    to_move = calls.server.state(steps[0].at).to_move
    facts = {"nodes": len(nodes), "kind": min(kinds), "to_move": to_move}
    if len(kinds) == 1 and others and ends:
        yield Hint("call-one-kind-end", facts)
    elif len(nodes) > 1 and len(kinds) == 1 and others:
        yield Hint("call-one-kind" + "-window" * first.startswith("call-window"), facts)
