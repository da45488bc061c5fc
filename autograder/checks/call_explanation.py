"""Says where a search first went wrong, from what student code was called with and returned.

All this the worker says of itself, so it explains a verdict and is never one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from autograder.checks.call_check import Slip, Steps, agree
from autograder.checks.finding import Wrong
from autograder.checks.replay import ASK
from autograder.checks.search_diagram import searched_tree
from autograder.checks.student import NOTHING_COMPARED
from autograder.diagram import Node, Tree, is_tree
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import Served
from autograder.worker.inside.protocol import MOST_HANDED

PICKS: dict[str, Callable[[list[float]], float]] = {
    "the first": lambda values: values[0],
    "the last": lambda values: values[-1],
    "the largest": max,
    "the smallest": min,
}


def explain_slip(wrong: Wrong, case: SearchCase, served: Served) -> None:
    """Add to a finding where the search first went wrong, if what it was seen to do tells."""
    if wrong.code.startswith("value/") and is_tree(served.positions[0].state):
        wrong.pictures = [searched_tree(served, case.player, returns=True)]
    if begun_again(served):
        wrong.where.insert(0, BEGUN_AGAIN)
    slip = first_slip(served, case)
    if slip is None or (slip.kind == "call" and wrong.code in ABOUT_A_CALL):
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
    "end": "the value of utility, or of h, is returned unchanged",
    "sign": "the value of utility, or of h, is returned as the player to move there sees it",
}
ABOUT_A_CALL = ("h/no-stop", "cutoff/went-on", "utility/undecided")  # these say the same
BEGUN_AGAIN = "the first move at the root was searched twice: search the tree only once"


def begun_again(served: Served) -> bool:
    """Were there two searches below the root's first move?"""
    made = [
        (i, position.move) for i, position in enumerate(served.positions) if position.parent == 0
    ]
    above = {position.parent for position in served.positions}
    return sum(i in above for i, move in made if move == made[0][1]) > 1


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

    None if there is none. A search whose values and bounds are seen from who is to move is judged
    by that, if fewer of its steps are wrong so; then something is said only if all signs are turned
    but those of the ends.
    """
    asked = [event.said for event in served.events if event.kind in ("utility", "h")]
    if len(served.positions) > MOST_HANDED or any(said != case.max_player for said in asked):
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
    return slips[0]._replace(what=slips[0].what + rule(plain, slips[0]))


def rule(steps: Steps, slip: Slip) -> str:
    """Say which of its values all nodes of a slip's kind returned, if it is the same one."""
    if slip.kind != "value":
        return ""
    kind = steps.kind(slip.at)
    found = [pair for pair in steps.compared[kind] if len(pair[0]) > 1]
    fit = [
        name
        for name, of in PICKS.items()
        if found and all(agree(of(values), returned) for values, returned in found)
    ]
    if not fit:
        return ""
    also = f", as at all {kind} nodes here" if len(found) > 1 else ""
    these = "these products" if kind == "chance" else "them"
    return f": it returned {' and '.join(fit)} of {these}{also}"
