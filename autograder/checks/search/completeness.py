"""Find what a search left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.search.replay import Replay
from autograder.checks.search.requests import find_wrong_calls_of_h
from autograder.checks.search.search_diagram import (
    draw_search,
    mark_states,
    name_node,
    negates,
    report_at_node,
)
from autograder.checks.search.search_run import SearchRun
from autograder.diagram import format_value, kind_of
from autograder.serving.game_server import GameServer
from starter.games import Move, State

# The first words of the codes that `completeness_findings` yields.
COMPLETENESS_CODES = ("not-searched", "left-out/", "left-too-early")
PRUNING_RULE = {"max": (">=", "beta"), "min": ("<=", "alpha")}  # how v compares with the bound
MOST_WORTHS = 4  # values of moves in one sentence


def completeness_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield a finding if the search compared too few values to know its answer.

    It may search more nodes than pruning needs. A search that got other values, because it asked
    for another side or at other positions, may prune by those: other tests judge such requests.
    """
    server = run.server
    if not server.find_requests("utility", "h"):
        end = find_first_end(server)
        moves = {"moves": len(server.positions) - 1}
        nothing = Finding("not-searched", moves, diagrams=(draw_search(server),))
        yield nothing if end is None else report_missing_utility(server, end)
    missing = next(find_left_out(server), None)
    if missing is None:
        return
    if run.averages:
        yield report_not_followed(server, *missing)
    elif run.leaves_too_early:
        cause = next(find_wrong_calls_of_h(run), None)
        if cause is None:
            yield report_left_too_early(run)
        else:
            yield replace(cause, code=f"left-too-early/{cause.code}")


def find_first_end(server: GameServer) -> int | None:
    """Return the first terminal node that was generated, if any was."""
    nodes = enumerate(server.positions)
    return next((n for n, node in nodes if server.game.is_terminal(node.state)), None)


def report_missing_utility(server: GameServer, number: int) -> Finding:
    """Return the finding for a terminal node whose value was never asked for."""
    state, node = server.state(number), name_node(server, number)
    return report_at_node("left-out/end", server, state, "utility not called", node=node)


def find_left_out(server: GameServer) -> Iterator[tuple[State, list[Move]]]:
    """Yield the positions that were left too early, in the order of their generation.

    Each position comes with the moves that were not made there. A leaf is yielded, without moves,
    if its utility was not asked for. The game's initial state may be examined even if the search
    does not start there.
    """
    made: dict[State, set[Move]] = {}
    start, searched = server.root, set[State]()
    for position in server.positions:
        made.setdefault(position.state, set())
        above = None if position.parent is None else server.state(position.parent)
        if above is not None:
            made[above].add(position.move)
        if position.state == start or above in searched:
            searched.add(position.state)
    asked = {server.state(event.number) for event in server.find_requests("utility")}
    for state, moves in made.items():
        if state not in searched:
            continue
        missing = [move for move in server.game.actions(state) if move not in moves]
        if missing or (server.game.is_terminal(state) and state not in asked):
            yield state, missing


def report_not_followed(server: GameServer, state: State, missing: list[Move]) -> Finding:
    """Return the finding for a node where every move or outcome counts."""
    if not missing:
        return report_missing_utility(server, [p.state for p in server.positions].index(state))
    facts = {
        "every": ", ".join(map(format_value, server.game.actions(state))),
        "missing": ", ".join(map(format_value, missing)),
    }
    kind = "outcome" if state.to_move == "chance" else "move"
    return report_at_node(f"left-out/{kind}", server, state, "not all followed", **facts)


def report_left_too_early(run: SearchRun) -> Finding:
    """Return the finding for a node that was left while other moves could change it."""
    unasked = find_unasked_end(run.replay)
    if unasked is not None:
        return report_missing_utility(run.server, unasked)
    replay = run.replay
    number = replay.skipped[0]
    tried, moves = replay.find_tried(number), run.server.actions(number)
    facts = {"node": name_node(run.server, number), "tried": len(tried), "moves": len(moves)}
    came_back = len(tried) == len(moves)
    variant = "/came-back" if came_back else "" if run.prunes else "/no-pruning"
    hints = () if came_back else tuple(compare_with_bound(replay, run.server))
    marks = mark_states({run.server.state(number): "left too early" for number in replay.skipped})
    drawn = draw_search(run.server, decorate=marks, returns=True)
    return Finding(f"left-too-early{variant}", facts, hints, (drawn,))


def find_unasked_end(replay: Replay) -> int | None:
    """Return a terminal child without a request for utility, of the first node left.

    None if all children were generated at once.
    """
    number = replay.skipped[0]
    server, tried = replay.server, replay.find_tried(number)
    asked = {server.state(event.number) for event in server.find_requests("utility", "h")}
    for child in tried:
        if server.is_over(child) and server.state(child) not in asked:
            return child
    made = [replay.find_child(number, move) for move in server.actions(number)]
    missing = [child for child in made if child not in tried]
    ends = [n for n in missing if n is not None and server.is_over(n)]
    at_once = None not in made and len(ends) < len(missing)  # then another move was left out, too
    return ends[0] if ends and not at_once else None


def compare_with_bound(replay: Replay, server: GameServer) -> Iterator[Hint]:
    """Compare v with the bound where the search left a node too early."""
    number = replay.skipped[0]
    state, tried = server.state(number), replay.find_tried(number)
    other_side = any(event.said != replay.player for event in server.find_requests("utility"))
    if other_side or negates(server):
        return  # v is not MAX's value there, or values and bounds are negated
    kind = kind_of(state, replay.player)
    rule, which = PRUNING_RULE[kind]
    bound, v = server.call_args.get(number, {}).get(which), replay.best.get(number)
    if bound is None or v is None:
        worths = [format_value(replay.values(server.state(child))) for child in tried]
        if 0 < len(worths) <= MOST_WORTHS:
            yield Hint("tried-moves", {"tried": len(worths), "worths": ", then ".join(worths)})
        return
    by_bound = v >= bound if rule == ">=" else v <= bound
    compared = {"kind": kind.upper(), "rule": rule, "which": which, "bound": bound, "v": v}
    yield Hint("left-by-that-bound" if by_bound else "left-by-no-bound", compared)
    if not by_bound:
        yield Hint("another-return")
