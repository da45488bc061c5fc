"""Find what a search left out, and its wrong requests: for utility, cutoff and h."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.ask.values import format_distinct, join_first
from autograder.checks.search.replay import Replay, SearchRun, find_second_copies
from autograder.checks.search.search_diagram import (
    draw_search,
    format_argument,
    mark_states,
    name_node,
    negates,
    report_at_node,
)
from autograder.diagram import format_value, is_tree, state_name
from autograder.serving.cases import CutoffCase
from autograder.serving.game_server import GameServer
from starter.games import Move, State

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
        moves = {"moves": len(server.nodes) - 1}
        nothing = Finding("not-searched", moves, diagrams=(draw_search(server),))
        yield nothing if end is None else report_missing_utility(server, end)
    missing = find_left_out(server)
    if missing is None:
        return
    if run.averages:
        yield report_not_followed(run, *missing)
    elif run.leaves_too_early:
        cause = next(find_wrong_calls_of_h(run), None)
        if cause is None:
            yield report_left_too_early(run)
        else:
            yield replace(cause, code=f"left-too-early/{cause.code}")


def find_first_end(server: GameServer) -> int | None:
    """Return the first terminal node that was generated, if any was."""
    return next(filter(server.is_over, range(len(server.nodes))), None)


def report_missing_utility(server: GameServer, number: int) -> Finding:
    """Return the finding for a terminal node whose value was never asked for."""
    state, node = server.state(number), name_node(server, number)
    return report_at_node("left-out/end", server, state, "utility not called", node=node)


def find_left_out(server: GameServer) -> tuple[State, list[Move]] | None:
    """Return the first state that was left too early, and the moves not made there.

    A leaf was, without moves, if its utility was not asked for. The game's initial state may be
    examined even if the search does not start there.
    """
    made: dict[State, set[Move]] = {}
    start, searched = server.root, set[State]()
    for node in server.nodes:
        made.setdefault(node.state, set())
        above = None if node.parent is None else server.state(node.parent)
        if above is not None:
            made[above].add(node.move)
        if node.state == start or above in searched:
            searched.add(node.state)
    asked = {server.state(event.number) for event in server.find_requests("utility")}
    for state, moves in made.items():
        if state not in searched:
            continue
        missing = [move for move in server.game.actions(state) if move not in moves]
        if missing or (server.game.is_terminal(state) and state not in asked):
            return state, missing
    return None


def report_not_followed(run: SearchRun, state: State, missing: list[Move]) -> Finding:
    """Return the finding for a node where every move or outcome counts."""
    server = run.server
    number = [node.state for node in server.nodes].index(state)
    if not missing:
        return report_missing_utility(server, number)
    kind = "outcome" if state.to_move == "chance" else "move"
    tried = run.replay.find_tried(number)
    hints = [
        *explain_missing(run.replay, number, sorted(server.children())),
        *(name_worths(run.replay, tried) if kind == "move" else ()),
    ]
    if kind == "outcome" and len(tried) == 1:
        hints.append(Hint("one-outcome", {"move": server.nodes[tried[0]].move}))
    facts = {
        "every": ", ".join(map(format_value, server.game.actions(state))),
        "missing": ", ".join(map(format_value, missing)),
    }
    return report_at_node(f"left-out/{kind}", server, state, "not all followed", *hints, **facts)


def report_left_too_early(run: SearchRun) -> Finding:
    """Return the finding for a node that was left while other moves could change it."""
    server, replay = run.server, run.replay
    unasked, number = find_unasked_end(replay), replay.skipped[0]
    if unasked is not None:
        return report_missing_utility(server, unasked)
    missing = find_missing(replay, number)
    node = name_node(server, number)
    above = f"{node}/" if server.nodes[number].parent is not None else ""
    names = [f"{above}{format_value(move)}" for move in missing]
    facts = {"node": node, "missing": join_first(names, 3)}
    variant = "" if run.prunes else "/no-pruning"
    left = replay.skipped if run.prunes else sorted(server.children())
    hints = (*explain_missing(replay, number, left), *compare_with_bound(run))
    if not missing:
        variant, hints = "/came-back", ()
    marks = {
        server.state(one): "moves not searched" if find_missing(replay, one) else "continued later"
        for one in replay.skipped
    }
    drawn = draw_search(server, decorate=mark_states(marks), returns=True)
    return Finding(f"left-too-early{variant}", facts, hints, (drawn,))


def find_missing(replay: Replay, number: int) -> list[Move]:
    """Return the moves that were not searched at a node."""
    tried = {replay.server.nodes[child].move for child in replay.find_tried(number)}
    return [move for move in replay.server.actions(number) if move not in tried]


PLACES: dict[str, Callable[[Sequence[Move]], Sequence[Move]]] = {
    "the first move": lambda moves: moves[:1],
    "the last move": lambda moves: moves[-1:],
    "all but the first move": lambda moves: moves[1:],
    "all but the last move": lambda moves: moves[:-1],
}


def explain_missing(replay: Replay, number: int, nodes: list[int]) -> Iterator[Hint]:
    """Say what the record shows of moves that were not searched, and where in the order they are.

    number: a node that lacks moves; `nodes`: all that may lack some

    Such a move may have been made: then its child was left without a search.
    """
    server, missing = replay.server, find_missing(replay, number)
    child = next(filter(None, (replay.find_child(number, move) for move in missing)), None)
    valued = [e.kind for e in server.find_requests("utility", "h") if e.number == child]
    if child is not None and valued:
        yield Hint("valued-instead", {"node": name_node(server, child), "function": valued[0]})
    if again := find_second_copies(server):
        yield Hint("made-again", {"node": name_node(server, again[0])})
        yield from name_late_binding(server, number)
        return
    found = [(server.actions(n), find_missing(replay, n)) for n in nodes if replay.find_tried(n)]
    left = [(moves, missing) for moves, missing in found if missing]
    for place, pick in PLACES.items():
        if len(left) > 1 and all(list(pick(moves)) == missing for moves, missing in left):
            yield Hint("missing-place", {"nodes": len(left), "place": place})
            return


def name_late_binding(server: GameServer, number: int) -> Iterator[Hint]:
    """Say so if a node's last move was made once for each of its moves, and no other."""
    actions, children = server.actions(number), server.children().get(number, [])
    made = [server.nodes[child].move for child in children]
    if len(actions) > 1 and made == [actions[-1]] * len(actions):
        yield Hint("late-binding", {"node": name_node(server, number), "times": len(made)})


