"""Pruning: every cut-off that is due is made, and nothing needless is searched."""

from __future__ import annotations

from collections.abc import Callable
from math import nan

from autograder.checks.finding import Wrong
from autograder.checks.replay import (
    CUT_OFF,
    MissedCut,
    Replay,
    expect_enough,
    expect_move,
    replayed,
    signs_turn,
)
from autograder.checks.search_diagram import called, marking, searched_order, searched_tree
from autograder.checks.student import Search, Student
from autograder.checks.values import (
    Values,
    expect_best_move,
    expect_some_search,
    expect_value,
    same,
    told_apart,
)
from autograder.diagram import Node, show
from autograder.serving.cases import CountedCase, SearchCase
from autograder.serving.game_server import Served
from starter.games import State


def search_of(student: Student, case: SearchCase) -> Search:
    """Let alphabeta_search search the case's tree, or the function and window that the case names.

    From the widest window several mistakes look the same; called with another they differ.
    """
    if not case.function:
        return student.serve("alphabeta.alphabeta_search", case)
    return student.serve(case.function, case, case.player, case.alpha, case.beta)


def record_of(student: Student, case: SearchCase) -> Search:
    """Likewise, for a test of the record: what is wrong with the answer is for others to judge."""
    try:
        return search_of(student, case)
    except Wrong:
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
    """No position was searched after a cut-off was due, of the kind this test is about.

    side:  only cut-offs at "max" or at "min" nodes, by the parent's bound
    deep:  only cut-offs by a bound from further up
    equal: only cut-offs where alpha and beta meet
    Without `side`, whoever misses plain cut-offs is left to the tests for those, and only the other
    is judged here; if both miss some, there is nothing to judge and this test fails too.
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


def missed_cut(case: SearchCase, search: Search, replay: Replay, cut: MissedCut) -> Wrong:
    """Show the first node that was searched although pruning was due."""
    served = search.served
    order = searched_order(served)

    def name(number: int) -> str:
        return f"{called(served, number)} (#{order[served.positions[number].state]})"

    v, bound = (cut.alpha, cut.beta) if cut.side == "max" else (cut.beta, cut.alpha)
    rule, which = CUT_OFF[cut.side]
    side = ""
    if cut.side == "min" and signs_turn(replay, served):
        v, bound = -v, -bound
        rule, which = CUT_OFF["max"]
        side = f", seen from {served.positions[cut.at].state.to_move}"
    if cut.source is None:
        where = f"{which} = {show(bound)} is what {case.function.split('.')[1]} was called with"
    else:
        where = f"{which} = {show(bound)} is the best value so far at {name(cut.source)}"
    if cut.deep:
        where += f": pass it on in every call from there down to {name(cut.at)}"
    at, asked = served.positions[cut.at], served.positions[cut.asked]
    rest = len(served.game.actions(at.state)) - len(replay.tried(cut.at))
    late = [f"{called(served, cut.at)} did return before its last move, but too late"]
    return Wrong(
        f"missed-cut/{cut.kind}",
        f"node {name(cut.asked)} should have been pruned at the {cut.side} node {name(cut.at)}",
        expected=f"{called(served, cut.at)} returns as soon as v = {show(v)} {rule} {which} = "
        f"{show(bound)}{side}" + ("; equality is enough" if cut.equal else ""),
        got=f"{called(served, cut.asked)} was searched{with_what(served, cut.at, which, bound)}",
        where=[where + side, *(late if rest and asked.parent == cut.at else [])],
        pictures=[searched_tree(served, decorate=at_that_moment(replay, cut))],
    )


def with_what(served: Served, number: int, which: str, due: float) -> str:
    """Say with which bound student code was called at a node, if the calls were recorded."""
    bound = served.handed.get(number, {}).get(which)
    if bound is None:
        return ""
    name = called(served, number)
    but = ", though" if show(bound) == show(due) else ";"
    return f"{but} {name} was called with {which} = {show(bound)}"


def at_that_moment(replay: Replay, cut: MissedCut) -> Callable[[Node, State], None]:
    """Write into each node what was known of it when pruning was due."""
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
    """Moves were tried in their order; nothing was generated twice, or without being searched."""
    replay = replayed(case, search)
    expect_order(search, replay)
    plain = [v for v in replay.missed if not v.equal and not v.deep]
    if len({v.side for v in plain}) == 2:
        raise missed_cut(case, search, replay, plain[0])
    expect_enough(search, replay)


def expect_order(search: Search, replay: Replay) -> None:
    """Each move that was tried was tried once, when its turn had come."""
    served = search.served
    if replay.twice:
        rule = "game.result(state, move) once for each move that is tried"
        wrong = needless("generated/twice", served, replay.twice, "generated twice", rule)
        wrong.where = searched_twice(served, replay)
        raise wrong
    if replay.unused:
        rule = "generate a node only when it is searched next"
        done = "generated but not searched"
        raise needless("generated/not-searched", served, replay.unused, done, rule)
    if replay.late:
        rule = "moves tried in the order of game.actions(state)"
        late = [child for child, _ in replay.late]
        done = "searched after a later sibling"
        wrong = needless("moves-reordered", served, late, done, rule)
        child, before = (served.positions[number] for number in replay.late[0])
        parent = child.parent or 0
        actions = served.game.actions(served.positions[parent].state)
        wrong.where = [
            f"at {called(served, parent)} you tried {show(child.move)} after {show(before.move)}; "
            f"game.actions(state) is {actions}"
        ]
        raise wrong


def searched_twice(served: Served, replay: Replay) -> list[str]:
    """Say if a node that was generated twice was also searched twice."""
    for number in replay.twice:
        if replay.searched_twice(number):
            name = called(served, number)
            return [f"{name} was searched twice: search it once, and store the value it returns"]
    return []


def needless(code: str, served: Served, numbers: list[int], done: str, rule: str) -> Wrong:
    first = called(served, numbers[0])
    return Wrong(
        code,
        f"node {first} was {done}",
        expected=rule,
        got=f"{len(numbers)} node{'s' * (len(numbers) > 1)} {done}, {first} first",
        pictures=[
            searched_tree(served, decorate=marking(served.positions[numbers[0]].state, done))
        ],
    )


def expect_few_positions(
    student: Student, function: str, case: CountedCase, values: Values
) -> None:
    """Value and move are right; no more nodes were searched than alpha-beta needs.

    In which order, and whether some were generated unnecessarily, is for another test to judge.
    """
    try:
        search = student.serve(function, case)
    except Wrong as wrong:
        if wrong.code == "no-answer/too-many-positions" and student.served is not None:
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


def too_many(case: CountedCase, served: Served, count: str) -> Wrong:
    return Wrong(
        "too-many-positions",
        "alpha-beta needs fewer nodes than your search",
        expected=f"at most {case.most:,} nodes, the root included",
        got=f"{count} nodes",
        where=["Compare the number with the handout's table for question 2."],
        pictures=[searched_tree(served)],
    )


def expect_true_bound(case: SearchCase, search: Search) -> None:
    """Inside the window value and move are right; outside, the value is a true bound for it."""
    expect_some_search(search)
    true, value = case.value, search.value
    alpha, beta = case.alpha, case.beta
    due, got, rounded = told_apart(true, value)
    if alpha < true < beta:
        where, right = "inside", same(value, true)
        expected = f"{due}: the value lies inside the window, so it is exact"
    elif true <= alpha:
        where, right = "below", between(true, value, alpha)
        expected = f"at most alpha, {show(alpha)}, and no less than the value, {show(true)}"
    else:
        where, right = "above", between(beta, value, true)
        expected = f"at least beta, {show(beta)}, and no more than the value, {show(true)}"
    if not right:
        raise Wrong(
            f"wrong-bound/{where}",
            f"{case.function.split('.')[1]} with alpha = {show(alpha)}, beta = {show(beta)} "
            "returned a wrong value",
            expected=expected,
            got=got,
            where=rounded,
            pictures=[searched_tree(search.served, case.player)],
        )
    if alpha < true < beta:
        expect_move(case, search)


def between(low: float, value: float, high: float) -> bool:
    """Is low <= value <= high, except for rounding?"""
    return low <= value <= high or same(value, low) or same(value, high)
