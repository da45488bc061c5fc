"""Check that a search makes every prune that is due, and no unnecessary search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from math import nan

from autograder.checks.finding import Failed, Hint, failure
from autograder.checks.replay import MissedCut, Replay, replayed
from autograder.checks.search_diagram import called, marking, searched_order, searched_tree
from autograder.checks.student import Search, Student
from autograder.checks.values import (
    Values,
    distinct,
    expect_best_move,
    expect_some_search,
    expect_value,
    same,
)
from autograder.checks.whole_search import PRUNING_RULE, expect_enough, expect_move, signs_turn
from autograder.diagram import Node, show
from autograder.serving.cases import NodeCountCase, SearchCase
from autograder.serving.game_server import GameServer
from starter.games import State


def search_of(student: Student, case: SearchCase) -> Search:
    """Search the case's tree, or call the function and window that the case names.

    From the widest window several mistakes look the same; called with another they differ.
    """
    if not case.function:
        return student.serve("alphabeta.alphabeta_search", case)
    return student.serve(case.function, case, case.player, case.alpha, case.beta)


def record_of(student: Student, case: SearchCase) -> Search:
    """Return the record of such a search. Other tests check its answer."""
    try:
        return search_of(student, case)
    except Failed:
        if not case.function or student.failure is not None or student.served is None:
            raise
        return Search(nan, None, None, student.served)


def expect_cutoffs(
    case: SearchCase,
    search: Search,
    side: str | None = None,
    deep: bool = False,
    equal: bool = False,
) -> None:
    """Check that no position was searched after a prune of this test's kind was due.

    side:  only prunes at "max" or at "min" nodes, by the parent's bound
    deep:  only prunes by a bound from further up
    equal: only prunes where alpha and beta are equal
    Without `side`, a kind of node that misses plain prunes is left to the tests for those, and only
    the other kind is judged here. If both kinds miss some, nothing can be judged and this test
    fails too.
    """
    replay = replayed(case, search)
    plain = [v for v in replay.missed if not v.deep and not v.equal]
    if side is not None:
        guilty = [v for v in plain if v.side == side]
    else:
        never = {v.side for v in plain}
        guilty = [
            v
            for v in replay.missed
            if (v.deep if deep else True)
            and (v.equal if equal else not v.equal)
            and (v.side not in never or len(never) == 2)
        ]
        if len(never) == 2:
            guilty = guilty or plain
    if guilty:
        raise missed_cut(case, search, replay, guilty[0])
    expect_enough(search, replay)


def missed_cut(case: SearchCase, search: Search, replay: Replay, cut: MissedCut) -> Failed:
    """Show the first node that was searched although pruning was due."""
    served = search.served
    order = searched_order(served)

    def name(number: int) -> str:
        return f"{called(served, number)} (#{order[served.positions[number].state]})"

    v, bound = (cut.alpha, cut.beta) if cut.side == "max" else (cut.beta, cut.alpha)
    turns = cut.side == "min" and signs_turn(replay, served)
    rule, which = PRUNING_RULE["max" if turns else cut.side]
    if turns:
        v, bound = -v, -bound
    at, asked = served.positions[cut.at], served.positions[cut.asked]
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
        "function": case.function.partition(".")[2],
        "source": "" if cut.source is None else name(cut.source),
        "passed": served.call_args.get(cut.at, {}).get(which),
        "player": at.state.to_move,
    }
    rest = len(served.game.actions(at.state)) - len(replay.tried(cut.at))
    applies = {
        "bound-of-the-call": cut.source is None,
        "bound-of-a-node": cut.source is not None,
        "pass-it-on": cut.deep,
        "seen-from": turns,
        "called-with": facts["passed"] is not None,
        "returned-late": rest and asked.parent == cut.at,
    }
    return failure(
        f"missed-cut/{cut.kind}",
        facts,
        [Hint(hint, facts) for hint, here in applies.items() if here],
        [searched_tree(served, decorate=at_that_moment(replay, cut))],
    )


def at_that_moment(replay: Replay, cut: MissedCut) -> Callable[[Node, State], None]:
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


def expect_nothing_needless(case: SearchCase, search: Search) -> None:
    """Check that moves are tried in order, and each new node is searched, once."""
    replay = replayed(case, search)
    expect_order(search, replay)
    plain = [v for v in replay.missed if not v.equal and not v.deep]
    if len({v.side for v in plain}) == 2:
        raise missed_cut(case, search, replay, plain[0])
    expect_enough(search, replay)


def expect_order(search: Search, replay: Replay) -> None:
    """Check that each move that was tried was tried once, in the order of `actions`."""
    served = search.served
    if replay.twice:
        raise needless(
            "generated/twice",
            served,
            replay.twice,
            "generated twice",
            searched_twice(replay, served),
        )
    if replay.unused:
        mark = "generated but not searched"
        raise needless("generated/not-searched", served, replay.unused, mark)
    if replay.late:
        child, before = (served.positions[number] for number in replay.late[0])
        parent = child.parent or 0
        facts = {
            "node": called(served, parent),
            "move": child.move,
            "before": before.move,
            "actions": str(served.game.actions(served.positions[parent].state)),
        }
        late = [child for child, _ in replay.late]
        mark, hint = "searched after a later sibling", Hint("order-at-that-node", facts)
        raise needless("moves-reordered", served, late, mark, [hint])


def searched_twice(replay: Replay, served: GameServer) -> list[Hint]:
    """Say if a node that was generated twice was also searched twice."""
    twice = (number for number in replay.twice if replay.searched_twice(number))
    return [Hint("searched-twice", {"node": called(served, n)}) for n in islice(twice, 1)]


def needless(
    code: str, served: GameServer, nodes: list[int], mark: str, hints: Sequence[Hint] = ()
) -> Failed:
    """Return the failure for some nodes; the tree marks the first one."""
    decorate = marking(served.positions[nodes[0]].state, mark)
    facts = {"node": called(served, nodes[0]), "nodes": len(nodes)}
    return failure(code, facts, hints, [searched_tree(served, decorate=decorate)])


def expect_few_positions(
    student: Student, function: str, case: NodeCountCase, values: Values
) -> None:
    """Check value and move, and that alpha-beta needs as many searched nodes.

    Another test checks their order, and whether some were generated unnecessarily.
    """
    try:
        search = student.serve(function, case)
    except Failed as failed:
        if failed.finding.code == "no-answer/too-many-positions" and student.served is not None:
            count = f"more than {len(student.served.positions):,}"
            raise too_many(case, student.served, count) from None
        raise
    expect_value(case, search)
    expect_best_move(case, search)
    replay = replayed(case, search, values)
    if len(replay.order) > case.most and not replay.late:  # the number holds for one order only
        raise too_many(case, search.served, f"{len(replay.order):,}")
    if replay.missed:
        raise missed_cut(case, search, replay, replay.missed[0])
    expect_enough(search, replay)


def too_many(case: NodeCountCase, served: GameServer, count: str) -> Failed:
    facts = {"most": case.most, "count": count}
    return failure("too-many-positions", facts, diagrams=[searched_tree(served)])


def expect_true_bound(case: SearchCase, search: Search) -> None:
    """Check value and move inside the window; outside it, check for a true bound."""
    expect_some_search(search)
    true, value = case.value, search.value
    alpha, beta = case.alpha, case.beta
    if alpha < true < beta:
        where, right = "inside", same(value, true)
    elif true <= alpha:
        where, right = "below", between(true, value, alpha)
    else:
        where, right = "above", between(beta, value, true)
    if not right:
        due, got, rounded = distinct(true, value)
        function = case.function.split(".")[1]
        raise failure(
            f"wrong-bound/{where}",
            {"function": function, "alpha": alpha, "beta": beta, "value": due, "got": got},
            rounded,
            [searched_tree(search.served, case.player)],
        )
    if alpha < true < beta:
        expect_move(case, search)


def between(low: float, value: float, high: float) -> bool:
    """Is low <= value <= high, except for rounding?"""
    return low <= value <= high or same(value, low) or same(value, high)