def name_worths(replay: Replay, tried: list[int]) -> Iterator[Hint]:
    """Name the values of the moves that were tried, if these are few."""
    worths = [format_value(replay.values(replay.server.state(child))) for child in tried]
    if 0 < len(worths) <= MOST_WORTHS:
        yield Hint("tried-moves", {"tried": len(worths), "worths": ", then ".join(worths)})


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


def compare_with_bound(run: SearchRun) -> Iterator[Hint]:
    """Compare v with the bound where the search left a node too early."""
    replay, server = run.replay, run.server
    number = replay.skipped[0]
    other_side = any(event.said != server.max_player for event in server.find_requests("utility"))
    if other_side or negates(server):
        return  # v is not MAX's value there, or values and bounds are negated
    kind = server.kind(number)
    rule, which = PRUNING_RULE[kind]
    compared = find_v_and_bound(replay, server, number)
    shared = [Hint("bounds-shared")] if run.prunes and are_bounds_shared(replay) else []
    if compared is None:
        yield from [*name_worths(replay, replay.find_tried(number)), *shared]
        return
    v, bound = compared
    if v < bound if rule == ">=" else v > bound:
        shown = dict(zip(("v", "bound"), format_distinct(v, bound)))
        facts = {"kind": kind.upper(), "rule": rule, "which": which, **shown}
        yield Hint("left-by-no-bound", facts)
        other = shared or [Hint("another-return")]
        yield from [Hint("margin")] if stops_near_the_bound(replay) else other


