"""Find nodes that a search generated needlessly, and prunes that it missed."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.ask.values import format_distinct
from autograder.checks.search.completeness import (
    PRUNING_RULE,
    find_unasked_end,
    report_left_too_early,
)
from autograder.checks.search.replay import MissedCut, Replay, SearchRun, find_second_copies
from autograder.checks.search.search_diagram import (
    Decorate,
    draw_search,
    name_node,
    name_with_rank,
    negates,
    number_states,
    report_at_node,
)
from autograder.diagram import Node, format_value
from autograder.serving.cases import NodeCountCase
from autograder.serving.game_server import GameServer
from starter.games import State


def order_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield findings on nodes generated twice, unnecessarily, or out of order."""
    server = run.server
    if twice := find_second_copies(server):
        yield report_needless("generated/twice", server, twice, "generated twice")
    asked = Counter(event.number for event in server.find_requests("utility"))
    again = [number for number, times in asked.items() if times > 1]
    if again:
        yield report_needless("utility/twice", server, again, "utility called twice")
    if not run.prunes:
        return
    if run.replay.unused and not (run.replay.skipped and find_unasked_end(run.replay) is not None):
        mark = "generated but not searched"
        yield report_needless("generated/not-searched", server, run.replay.unused, mark)
    if run.replay.late:
        mark = "searched after a later sibling"
        order = describe_order(run.replay)
        yield report_needless("moves-reordered", server, run.replay.late, mark, order=order)


def describe_order(replay: Replay) -> str:
    """Describe the order of moves above the first late node."""
    server, rank = replay.server, {number: i for i, number in enumerate(replay.order)}
    orders = []
    first = server.nodes[replay.late[0]].parent or 0
    for parent in dict.fromkeys([first, *(node.parent or 0 for node in server.nodes)]):
        tried = sorted(filter(rank.__contains__, replay.find_tried(parent)), key=rank.__getitem__)
        moves = [server.nodes[child].move for child in tried]
        if len(moves) > 1:
            orders.append((moves, [*server.actions(parent)]))
    order = ", ".join(map(format_value, orders[0][0]))
    if all(moves == actions[::-1][: len(moves)] for moves, actions in orders):
        return f"{order}: the last move first"
    right = sum(moves == actions[: len(moves)] for moves, actions in orders)
    return f"{order} (in order at {right} of {len(orders)} nodes)" if right else order


def report_needless(
    code: str, server: GameServer, nodes: list[int], mark: str, **facts: Any
) -> Finding:
    """Return the finding for some nodes; the tree marks the first one."""
    facts |= {"node": name_node(server, nodes[0]), "nodes": len(nodes)}
    return report_at_node(code, server, server.state(nodes[0]), mark, **facts)


def pruning_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the first missed prune of each kind, and a node that was left too early.

    If one kind of node misses plain prunes, by its parent's bound, its other missed prunes are not
    reported. If both kinds do, the search does not prune, and nothing else can be judged.
    """
    case, replay = run.case, run.replay
    unsound = replay.missed or replay.skipped
    if unsound and not run.own_replay.missed and not run.own_replay.skipped:
        return  # it prunes by the values that it got, right or wrong: other tests judge these
    generated = len(run.server.nodes)
    if isinstance(case, NodeCountCase) and generated > case.most and not replay.late:
        yield report_too_many(case, run.server, f"{generated:,}")  # for that order of moves only
    plain = {cut.side: cut for cut in reversed(replay.missed) if cut.kind == cut.side}
    cuts = [plain[side] for side in ("min", "max") if side in plain]
    if len(plain) < 2:
        others = {cut.kind: cut for cut in reversed(replay.missed) if cut.side not in plain}
        cuts += [others[kind] for kind in ("deep", "equal") if kind in others]
    for cut in cuts:
        yield report_missed_cut(run, cut, cut.kind)
    if len(plain) == 2:
        yield report_missed_cut(run, min(cuts, key=replay.missed.index), "both")
    if replay.skipped:
        yield report_left_too_early(run)


def report_too_many(case: NodeCountCase, server: GameServer, count: str) -> Finding:
    facts = {"most": case.most, "count": count}
    return Finding("too-many-positions", facts, diagrams=(draw_search(server),))


def report_missed_cut(run: SearchRun, cut: MissedCut, kind: str) -> Finding:
    """Show the first node that was searched although pruning was due."""
    server, replay = run.server, run.replay
    name = partial(name_with_rank, server, order=number_states(server))
    v, bound = (cut.alpha, cut.beta) if cut.side == "max" else (cut.beta, cut.alpha)
    rule, which = PRUNING_RULE[cut.side]
    shown_v, shown_bound = format_distinct(v, bound)
    below = server.call_args.get(cut.asked, {})
    facts = {
        "asked": name_node(server, cut.asked),
        "asked_in_order": name(cut.asked),
        "side": cut.side,
        "at": name_node(server, cut.at),
        "at_in_order": name(cut.at),
        "v": shown_v,
        "rule": rule,
        "which": which,
        "bound": shown_bound,
        "source": "" if cut.source is None else name(cut.source),
        "child_alpha": below.get("alpha"),
        "child_beta": below.get("beta"),
    }
    at_that_node = server.nodes[cut.asked].parent == cut.at
    crossed = at_that_node and {"alpha", "beta"} <= below.keys() and below["alpha"] >= below["beta"]
    rest = len(server.actions(cut.at)) - len(replay.find_tried(cut.at))
    applies = {
        "bound-of-a-node": cut.source is not None,
        "pass-it-on": cut.deep and not replay.late,
        "called-with-crossed": crossed and not negates(server),
        "returned-late": rest and at_that_node,
    }
    hints = tuple(Hint(hint, facts) for hint, here in applies.items() if here)
    drawn = draw_search(server, decorate=write_known_values(replay, cut))
    return Finding(f"missed-cut/{kind}", facts, hints, (drawn,))


def write_known_values(replay: Replay, cut: MissedCut) -> Decorate:
    """Return a decorator that writes the values known at a missed prune into nodes."""
    nodes = replay.server.nodes
    until = replay.order.index(cut.asked)
    seen = {nodes[n].state: n for n in replay.order[:until]}
    path = set(replay.server.path(cut.asked))

    def decorate(node: Node, state: State) -> None:
        game, number = replay.server.game, seen.get(state)
        if state == nodes[cut.asked].state:
            node.mark = "searched unnecessarily"
        if number is None or game.is_terminal(state):
            return
        children = [game.result(state, move) for move in game.actions(state)]
        finished = [c for c in children if c in seen and seen[c] not in path]
        if number == cut.at:
            v, rule = cut.alpha, f"v >= {format_value(cut.beta)}"
            if cut.side == "min":
                v, rule = cut.beta, f"v <= {format_value(cut.alpha)}"
            node.texts.append(f"v = {format_value(v)}")
            node.mark = f"{rule}: return here"
        elif finished:
            v = (max if node.kind == "max" else min)(map(replay.values, finished))
            bound = ">= " if node.kind == "max" else "<= "
            whole = len(finished) == len(children)
            node.texts.append(f"v {'= ' if whole else bound}{format_value(v)}")

    return decorate
