"""Cutoff and heuristic: what a depth-limited search asks, where, and with what."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from autograder.checks.finding import Wrong
from autograder.checks.replay import expect_whole_search
from autograder.checks.search_diagram import called, said_by, searched_order, searched_tree
from autograder.checks.student import Search
from autograder.checks.values import expect_best_move, expect_value
from autograder.diagram import Node, Picture, name_of
from autograder.serving.cases import CutoffCase, SearchCase
from autograder.serving.game_server import Served
from starter.games import State

CHOSEN_NODES = "(in this case cutoff says stop at chosen nodes, not from some depth on)"


def asked_tree(served: Served, marks: dict[State, str]) -> Picture:
    """Draw what was searched, with marks on some nodes."""

    def decorate(node: Node, state: State) -> None:
        node.mark = marks.get(state, "")

    return searched_tree(served, decorate=decorate)


def expect_cutoff_asked(served: Served) -> None:
    """Cutoff was asked somewhere."""
    if not any(event.kind == "cutoff" for event in served.events):
        raise Wrong(
            "cutoff/never-asked",
            "cutoff was never called",
            expected="cutoff(game, state, depth) at every node that is not terminal",
            got="no call",
            pictures=[asked_tree(served, {})],
        )


def expect_depths(case: CutoffCase, search: Search) -> None:
    """Each depth passed to cutoff is the number of moves from the root."""
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
        at = [event.said for event in asked if served.positions[event.number] == first]
        again = (
            f"cutoff was called {len(at)} times for {name_of(first.state)}, with depth "
            f"{', then '.join(map(said_by, at[:4]))}: pass the state that is searched and its depth"
        )
        raise Wrong(
            "cutoff/wrong-depth",
            f"the depth passed to cutoff at {name_of(first.state)} is not right",
            expected=f"depth {first.depth}: the root has depth 0, its children 1, and so on",
            got=f"depth {said_by(said)}",
            where=[
                *([again] if len(set(map(said_by, at))) > 1 else []),
                *([CHOSEN_NODES] if case.depth is None else []),
            ],
            pictures=[asked_tree(served, {p.state: f"its depth is {p.depth}" for p in wrong})],
        )
    cut_asked = {served.positions[event.number].state for event in asked}
    h_asked = {served.positions[e.number].state for e in served.events if e.kind == "h"}
    for state in searched_order(served):
        if state not in cut_asked and not served.game.is_terminal(state):
            done = "h was called there" if state in h_asked else f"{name_of(state)} was searched"
            raise Wrong(
                "cutoff/not-asked",
                f"cutoff was not called at {name_of(state)}",
                expected="cutoff(game, state, depth) at every node that is not terminal",
                got=f"{done} without it",
                pictures=[asked_tree(served, {state: "cutoff not called"})],
            )
    expect_searched(case, search)


def expect_terminal_first(case: CutoffCase, search: Search) -> None:
    """Neither cutoff nor h was asked at a terminal position."""
    served = search.served
    if not served.game.is_terminal(served.positions[0].state):
        expect_cutoff_asked(served)
    for event in served.events:
        state = served.positions[event.number].state
        if event.kind in ("cutoff", "h") and served.game.is_terminal(state):
            raise Wrong(
                f"terminal/{event.kind}",
                f"{event.kind} was called at {name_of(state)}, where the game is over",
                expected="the terminal test comes first: there the value is the utility",
                got=f"{event.kind} called there",
                pictures=[asked_tree(served, {state: f"the game is over, {event.kind} called"})],
            )
    expect_searched(case, search)


def expect_frontier(case: CutoffCase, search: Search) -> None:
    """h was asked where cutoff said stop, nowhere else, and nothing was searched below."""
    expect_cutoff_asked(search.served)
    for fault in frontier_faults(search.served):
        raise fault
    expect_whole_search(case, search)


def expect_searched(case: CutoffCase, search: Search) -> None:
    """No move was left out without need; if one was, what cutoff said may not have been heeded."""
    try:
        expect_whole_search(case, search)
    except Wrong:
        for fault in chain(frontier_faults(search.served), side_faults(search.served)):
            raise fault from None
        raise


def frontier_faults(served: Served) -> Iterator[Wrong]:
    """Find where h was asked and should not have been, or the other way round."""
    stopped = {e.number for e in served.events if e.kind == "cutoff" and e.answer}
    evaluated = {e.number for e in served.events if e.kind == "h"}
    going_on = {e.number for e in served.events if e.kind == "cutoff" and not e.answer}
    for event in served.events:
        state = served.positions[event.number].state
        name = name_of(state)
        if event.kind == "h" and event.number not in stopped:
            if served.game.is_terminal(state):
                continue  # another test judges that
            said = "said go on" if event.number in going_on else "was not called"
            yield Wrong(
                "h/no-stop",
                f"h was called at {name}, where cutoff {said}",
                expected="h(state, player) exactly where cutoff(game, state, depth) is true",
                got=f"h called at {name}",
                pictures=[asked_tree(served, {state: f"h called, but cutoff {said}"})],
            )
        if event.kind == "result" and served.positions[event.number].parent in stopped:
            above = name_of(served.positions[served.positions[event.number].parent or 0].state)
            yield Wrong(
                "cutoff/went-on",
                f"the search went on below {above}, where cutoff said stop",
                expected=f"the value of {above} is h's, and nothing below it is generated",
                got=f"{name} was generated",
                pictures=[asked_tree(served, {state: "generated below a stop"})],
            )
    for number in sorted(stopped - evaluated):
        state = served.positions[number].state
        name = name_of(state)
        yield Wrong(
            "h/not-asked",
            f"h was not called at {name}, where cutoff said stop",
            expected="h(state, player) exactly where cutoff(game, state, depth) is true",
            got=f"no h at {name}",
            pictures=[asked_tree(served, {state: "h not called"})],
        )


def side_faults(served: Served) -> Iterator[Wrong]:
    """Find where h was asked for another player than the one to move at the root."""
    player = served.positions[0].state.to_move
    asked = [event for event in served.events if event.kind == "h"]
    for event in asked:
        if event.said != player:
            state = served.positions[event.number].state
            sides = [said_by(other.said) for other in asked if other.number == event.number]
            yield Wrong(
                "h/wrong-side",
                f"h was called for the wrong player at {name_of(state)}",
                expected=f"h(state, {player!r}), because {player} is to move at the root",
                got=" and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides)),
                where=[NEGATED] if event.said == state.to_move else [],
                pictures=[asked_tree(served, {state: f"h called for {said_by(event.said)}"})],
            )


NEGATED = "in negamax the value there is -h(state, player), where player is to move at the root"


def expect_root_side(case: CutoffCase, search: Search) -> None:
    """h was asked for the player to move at the root."""
    served = search.served
    for fault in side_faults(served):
        raise fault
    if not any(event.kind == "h" for event in served.events):
        raise Wrong(
            "h/never-asked",
            "h was never called",
            expected="h(state, player) wherever cutoff says stop",
            got="no call",
            pictures=[asked_tree(served, {})],
        )
    expect_searched(case, search)


DEFAULT_DEPTH = 6


def expect_defaults(case: SearchCase, search: Search) -> None:
    """By default the search stops below depth 6, and h is 0."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
        expect_whole_search(case, search, horizon=DEFAULT_DEPTH)
    except Wrong as wrong:
        deepest = max(position.depth for position in search.served.positions)
        if deepest != DEFAULT_DEPTH + 1:
            wrong.where.append(
                f"your search came to depth {deepest}; with cutoff_depth({DEFAULT_DEPTH}) it comes "
                f"to depth {DEFAULT_DEPTH + 1}, and stops there with h = 0"
            )
        raise


def expect_nothing_kept(case: CutoffCase, search: Search) -> None:
    """Value and move are right on a board to which several lines of play lead."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
    except Wrong as wrong:
        again = reached_again(search.served)
        if again and "/" not in wrong.code:  # no other cause is known
            wrong.code = f"{wrong.code}/kept"
        wrong.where += again
        raise


def reached_again(served: Served) -> list[str]:
    """Say where a position was reached again by other moves, and not searched again."""
    asked = {e.number for e in served.events if e.kind in ("utility", "h")}
    asked |= served.children().keys()
    first: dict[State, int] = {}
    for number, position in enumerate(served.positions):
        before = first.setdefault(position.state, number)
        over = served.game.is_terminal(position.state)
        if number != before and before in asked and number not in asked and not over:
            return [
                f"after {called(served, number)} the position is the same as after "
                f"{called(served, before)}, and it was not searched again: do not skip it, nor use "
                "a value that was found with another alpha, beta or depth"
            ]
    return []