def stops_near_the_bound(replay: Replay) -> bool:
    """Are nodes left too early where v is near the bound, and others not where it is further?"""
    distances: dict[bool, list[float]] = {True: [], False: []}
    for number in replay.server.children():
        pair = find_v_and_bound(replay, replay.server, number)
        if pair is not None:
            distances[number in replay.skipped].append(abs(pair[0] - pair[1]))
    left, not_left = distances[True], distances[False]
    return bool(left and not_left) and max(left) < min(1, *not_left)


def are_bounds_shared(replay: Replay) -> bool:
    """Are nodes left too early only after inner children, although leaves were searched first?"""
    children = replay.server.children()
    last = [replay.find_tried(number)[-1:] for number in replay.skipped]
    after_inner = all(child in children for tried in last for child in tried)
    went_on = any(
        tried[0] not in children
        for number in children
        if len(tried := replay.find_tried(number)) > 1
    )
    return all(last) and after_inner and went_on


def find_v_and_bound(replay: Replay, server: GameServer, number: int) -> tuple[float, float] | None:
    """Return v by what the calls below returned, and its bound there, if both are known."""
    kind = server.kind(number)
    bound = server.call_args.get(number, {}).get(PRUNING_RULE[kind][1])
    returned = [server.find_return(child) for child in replay.find_tried(number)]
    found = [value for value in returned if value is not None]
    if bound is None or not found or len(found) < len(returned):
        return None
    return (max if kind == "max" else min)(found), bound


def request_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the first finding of each kind, in the order of a search's requests."""
    server = run.server
    yield from islice(find_undecided_utilities(server), 1)
    if not isinstance(run.case, CutoffCase):
        return
    if not server.find_requests("cutoff") and not server.is_over(0):
        yield Finding("cutoff/never-asked", diagrams=(draw_search(server),))
    yield from find_wrong_depths(run.case, server)
    yield from islice(find_nodes_without_cutoff(server), 1)
    yield from islice(find_requests_at_the_end(server), 1)
    yield from find_wrong_calls_of_h(run)
    if not server.find_requests("h"):
        yield Finding("h/never-asked", diagrams=(draw_search(server),))


def find_wrong_calls_of_h(run: SearchRun) -> Iterator[Finding]:
    """Yield the findings about calls of h, and about searching on after a stop."""
    if isinstance(run.case, CutoffCase):
        yield from islice(find_wrong_frontier(run.server), 1)
        yield from islice(find_wrong_sides_of_h(run.server), 1)


def find_undecided_utilities(server: GameServer) -> Iterator[Finding]:
    for event in server.find_requests("utility"):
        state = server.state(event.number)
        if not server.game.is_terminal(state):
            mark, code = "utility called here", "utility/undecided"
            yield report_at_node(code, server, state, mark, to_move=state.to_move)


def find_wrong_depths(case: CutoffCase, server: GameServer) -> Iterator[Finding]:
    """Find the first wrong depth: it should be the number of moves from the root."""
    asks = [(server.nodes[e.number], e.said) for e in server.find_requests("cutoff")]
    wrong = {
        node: said
        for node, said in reversed(asks)
        if type(said) not in (int, float) or said != node.depth
    }
    if not wrong:
        return
    first, said = [*wrong.items()][-1]
    depths = [format_argument(said) for node, said in asks if node == first]
    facts = {
        "node": state_name(first.state),
        "depth": first.depth,
        "said": format_argument(said),
        "calls": len(depths),
        "nodes": len(wrong),
        "depths": ", then ".join(depths[:4]),
    }
    of_parent = all(said == node.depth - 1 for node, said in asks if node.depth)
    applies = {
        "several-depths": len(set(depths)) > 1,
        "depth-of-parent": len(wrong) > 1 and of_parent,
        "chosen-nodes": case.depth is None and len(wrong) == 1,
    }
    grew = [] if applies["several-depths"] else [*name_growth(server)]
    applies["depth-of-parent"] &= not grew
    hints = (*grew, *(Hint(hint, facts) for hint, here in applies.items() if here))
    marks = mark_states({node.state: f"its depth is {node.depth}" for node in wrong})
    yield Finding("cutoff/wrong-depth", facts, hints, (draw_search(server, decorate=marks),))


