"""Find requests of a served search that are wrong: for utility, cutoff and h."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.checks.finding import Finding, Hint
from autograder.checks.search_diagram import (
    draw_search,
    format_argument,
    mark_states,
    report_at_node,
)
from autograder.checks.search_run import SearchRun
from autograder.diagram import state_name
from autograder.serving.cases import CutoffCase
from autograder.serving.game_server import GameServer

# The first words of the codes that `request_findings` yields.
REQUEST_CODES = ("utility/", "cutoff/", "terminal/", "h/")


def request_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the first finding of each kind, in the order of a search's requests."""
    served = run.served
    yield from find_undecided_utilities(served)
    if not isinstance(run.case, CutoffCase):
        return
    root = served.root
    if not served.asked("cutoff") and not served.game.is_terminal(root):
        yield Finding("cutoff/never-asked", diagrams=(draw_search(served),))
    yield from find_wrong_depths(run.case, served)
    yield from find_nodes_without_cutoff(served)
    yield from find_requests_at_the_end(served)
    yield from find_wrong_calls_of_h(run)
    if not served.asked("h"):
        yield Finding("h/never-asked", diagrams=(draw_search(served),))


def find_wrong_calls_of_h(run: SearchRun) -> Iterator[Finding]:
    """Yield the findings about calls of h, and about searching on after a stop."""
    if isinstance(run.case, CutoffCase):
        yield from find_wrong_frontier(run.served)
        yield from find_wrong_sides_of_h(run.served)


def find_undecided_utilities(served: GameServer) -> Iterator[Finding]:
    for event in served.asked("utility"):
        state = served.state(event.number)
        if not served.game.is_terminal(state):
            mark, code = "utility called here", "utility/undecided"
            yield report_at_node(code, served, state, mark, to_move=state.to_move)
            return


def find_wrong_depths(case: CutoffCase, served: GameServer) -> Iterator[Finding]:
    """Find the first wrong depth: it should be the number of moves from the root."""
    asks = served.asked("cutoff")
    wrong = {
        served.positions[event.number]: event.said
        for event in reversed(asks)
        if type(event.said) not in (int, float)
        or event.said != served.positions[event.number].depth
    }
    if not wrong:
        return
    first, said = list(wrong.items())[-1]
    depths = [format_argument(e.said) for e in asks if served.positions[e.number] == first]
    facts = {
        "node": state_name(first.state),
        "depth": first.depth,
        "said": format_argument(said),
        "calls": len(depths),
        "depths": ", then ".join(depths[:4]),
    }
    applies = {"several-depths": len(set(depths)) > 1, "chosen-nodes": case.depth is None}
    hints = tuple(Hint(hint, facts) for hint, here in applies.items() if here)
    marks = mark_states({position.state: f"its depth is {position.depth}" for position in wrong})
    yield Finding("cutoff/wrong-depth", facts, hints, (draw_search(served, decorate=marks),))


def find_nodes_without_cutoff(served: GameServer) -> Iterator[Finding]:
    cut = {served.state(event.number) for event in served.asked("cutoff")}
    for event in served.asked("result"):
        state = served.state(served.positions[event.number].parent or 0)
        if state not in cut:
            yield report_at_node("cutoff/not-asked", served, state, "cutoff not called")
            return


def find_requests_at_the_end(served: GameServer) -> Iterator[Finding]:
    """Find calls of cutoff and h at terminal nodes."""
    for event in served.events:
        state, kind = served.state(event.number), event.kind
        if kind in ("cutoff", "h") and served.game.is_terminal(state):
            mark = f"the game is over, {kind} called"
            yield report_at_node(f"terminal/{kind}", served, state, mark, function=kind)
            return


def find_wrong_frontier(served: GameServer) -> Iterator[Finding]:
    """Find nodes where h was called without a stop, or the search went on after one."""
    answers = {event.number: event.answer for event in served.asked("cutoff")}
    for event in served.events:
        position = served.positions[event.number]
        state = position.state
        if event.kind == "h" and not (answers.get(event.number) or served.game.is_terminal(state)):
            said = "said go on" if event.number in answers else "was not called"
            mark = f"h called, but cutoff {said}"
            yield report_at_node("h/no-stop", served, state, mark, cutoff=said)
            return
        if event.kind == "result" and answers.get(position.parent or 0):
            above = state_name(served.state(position.parent or 0))
            mark = "generated below a stop"
            yield report_at_node("cutoff/went-on", served, state, mark, above=above)
            return
    evaluated = {event.number for event in served.asked("h")}
    for number in sorted(number for number, stop in answers.items() if stop):
        if number not in evaluated:
            yield report_at_node("h/not-asked", served, served.state(number), "h not called")
            return


def find_wrong_sides_of_h(served: GameServer) -> Iterator[Finding]:
    """Find calls of h for another player than the one to move at the root."""
    player = served.max_player
    asks = served.asked("h")
    for event in asks:
        if event.said != player:
            state = served.state(event.number)
            sides = [format_argument(other.said) for other in asks if other.number == event.number]
            calls = " and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides))
            hints = [Hint("h-in-negamax")] * (event.said == state.to_move)
            mark = f"h called for {format_argument(event.said)}"
            yield report_at_node(
                "h/wrong-side", served, state, mark, *hints, player=player, calls=calls
            )
            return
