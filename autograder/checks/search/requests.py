"""Find requests of a served search that are wrong: for utility, cutoff and h."""

from collections.abc import Iterator

from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.search.search_diagram import (
    draw_search,
    format_argument,
    mark_states,
    report_at_node,
)
from autograder.checks.search.search_run import SearchRun
from autograder.diagram import state_name
from autograder.serving.cases import CutoffCase
from autograder.serving.game_server import GameServer

# The first words of the codes that `request_findings` yields.
REQUEST_CODES = ("utility/", "cutoff/", "terminal/", "h/")


def request_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the first finding of each kind, in the order of a search's requests."""
    server = run.server
    yield from find_undecided_utilities(server)
    if not isinstance(run.case, CutoffCase):
        return
    root = server.root
    if not server.find_requests("cutoff") and not server.game.is_terminal(root):
        yield Finding("cutoff/never-asked", diagrams=(draw_search(server),))
    yield from find_wrong_depths(run.case, server)
    yield from find_nodes_without_cutoff(server)
    yield from find_requests_at_the_end(server)
    yield from find_wrong_calls_of_h(run)
    if not server.find_requests("h"):
        yield Finding("h/never-asked", diagrams=(draw_search(server),))


def find_wrong_calls_of_h(run: SearchRun) -> Iterator[Finding]:
    """Yield the findings about calls of h, and about searching on after a stop."""
    if isinstance(run.case, CutoffCase):
        yield from find_wrong_frontier(run.server)
        yield from find_wrong_sides_of_h(run.server)


def find_undecided_utilities(server: GameServer) -> Iterator[Finding]:
    for event in server.find_requests("utility"):
        state = server.state(event.number)
        if not server.game.is_terminal(state):
            mark, code = "utility called here", "utility/undecided"
            yield report_at_node(code, server, state, mark, to_move=state.to_move)
            return


def find_wrong_depths(case: CutoffCase, server: GameServer) -> Iterator[Finding]:
    """Find the first wrong depth: it should be the number of moves from the root."""
    asks = server.find_requests("cutoff")
    wrong = {
        server.positions[event.number]: event.said
        for event in reversed(asks)
        if type(event.said) not in (int, float)
        or event.said != server.positions[event.number].depth
    }
    if not wrong:
        return
    first, said = list(wrong.items())[-1]
    depths = [format_argument(e.said) for e in asks if server.positions[e.number] == first]
    facts = {
        "node": state_name(first.state),
        "depth": first.depth,
        "said": format_argument(said),
        "calls": len(depths),
        "nodes": len(wrong),
        "depths": ", then ".join(depths[:4]),
    }
    below = [event for event in asks if server.positions[event.number].depth]
    applies = {
        "several-depths": len(set(depths)) > 1,
        "depth-of-parent": len(wrong) > 1
        and all(event.said == server.positions[event.number].depth - 1 for event in below),
        "chosen-nodes": case.depth is None and len(wrong) == 1,
    }
    hints = tuple(Hint(hint, facts) for hint, here in applies.items() if here)
    marks = mark_states({position.state: f"its depth is {position.depth}" for position in wrong})
    yield Finding("cutoff/wrong-depth", facts, hints, (draw_search(server, decorate=marks),))


def find_nodes_without_cutoff(server: GameServer) -> Iterator[Finding]:
    cut = {server.state(event.number) for event in server.find_requests("cutoff")}
    for event in server.find_requests("result"):
        state = server.state(server.positions[event.number].parent or 0)
        if state not in cut:
            yield report_at_node("cutoff/not-asked", server, state, "cutoff not called")
            return


def find_requests_at_the_end(server: GameServer) -> Iterator[Finding]:
    """Find calls of cutoff and h at terminal nodes."""
    for event in server.events:
        state, kind = server.state(event.number), event.kind
        if kind in ("cutoff", "h") and server.game.is_terminal(state):
            mark = f"the game is over, {kind} called"
            yield report_at_node(f"terminal/{kind}", server, state, mark, function=kind)
            return


def find_wrong_frontier(server: GameServer) -> Iterator[Finding]:
    """Find nodes where h was called without a stop, or the search went on after one."""
    answers = {event.number: event.answer for event in server.find_requests("cutoff")}
    for event in server.events:
        position = server.positions[event.number]
        state = position.state
        if event.kind == "h" and not (answers.get(event.number) or server.game.is_terminal(state)):
            said = "said go on" if event.number in answers else "was not called"
            mark = f"h called, but cutoff {said}"
            yield report_at_node("h/no-stop", server, state, mark, cutoff=said)
            return
        if event.kind == "result" and answers.get(position.parent or 0):
            above = state_name(server.state(position.parent or 0))
            mark = "generated below a stop"
            yield report_at_node("cutoff/went-on", server, state, mark, above=above)
            return
    evaluated = {event.number for event in server.find_requests("h")}
    for number in sorted(number for number, stop in answers.items() if stop):
        if number not in evaluated:
            yield report_at_node("h/not-asked", server, server.state(number), "h not called")
            return


def find_wrong_sides_of_h(server: GameServer) -> Iterator[Finding]:
    """Find calls of h for another player than the one to move at the root."""
    player = server.max_player
    asks = server.find_requests("h")
    for event in asks:
        if event.said != player:
            state = server.state(event.number)
            sides = [format_argument(other.said) for other in asks if other.number == event.number]
            calls = " and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides))
            hints = [Hint("h-in-negamax")] * (event.said == state.to_move)
            mark = f"h called for {format_argument(event.said)}"
            yield report_at_node(
                "h/wrong-side", server, state, mark, *hints, player=player, calls=calls
            )
            return
