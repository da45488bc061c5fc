"""Find nodes that a search generated needlessly, and prunes that it missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial

from autograder.checks.completeness import PRUNING_RULE, left_too_early, negates, unasked_end
from autograder.checks.finding import Finding, Hint
from autograder.checks.replay import MissedCut, Replay, first_copies
from autograder.checks.search_diagram import (
    Decorate,
    at_node,
    called,
    called_in_order,
    searched_order,
    searched_tree,
)
from autograder.checks.search_run import SearchRun
from autograder.diagram import Node, show
from autograder.serving.cases import NodeCountCase
from autograder.serving.game_server import GameServer
from starter.games import State


def order_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield findings on nodes generated twice, unnecessarily, or out of order."""
    served = run.served
    twice = [number for number, first in enumerate(first_copies(served)) if first != number]
    if twice:
        yield needless("generated/twice", served, twice, "generated twice")
    asked = Counter(event.number for event in served.asked("utility"))
    again = [number for number, times in asked.items() if times > 1]
    if again:
        yield needless("utility/twice", served, again, "utility called twice")
    if not run.prunes:
        return
    if run.replay.unused and not (run.replay.skipped and unasked_end(run.replay) is not None):
        mark = "generated but not searched"
        yield needless("generated/not-searched", served, run.replay.unused, mark)
    if run.replay.late:
        mark = "searched after a later sibling"
        yield needless("moves-reordered", served, run.replay.late, mark)


def needless(code: str, served: GameServer, nodes: list[int], mark: str) -> Finding:
    """Return the finding for some nodes; the tree marks the first one."""
    state, node = served.state(nodes[0]), called(served, nodes[0])
    return at_node(code, served, state, mark, node=node, nodes=len(nodes))


def pruning_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the first missed prune of each kind, and a node that was left too early.

    If one kind of node misses plain prunes, by its parent's bound, its other missed prunes are not
    reported. If both kinds do, the search does not prune, and nothing else can be judged.
    """
    case, replay = run.case, run.replay
    unsound = replay.missed or replay.skipped
    if unsound and not run.own_replay.missed and not run.own_replay.skipped:
        return  # it prunes by the values that it got, right or wrong: other tests judge these
    if isinstance(case, NodeCountCase) and len(replay.order) > case.most and not replay.late:
        yield too_many(case, run.served, f"{len(replay.order):,}")  # for that order of moves only
    plain = {cut.side: cut for cut in reversed(replay.missed) if cut.kind == cut.side}
    cuts = [plain[side] for side in ("min", "max") if side in plain]
    if len(plain) < 2:
        others = {cut.kind: cut for cut in reversed(replay.missed) if cut.side not in plain}
        cuts += [others[kind] for kind in ("deep", "equal") if kind in others]
    for cut in cuts:
        yield missed_cut(run, cut, cut.kind)
    if len(plain) == 2:
        yield missed_cut(run, min(cuts, key=replay.missed.index), "both")
    if replay.skipped:
        yield left_too_early(run)


def too_many(case: NodeCountCase, served: GameServer, count: str) -> Finding:
    facts = {"most": case.most, "count": count}
    return Finding("too-many-positions", facts, diagrams=(searched_tree(served),))


def missed_cut(run: SearchRun, cut: MissedCut, kind: str) -> Finding:
    """Show the first node that was searched although pruning was due."""
    served, replay = run.served, run.replay
    name = partial(called_in_order, served, order=searched_order(served))
    v, bound = (cut.alpha, cut.beta) if cut.side == "max" else (cut.beta, cut.alpha)
    rule, which = PRUNING_RULE[cut.side]
    facts = {
        "asked": called(served, cut.asked),
        "asked_in_order": name(cut.asked),
        "side": cut.side,
        "at": called(served, cut.at),
        "at_in_order": name(cut.at),
        "v": v,
        "rule": rule,
        "which": which,
        "bound": bound,
        "source": "" if cut.source is None else name(cut.source),
        "passed": served.call_args.get(cut.at, {}).get(which),
    }
    rest = len(served.actions(cut.at)) - len(replay.tried(cut.at))
    applies = {
        "bound-of-a-node": cut.source is not None,
        "pass-it-on": cut.deep and not replay.late,
        "called-with": facts["passed"] is not None and not negates(served),
        "returned-late": rest and served.positions[cut.asked].parent == cut.at,
    }
    hints = tuple(Hint(hint, facts) for hint, here in applies.items() if here)
    drawn = searched_tree(served, decorate=at_that_moment(replay, cut))
    return Finding(f"missed-cut/{kind}", facts, hints, (drawn,))


def at_that_moment(replay: Replay, cut: MissedCut) -> Decorate:
    """Return a decorator that writes the values known at a missed prune into nodes."""
    positions = replay.served.positions
    until = replay.order.index(cut.asked)
    seen = {positions[n].state: n for n in replay.order[:until]}
    path = set(replay.served.path(cut.asked))

    def decorate(node: Node, state: State) -> None:
        game, number = replay.served.game, seen.get(state)
        if state == positions[cut.asked].state:
            node.mark = "searched unnecessarily"
        if number is None or game.is_terminal(state):
            return
        children = [game.result(state, move) for move in game.actions(state)]
        finished = [c for c in children if c in seen and seen[c] not in path]
        if number == cut.at:
            v, rule = cut.alpha, f"v >= {show(cut.beta)}"
            if cut.side == "min":
                v, rule = cut.beta, f"v <= {show(cut.alpha)}"
            node.texts.append(f"v = {show(v)}")
            node.mark = f"{rule}: return here"
        elif finished:
            v = (max if node.kind == "max" else min)(map(replay.values, finished))
            bound = ">= " if node.kind == "max" else "<= "
            whole = len(finished) == len(children)
            node.texts.append(f"v {'= ' if whole else bound}{show(v)}")

    return decorate
