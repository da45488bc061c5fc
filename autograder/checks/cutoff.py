"""Check where a depth-limited search calls cutoff and h, and how."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from autograder.checks.finding import Failed, Finding, Hint, failure
from autograder.checks.search_diagram import argument_text, called, searched_order, searched_tree
from autograder.checks.student import Search
from autograder.checks.values import expect_best_move, expect_value
from autograder.checks.whole_search import expect_whole_search
from autograder.diagram import Node, Picture, state_name
from autograder.serving.cases import CutoffCase, SearchCase
from autograder.serving.game_server import GameServer
from starter.games import State


def asked_tree(served: GameServer, marks: dict[State, str]) -> Picture:
    """Draw the searched tree, with marks on some nodes."""

    def decorate(node: Node, state: State) -> None:
        node.mark = marks.get(state, "")

    return searched_tree(served, decorate=decorate)


def expect_cutoff_asked(served: GameServer) -> None:
    """Check that cutoff was called at all."""
    if not any(event.kind == "cutoff" for event in served.events):
        raise failure("cutoff/never-asked", diagrams=[asked_tree(served, {})])


def expect_depths(case: CutoffCase, search: Search) -> None:
    """Check that each depth passed to cutoff is the number of moves from the root."""
    served = search.served
    expect_cutoff_asked(served)
    asked = [event for event in served.events if event.kind == "cutoff"]
    wrong = {
        served.positions[event.number]: event.said
        for event in reversed(asked)
        if type(event.said) not in (int, float)
        or event.said != served.positions[event.number].depth
    }
    if wrong:
        first, said = list(wrong.items())[-1]
        depths = [argument_text(e.said) for e in asked if served.positions[e.number] == first]
        facts = {
            "node": state_name(first.state),
            "depth": first.depth,
            "said": argument_text(said),
            "calls": len(depths),
            "depths": ", then ".join(depths[:4]),
        }
        applies = {"several-depths": len(set(depths)) > 1, "chosen-nodes": case.depth is None}
        raise failure(
            "cutoff/wrong-depth",
            facts,
            [Hint(hint, facts) for hint, here in applies.items() if here],
            [asked_tree(served, {p.state: f"its depth is {p.depth}" for p in wrong})],
        )
    cut_asked = {served.positions[event.number].state for event in asked}
    h_asked = {served.positions[e.number].state for e in served.events if e.kind == "h"}
    for state in searched_order(served):
        if state not in cut_asked and not served.game.is_terminal(state):
            raise failure(
                "cutoff/not-asked-but-h" if state in h_asked else "cutoff/not-asked",
                {"node": state_name(state)},
                diagrams=[asked_tree(served, {state: "cutoff not called"})],
            )
    expect_searched(case, search)


def expect_terminal_first(case: CutoffCase, search: Search) -> None:
    """Check that neither cutoff nor h was called at a terminal position."""
    served = search.served
    if not served.game.is_terminal(served.positions[0].state):
        expect_cutoff_asked(served)
    for event in served.events:
        state = served.positions[event.number].state
        if event.kind in ("cutoff", "h") and served.game.is_terminal(state):
            raise failure(
                f"terminal/{event.kind}",
                {"node": state_name(state), "function": event.kind},
                diagrams=[asked_tree(served, {state: f"the game is over, {event.kind} called"})],
            )
    expect_searched(case, search)


def expect_frontier(case: CutoffCase, search: Search) -> None:
    """Check that h was called exactly where cutoff stopped the search."""
    expect_cutoff_asked(search.served)
    for finding in frontier_findings(search.served):
        raise Failed(finding)
    expect_whole_search(case, search)


def expect_searched(case: CutoffCase, search: Search) -> None:
    """Check that all necessary moves were searched; mention an ignored cutoff."""
    try:
        expect_whole_search(case, search)
    except Failed:
        for cause in chain(frontier_findings(search.served), side_findings(search.served)):
            raise Failed(cause) from None
        raise


def frontier_findings(served: GameServer) -> Iterator[Finding]:
    """Find positions where h was called wrongly, or not called when due."""
    stopped = {e.number for e in served.events if e.kind == "cutoff" and e.answer}
    evaluated = {e.number for e in served.events if e.kind == "h"}
    going_on = {e.number for e in served.events if e.kind == "cutoff" and not e.answer}
    for event in served.events:
        state = served.positions[event.number].state
        name = state_name(state)
        if event.kind == "h" and event.number not in stopped:
            if served.game.is_terminal(state):
                continue  # another test judges that
            said = "said go on" if event.number in going_on else "was not called"
            drawn = asked_tree(served, {state: f"h called, but cutoff {said}"})
            yield Finding("h/no-stop", {"node": name, "cutoff": said}, diagrams=(drawn,))
        if event.kind == "result" and served.positions[event.number].parent in stopped:
            above = state_name(served.positions[served.positions[event.number].parent or 0].state)
            drawn = asked_tree(served, {state: "generated below a stop"})
            yield Finding("cutoff/went-on", {"above": above, "node": name}, diagrams=(drawn,))
    for number in sorted(stopped - evaluated):
        state = served.positions[number].state
        drawn = asked_tree(served, {state: "h not called"})
        yield Finding("h/not-asked", {"node": state_name(state)}, diagrams=(drawn,))


def side_findings(served: GameServer) -> Iterator[Finding]:
    """Find calls of h for another player than the one to move at the root."""
    player = served.positions[0].state.to_move
    asked = [event for event in served.events if event.kind == "h"]
    for event in asked:
        if event.said != player:
            state = served.positions[event.number].state
            sides = [argument_text(other.said) for other in asked if other.number == event.number]
            calls = " and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides))
            drawn = asked_tree(served, {state: f"h called for {argument_text(event.said)}"})
            yield Finding(
                "h/wrong-side",
                {"node": state_name(state), "player": player, "calls": calls},
                (Hint("h-in-negamax"),) * (event.said == state.to_move),
                (drawn,),
            )


def expect_root_side(case: CutoffCase, search: Search) -> None:
    """Check that h was called for the player to move at the root."""
    served = search.served
    for finding in side_findings(served):
        raise Failed(finding)
    if not any(event.kind == "h" for event in served.events):
        raise failure("h/never-asked", diagrams=[asked_tree(served, {})])
    expect_searched(case, search)


DEFAULT_DEPTH = 6


def expect_defaults(case: SearchCase, search: Search) -> None:
    """Check the defaults: the search stops below depth 6, and h is 0."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
        expect_whole_search(case, search, horizon=DEFAULT_DEPTH)
    except Failed as failed:
        deepest = max(position.depth for position in search.served.positions)
        if deepest != DEFAULT_DEPTH + 1:
            facts = {"deepest": deepest, "limit": DEFAULT_DEPTH, "due": DEFAULT_DEPTH + 1}
            raise Failed(failed.finding.with_hints(Hint("default-depth", facts))) from None
        raise


def expect_no_cached_values(case: CutoffCase, search: Search) -> None:
    """Check value and move on boards that several move orders lead to."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
    except Failed as failed:
        again = reached_again(search.served)
        if not again:
            raise
        finding = failed.finding.with_hints(*again)
        code = finding.code if "/" in finding.code else f"{finding.code}/kept"
        raise Failed(replace(finding, code=code)) from None


def reached_again(served: GameServer) -> list[Hint]:
    """Say where a position was reached again by other moves, but not searched again."""
    asked = {e.number for e in served.events if e.kind in ("utility", "h")}
    asked |= served.children().keys()
    first: dict[State, int] = {}
    for number, position in enumerate(served.positions):
        before = first.setdefault(position.state, number)
        over = served.game.is_terminal(position.state)
        if number != before and before in asked and number not in asked and not over:
            facts = {"again": called(served, number), "before": called(served, before)}
            return [Hint("reached-again", facts)]
    return []
