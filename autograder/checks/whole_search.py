"""Checks that a search leaves no node too early, and its value and move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from autograder.checks.finding import Failed, Finding, Hint, failure
from autograder.checks.replay import Replay, answered_values, replayed
from autograder.checks.search_diagram import called, searched_tree
from autograder.checks.student import Search
from autograder.checks.values import (
    PRUNING,
    expect_best_move,
    expect_some_search,
    expect_value,
    same,
    utility_not_asked,
)
from autograder.diagram import Node, kind_of, show
from autograder.questions import question_of
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.serving.record import Record
from starter.games import Move, State


def expect_whole_search(case: SearchCase, search: Search, **more: Any) -> None:
    """Check that the search compared all necessary moves by values.

    It may search more nodes than pruning needs. A search that got other values, because it asked
    for another side or at other positions, may prune by those. Other tests judge both.
    """
    expect_some_search(search)
    if asked_everything(search.served):
        return
    answered = answered_values(search.served)
    prunes = question_of(case.number).name in PRUNING
    replays = replayed(case, search, **more), replayed(case, search, answered, **more)
    expect_enough(search, *replays, prunes=prunes)


def expect_value_and_move(case: SearchCase, search: Search) -> None:
    """Check value and move; show a node that was left too early as the cause."""
    try:
        expect_value(case, search)
        expect_move(case, search)
    except Failed as failed:
        replay = replayed(case, search)
        if replay.skipped:
            raise Failed(with_cause(failed.finding, replay, search.served)) from None
        raise


def with_cause(finding: Finding, replay: Replay, served: GameServer) -> Finding:
    """Add the node that was left too early to a finding, as its cause."""
    unasked = unasked_end(replay)
    if unasked is None:
        left, details = how_it_was_left(replay, served)
        cause, hints = "left-too-early", [left, *details]
        drawn = searched_tree(served, decorate=left_early(replay), returns=True)
    else:
        cause = "end-not-asked"
        hints = [Hint("utility-not-asked", {"node": called(served, unasked)})]
        (drawn,) = utility_not_asked(served, unasked).diagrams
    code = finding.code if "/" in finding.code else f"{finding.code}/{cause}"
    new = [hint for hint in hints if hint not in finding.hints]
    return replace(finding.with_hints(*new), code=code, diagrams=(drawn,))


def expect_move(case: SearchCase, search: Search) -> None:
    """Check that the move is a best one; name a pruned equal move as the cause."""
    try:
        expect_best_move(case, search)
    except Failed as failed:
        replay = replayed(case, search)
        chosen = [n for n in replay.tried(0) if search.served.positions[n].move == search.move]
        if chosen and not replay.skipped and same(replay.shown_value(chosen[0]), case.value):
            is_max = kind_of(case.make_state(), replay.player) == "max"
            facts = {
                "node": called(search.served, chosen[0]),
                "least": "at most" if is_max else "at least",
                "value": case.value,
                "worth": replay.values(search.served.positions[chosen[0]].state),
                "better": ">" if is_max else "<",
            }
            hints = Hint("pruned-at-equal", facts), Hint("equal-bound", facts)
            equal = replace(failed.finding.with_hints(*hints), code="wrong-move/equal-bound")
            raise Failed(equal) from None
        raise


def asked_everything(served: Record) -> bool:
    """Was every move made and the utility of every leaf asked for, in any order?"""
    return next(left_out(served), None) is None


def left_out(served: Record) -> Iterator[tuple[State, list[Move]]]:
    """Yield the positions that were left too early, in the order of their generation.

    Each comes with the moves that were not made there; a leaf whose utility was not asked for has
    none. The game's initial state may be examined even if the search does not start there.
    """
    made: dict[State, set[Move]] = {}
    start, searched = served.positions[0].state, set[State]()
    for position in served.positions:
        made.setdefault(position.state, set())
        above = None if position.parent is None else served.positions[position.parent].state
        if above is not None:
            made[above].add(position.move)
        if position.state == start or above in searched:
            searched.add(position.state)
    asked = {
        served.positions[event.number].state for event in served.events if event.kind == "utility"
    }
    for state, moves in made.items():
        if state not in searched:
            continue
        missing = [move for move in served.game.actions(state) if move not in moves]
        if missing or (served.game.is_terminal(state) and state not in asked):
            yield state, missing


def expect_enough(search: Search, *replays: Replay, prunes: bool = True) -> None:
    """Check that one of the replays explains all moves that were left out.

    prunes: a node may be left when v has reached its bound

    An incomplete search is no evidence of correct pruning.
    """
    if all(replay.skipped for replay in replays):
        unasked = unasked_end(replays[0])
        if unasked is not None:
            raise Failed(utility_not_asked(search.served, unasked))
        left, details = how_it_was_left(replays[0], search.served)
        variant = "" if prunes else "/no-pruning"
        raise failure(
            f"left-too-early{'/came-back' if left.name == 'left-and-came-back' else variant}",
            left.facts,
            details,
            [searched_tree(search.served, decorate=left_early(replays[0]), returns=True)],
        )


def unasked_end(replay: Replay) -> int | None:
    """Return a terminal child, with utility not asked for, of the first node left.

    None if all children were generated at once.
    """
    number = replay.skipped[0]
    served, tried = replay.served, replay.tried(number)
    made = [replay.made(number, move) for move in served.game.actions(replay.state(number))]
    missing = [child for child in made if child not in tried]
    ends = [n for n in missing if n is not None and served.game.is_terminal(replay.state(n))]
    at_once = None not in made and len(ends) < len(missing)  # then another move was left out, too
    return ends[0] if ends and not at_once else None


def how_it_was_left(replay: Replay, served: GameServer) -> tuple[Hint, list[Hint]]:
    """Describe where the search left a node too early, and why that was wrong."""
    number = replay.skipped[0]
    state = replay.state(number)
    tried, moves = replay.tried(number), served.game.actions(state)
    facts = {"node": called(served, number), "tried": len(tried), "moves": len(moves)}
    if len(tried) == len(moves):
        return Hint("left-and-came-back", facts), []
    left, kind = Hint("left-early", facts), kind_of(state, replay.player)
    turns = kind == "min" and signs_turn(replay, served)
    rule, which = PRUNING_RULE["max" if turns else kind]
    bound, v = served.call_args.get(number, {}).get(which), replay.best(number)
    if bound is None or v is None:
        worth = [show(replay.values(replay.state(child))) for child in tried]
        few = 0 < len(worth) <= MOST_WORTHS
        return left, [Hint("tried-moves", {"worths": ", then ".join(worth)})] * few
    v = -v if turns else v
    compared = {"kind": kind.upper(), "rule": rule, "which": which, "bound": bound, "v": v}
    seen = [Hint("seen-from", {"player": state.to_move})] * turns
    if v >= bound if rule == ">=" else v <= bound:
        return left, [Hint("left-by-that-bound", compared), *seen]
    return left, [Hint("left-by-no-bound", compared), *seen, Hint("another-return")]


def signs_turn(replay: Replay, served: GameServer) -> bool:
    """Are the values returned at min nodes negated, as in negamax?"""
    signs = set[bool]()
    for number, found in served.call_args.items():
        back, worth = found.get("returned", 0.0), replay.values(replay.state(number))
        is_min = kind_of(replay.state(number), replay.player) == "min"
        if is_min and worth and same(abs(back), abs(worth)):
            signs.add(same(back, -worth))
    return signs == {True}


MOST_WORTHS = 4  # values of moves in one sentence


PRUNING_RULE = {"max": (">=", "beta"), "min": ("<=", "alpha")}  # how v compares with the bound


def left_early(replay: Replay) -> Callable[[Node, State], None]:
    """Return a decorator that marks the nodes that were left too early."""
    states = [replay.served.positions[number].state for number in replay.skipped]

    def decorate(node: Node, state: State) -> None:
        if state in states:
            node.mark = "left too early"

    return decorate
