"""Find where a search first went wrong, from the recorded calls of student code.

The worker itself reports these calls, so they may explain a verdict but never decide it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from itertools import pairwise

from autograder.checks.ask.finding import FIRST_WRONG_CALL, Finding
from autograder.checks.search.call_check import CallCheck, Deviation
from autograder.checks.search.search_diagram import count_fits, draw_search, negates
from autograder.diagram import Node, Tree, is_tree
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.worker.inside.protocol import MAX_TRACED_CALLS

# Consequences of a first wrong step, which say less; SAID_BY: that say the same as a step's hint.
CONSEQUENCES = {
    *("another-return", "left-early", "left-by-no-bound", "left-by-that-bound", "tried-moves"),
    *("wrong-side", "wrong-side-negamax"),
}
SAID_BY = {"called-with": "call-window", "bound-of-a-node": "call-bound-is-v"}


def explain_by_calls(finding: Finding, case: SearchCase, server: GameServer) -> Finding:
    """Return the finding with the first wrong step of the search, if it is known.

    That a node was left too early is a consequence of the step, which is reported in its place.
    """
    if finding.code.startswith("value/") and is_tree(server.root):
        finding = replace(finding, diagrams=(draw_search(server, returns=True),))
    step = find_first_deviation(server, case)
    if step is None or not step.hints:
        return finding
    first, *others = step.hints
    names = {hint.name for hint in step.hints}
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
        code, facts = FIRST_WRONG_CALL + first.name, first.facts
    else:
        others = list(step.hints)
        code = code.removesuffix("/side").removesuffix("/left-too-early")
    return replace(finding, code=code, facts=facts, hints=(*others, *specific), diagrams=diagrams)


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


def find_first_deviation(server: GameServer, case: SearchCase) -> Deviation | None:
    """Return the first wrong step of a search, or None.

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
    return next(check.check(0, check.window), None)
