"""Find what a search left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from autograder.checks.finding import Finding, Hint
from autograder.checks.replay import Replay
from autograder.checks.requests import find_wrong_calls_of_h
from autograder.checks.search_diagram import draw_search, mark_states, name_node, report_at_node
from autograder.checks.search_run import SearchRun
from autograder.checks.values import same
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
    served = run.served
    if not served.asked("utility", "h"):
        end = find_first_end(served)
        moves = {"moves": len(served.positions) - 1}
        nothing = Finding("not-searched", moves, diagrams=(draw_search(served),))
        yield nothing if end is None else report_missing_utility(served, end)
    missing = next(find_left_out(served), None)
    if missing is None:
        return
    if run.averages:
        yield report_not_followed(served, *missing)
    elif run.leaves_too_early:
        cause = next(find_wrong_calls_of_h(run), None)
        if cause is None:
            yield report_left_too_early(run)
        else:
            yield replace(cause, code=f"left-too-early/{cause.code}")


def find_first_end(served: GameServer) -> int | None:
    """Return the first terminal node that was generated, if any was."""
    nodes = enumerate(served.positions)
    return next((n for n, node in nodes if served.game.is_terminal(node.state)), None)


def report_missing_utility(served: GameServer, number: int) -> Finding:
    """Return the finding for a terminal node whose value was never asked for."""
    state, node = served.state(number), name_node(served, number)
    return report_at_node("left-out/end", served, state, "utility not called", node=node)


def find_left_out(served: GameServer) -> Iterator[tuple[State, list[Move]]]:
    """Yield the positions that were left too early, in the order of their generation.

    Each position comes with the moves that were not made there. A leaf is yielded, without moves,
    if its utility was not asked for. The game's initial state may be examined even if the search
    does not start there.
    """
    made: dict[State, set[Move]] = {}
    start, searched = served.root, set[State]()
    for position in served.positions:
        made.setdefault(position.state, set())
        above = None if position.parent is None else served.state(position.parent)
        if above is not None:
            made[above].add(position.move)
        if position.state == start or above in searched:
            searched.add(position.state)
    asked = {served.state(event.number) for event in served.asked("utility")}
    for state, moves in made.items():
        if state not in searched:
            continue
        missing = [move for move in served.game.actions(state) if move not in moves]
        if missing or (served.game.is_terminal(state) and state not in asked):
            yield state, missing


def report_not_followed(served: GameServer, state: State, missing: list[Move]) -> Finding:
    """Return the finding for a node where every move or outcome counts."""
    if not missing:
        return report_missing_utility(served, [p.state for p in served.positions].index(state))
    facts = {
        "every": ", ".join(map(format_value, served.game.actions(state))),
        "missing": ", ".join(map(format_value, missing)),
    }
    kind = "outcome" if state.to_move == "chance" else "move"
    return report_at_node(f"left-out/{kind}", served, state, "not all followed", **facts)


def report_left_too_early(run: SearchRun) -> Finding:
    """Return the finding for a node that was left while other moves could change it."""
    unasked = find_unasked_end(run.replay)
    if unasked is not None:
        return report_missing_utility(run.served, unasked)
    replay = run.replay
    number = replay.skipped[0]
    tried, moves = replay.find_tried(number), run.served.actions(number)
    facts = {"node": name_node(run.served, number), "tried": len(tried), "moves": len(moves)}
    came_back = len(tried) == len(moves)
    variant = "/came-back" if came_back else "" if run.prunes else "/no-pruning"
    hints = () if came_back else tuple(compare_with_bound(replay, run.served))
    marks = mark_states({run.served.state(number): "left too early" for number in replay.skipped})
    drawn = draw_search(run.served, decorate=marks, returns=True)
    return Finding(f"left-too-early{variant}", facts, hints, (drawn,))


def find_unasked_end(replay: Replay) -> int | None:
    """Return a terminal child without a request for utility, of the first node left.

    None if all children were generated at once.
    """
    number = replay.skipped[0]
    served, tried = replay.served, replay.find_tried(number)
    asked = {served.state(event.number) for event in served.asked("utility", "h")}
    for child in tried:
        if served.is_over(child) and served.state(child) not in asked:
            return child
    made = [replay.find_child(number, move) for move in served.actions(number)]
    missing = [child for child in made if child not in tried]
    ends = [n for n in missing if n is not None and served.is_over(n)]
    at_once = None not in made and len(ends) < len(missing)  # then another move was left out, too
    return ends[0] if ends and not at_once else None


def compare_with_bound(replay: Replay, served: GameServer) -> Iterator[Hint]:
    """Compare v with the bound where the search left a node too early."""
    number = replay.skipped[0]
    state, tried = served.state(number), replay.find_tried(number)
    other_side = any(event.said != replay.player for event in served.asked("utility"))
    if other_side or negates(served):
        return  # v is not MAX's value there, or values and bounds are negated
    kind = kind_of(state, replay.player)
    rule, which = PRUNING_RULE[kind]
    bound, v = served.call_args.get(number, {}).get(which), replay.best.get(number)
    if bound is None or v is None:
        worths = [format_value(replay.values(served.state(child))) for child in tried]
        if 0 < len(worths) <= MOST_WORTHS:
            yield Hint("tried-moves", {"tried": len(worths), "worths": ", then ".join(worths)})
        return
    by_bound = v >= bound if rule == ">=" else v <= bound
    compared = {"kind": kind.upper(), "rule": rule, "which": which, "bound": bound, "v": v}
    yield Hint("left-by-that-bound" if by_bound else "left-by-no-bound", compared)
    if not by_bound:
        yield Hint("another-return")


def negates(served: GameServer) -> bool:
    """Do at least as many return values fit negamax as fit values for MAX?"""
    plain = negated = 0
    for number, children in served.children().items():
        kind = kind_of(served.state(number), served.max_player)
        returned = served.returned(number)
        values = [served.returned(child) for child in children]
        known = [value for value in values if value is not None]
        whole = len(known) == len(values) and any(known)  # zeros have no sign
        if returned is not None and kind != "chance" and whole:
            plain += same(returned, (max if kind == "max" else min)(known))
            negated += same(returned, max(-value for value in known))
    return negated > 0 and negated >= plain
