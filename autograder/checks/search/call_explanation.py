"""Find where a search first went wrong, from the recorded calls of student code.

The worker itself reports these calls, so they may explain a verdict but never decide it.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise

from autograder.checks.ask.finding import FIRST_WRONG_CALL, Finding, Hint
from autograder.checks.search.call_check import CallCheck, Deviation
from autograder.checks.search.search_diagram import count_fits, draw_search, negates
from autograder.diagram import Node, Tree, is_tree
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import MAX_TRACED_CALLS

# Consequences of a first wrong step, which say less; SAID_BY: that say the same as a step's hint.
CONSEQUENCES = {
    *("another-return", "margin", "left-early", "left-by-no-bound", "left-by-that-bound"),
    *("tried-moves", "missing-place", "returned-at-once", "wrong-side", "wrong-side-negamax"),
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
    if check is None or not steps or not steps[0].hints:
        return finding
    step = steps[0]
    hints = [*step.hints, *name_kind(check, steps)]
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


def make_check(server: GameServer, case: SearchCase) -> CallCheck | None:
    """Return a check of a search's calls, or None if their values can't be understood.

    A search that asks from the other side is not explained, unless it is negamax.
    """
    asked = server.find_requests("utility", "h")
    other_side = any(event.said != server.max_player for event in asked)
    own_side = all(event.said == server.state(event.number).to_move for event in asked)
    plain, negated = count_fits(server, below=1 if case.function else 0)
    negamax = negated > plain
    if len(server.positions) > MAX_TRACED_CALLS or (other_side and not (own_side and negamax)):
        return None
    if negates(server) and not negamax:
        return None  # its values fit both
    check = CallCheck(server, (case.alpha, case.beta), negamax)
    if not check.uses_the_same_scale():
        return None
    return check