def name_growth(server: GameServer) -> Iterator[Hint]:
    """Name the nodes below which the depth did not grow, if it grew by 1 below others."""
    said = {event.number: event.said for event in server.find_requests("cutoff")}
    grown: dict[bool, dict[int, None]] = {True: {}, False: {}}  # nodes in the order of the search
    for number, depth in said.items():
        above = server.nodes[number].parent
        if above in said:
            if not {type(depth), type(said[above])} <= {int, float}:
                return
            grown[depth == said[above] + 1][above] = None
    if is_tree(server.root) and all(grown.values()) and grown[True].keys().isdisjoint(grown[False]):
        names = {
            key: join_first([name_node(server, number) for number in nodes], 3)
            for key, nodes in grown.items()
        }
        yield Hint("depth-grew", {"below": names[True], "not_below": names[False]})


def find_nodes_without_cutoff(server: GameServer) -> Iterator[Finding]:
    cut = {server.state(event.number) for event in server.find_requests("cutoff")}
    for event in server.find_requests("result"):
        state = server.state(server.nodes[event.number].parent or 0)
        if state not in cut:
            yield report_at_node("cutoff/not-asked", server, state, "cutoff not called")


def find_requests_at_the_end(server: GameServer) -> Iterator[Finding]:
    """Find calls of cutoff and h at terminal nodes."""
    for event in server.events:
        state, kind = server.state(event.number), event.kind
        if kind in ("cutoff", "h") and server.game.is_terminal(state):
            mark = f"the game is over, {kind} called"
            yield report_at_node(f"terminal/{kind}", server, state, mark, function=kind)


def find_wrong_frontier(server: GameServer) -> Iterator[Finding]:
    """Find nodes where h was called without a stop, or the search went on after one."""
    answers = {event.number: event.answer for event in server.find_requests("cutoff")}
    for event in server.events:
        node = server.nodes[event.number]
        state = node.state
        if event.kind == "h" and not (answers.get(event.number) or server.game.is_terminal(state)):
            said = "said go on" if event.number in answers else "was not called"
            mark = f"h called, but cutoff {said}"
            yield report_at_node("h/no-stop", server, state, mark, cutoff=said)
        if event.kind == "result" and answers.get(node.parent or 0):
            above = state_name(server.state(node.parent or 0))
            mark = "generated below a stop"
            yield report_at_node("cutoff/went-on", server, state, mark, above=above)
    evaluated = {event.number for event in server.find_requests("h")}
    for number in sorted(number for number, stop in answers.items() if stop):
        if number not in evaluated:
            yield report_at_node("h/not-asked", server, server.state(number), "h not called")


def find_wrong_sides_of_h(server: GameServer) -> Iterator[Finding]:
    """Find calls of h for another player than the one to move at the root."""
    player = server.max_player
    asks = server.find_requests("h")
    for event in asks:
        if event.said != player:
            state = server.state(event.number)
            sides = [format_argument(other.said) for other in asks if other.number == event.number]
            calls = " and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides))
            hints = [Hint("h-in-negamax")] * (event.said == state.to_move and negates(server))
            mark = f"h called for {format_argument(event.said)}"
            yield report_at_node(
                "h/wrong-side", server, state, mark, *hints, player=player, calls=calls
            )
