"""Find what is wrong with the value and the move that a search returned."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any

from autograder.checks.ask.finding import Finding, Hint
from autograder.checks.ask.plain_answers import Answer, Search
from autograder.checks.ask.values import format_distinct, may_return, same
from autograder.checks.search.completeness import (
    completeness_findings,
    find_first_end,
    report_left_too_early,
)
from autograder.checks.search.replay import SearchRun, find_first_copies
from autograder.checks.search.search_diagram import Decorate, draw_search, name_node
from autograder.diagram import (
    Board,
    Node,
    Picture,
    default_side,
    describe_position,
    find_squares,
    format_value,
    state_name,
)
from autograder.serving.cases import SearchCase
from autograder.serving.game_server import GameServer
from autograder.symmetry import mirror
from starter.games import BoardState, State


def answer_findings(run: SearchRun) -> Iterator[Finding]:
    """Yield the finding about the value, or else about the move, with its cause."""
    case, search = run.case, run.search
    if search.invalid is not None:
        yield search.invalid
        return
    if run.averages:
        yield from completeness_findings(run)  # moves left out are the cause
    finding = find_wrong_answer(case, search, find_largest_term(case) if run.averages else 1.0)
    if finding is None:
        return
    about_move = not finding.code.startswith(("wrong-value", "wrong-bound"))
    if about_move and not run.averages and not run.replay.skipped:
        finding = add_equal_bound(finding, run)
    yield add_cause(add_request_cause(finding, run), run)


def find_largest_term(case: SearchCase) -> float:
    """Return the largest number that a mean is made of; it bounds the rounding."""
    return max(1, *map(abs, case.values.values()), abs(case.value))


def find_wrong_answer(case: SearchCase, found: Answer, largest: float = 1.0) -> Finding | None:
    """Compare the value, and then the move."""
    return find_wrong_value(case, found, largest) or find_wrong_move(case, found)


def find_wrong_value(case: SearchCase, found: Answer, largest: float = 1.0) -> Finding | None:
    """Compare the value; outside the case's window any true bound is right."""
    true, alpha, beta = case.value, case.alpha, case.beta
    if may_return(found.value, true, (alpha, beta), largest):
        return None
    value, got = format_distinct(true, found.value)
    drawn = draw_answer(case, found)
    facts: dict[str, Any] = {"value": value, "player": case.max_player, "got": got}
    if not alpha < true < beta:
        where = "below" if true <= alpha else "above"
        facts |= {"function": case.function.rpartition(".")[2], "alpha": alpha, "beta": beta}
        return Finding(f"wrong-bound/{where}", facts, diagrams=(drawn,))
    facts["to_move"] = case.make_state().to_move
    flipped = (Hint("sign"),) if same(found.value, -true) else ()
    return Finding("wrong-value", facts, flipped, (drawn,))


def find_wrong_move(case: SearchCase, found: Answer) -> Finding | None:
    """Compare the move: any best one is right, or None if the game is over."""
    if found.index in (case.best or (None,)):
        return None
    if not case.alpha < case.value < case.beta:
        return None  # any move is right if only a bound is known
    game, state = case.make_game(), case.make_state()
    actions, drawn = game.actions(state), draw_answer(case, found)
    if isinstance(drawn, Board):
        good = frozenset().union(*(find_squares(game, state, actions[i]) for i in case.best))
        bad = frozenset() if found.index is None else find_squares(game, state, found.move)
        drawn = Board(state, good=good, bad=bad)
    best = " or ".join(format_value(actions[i]) for i in case.best)
    code = "wrong-move" if case.best else "wrong-move/none-at-end"
    if state.to_move == "chance":
        code = "move-at-chance"  # one test pays for that
    facts = {"to_move": state.to_move, "best": best, "move": found.move}
    return Finding(code, facts, diagrams=(drawn,))


def draw_answer(case: SearchCase, found: Answer) -> Picture:
    """Draw the search if there is a record of it, else the position."""
    if isinstance(found, Search):
        return draw_search(found.server, write_worth(case, found.server), returns=True)
    return describe_position(case.make_game(), case.make_state(), case.player)


def write_worth(case: SearchCase, server: GameServer) -> Decorate:
    """Return a decorator that writes the case's values into a tree's inner nodes."""
    sign = 1 if case.max_player == default_side(server.root) else -1

    def decorate(node: Node, state: State) -> None:
        value = case.values.get(state.key)
        if value is not None and node.kind != "leaf":
            node.texts.append(f"worth {format_value(sign * value)}")

    return decorate


def add_request_cause(finding: Finding, run: SearchRun) -> Finding:
    """Name wrong requests for utilities as the cause of a wrong value."""
    server, player = run.server, run.case.max_player
    asked = server.find_requests("utility")
    end = None if asked else find_first_end(server)
    if end is not None:
        hint = Hint("utility-not-asked", {"node": name_node(server, end)})
        return name_cause(finding.with_hints(hint), "end-not-asked")
    wrong = next((event for event in asked if event.said != player), None)
    if wrong is None:
        return finding
    name = state_name(server.state(wrong.number))
    hints = [Hint("wrong-side", {"node": name, "said": wrong.said, "player": player})]
    sides = [(event.said, server.nodes[event.number]) for event in asked]
    to_move = all(said == end.state.to_move for said, end in sides)
    moved = all(
        end.parent is not None and said == server.state(end.parent).to_move for said, end in sides
    )
    who = f"{wrong.said}, " * (len({said for said, _ in sides}) == 1)
    if to_move or moved:
        hints.append(Hint("wrong-side-to-move" if to_move else "wrong-side-moved", {"who": who}))
    elif who:
        hints.append(Hint("wrong-side-one", {"said": wrong.said}))
    return name_cause(finding.with_hints(*hints), "side")


def add_equal_bound(finding: Finding, run: SearchRun) -> Finding:
    """Name the pruned move whose bound equals the value, if the search chose it."""
    case, server, replay = run.case, run.server, run.replay
    chosen = [n for n in replay.find_tried(0) if server.nodes[n].move == run.search.move]
    if not chosen or not same(replay.compute_shown_value(chosen[0]), case.value):
        return finding
    is_max = server.kind(0) == "max"
    facts = {
        "node": name_node(server, chosen[0]),
        "least": "at most" if is_max else "at least",
        "value": case.value,
        "worth": replay.values(server.state(chosen[0])),
        "better": ">" if is_max else "<",
    }
    hints = Hint("pruned-at-equal", facts), Hint("equal-bound", facts)
    return name_cause(finding.with_hints(*hints), "equal-bound")


def add_cause(finding: Finding, run: SearchRun) -> Finding:
    """Add the node that was left too early, or was not searched again, as the cause."""
    if run.averages or run.horizon < inf:
        return finding
    if again := find_reached_again(run.server):
        return name_cause(finding.with_hints(again), "kept")
    if not run.leaves_too_early:
        return finding
    left = report_left_too_early(run)
    if left.code == "left-out/end":
        cause, hints = "end-not-asked", [Hint("utility-not-asked", left.facts)]
    else:
        cause, hints = "left-too-early", [*left.hints]
        if not left.code.endswith("/came-back"):
            hints.insert(0, Hint("left-early", left.facts))
    asked = [event.number for event in run.server.find_requests("utility")]
    early = [number for number in asked if not run.server.is_over(number)]
    if early and (cause == "end-not-asked" or early[0] == run.replay.skipped[0]):
        hints.append(Hint("utility-early", {"node": name_node(run.server, early[0])}))
    new = [hint for hint in hints if hint not in finding.hints]
    return name_cause(replace(finding.with_hints(*new), diagrams=left.diagrams), cause)


def name_cause(finding: Finding, cause: str) -> Finding:
    """Return the finding with its cause in the code, unless it has a variant."""
    return finding if "/" in finding.code else replace(finding, code=f"{finding.code}/{cause}")


def find_reached_again(server: GameServer) -> Hint | None:
    """Say where a position was reached again by other moves and passed over.

    A node that was generated with its siblings and then pruned was not passed over.
    """
    same_moves, children = find_first_copies(server), server.children()
    # By node: how many nodes there were when its value or its moves were first asked for.
    searched: dict[int, int] = {}
    made = 1
    for event in server.events:
        about: int | None = event.number
        if event.kind in ("result", "initial"):
            made, about = event.number + 1, server.nodes[event.number].parent
        if about is not None and event.kind != "cutoff":
            searched.setdefault(same_moves[about], made)
    for name, key_of in (("mirror-image", find_unmirrored), ("reached-again", lambda state: state)):
        first: dict[Any, int] = {}
        states = set[State]()  # of the nodes before that were searched
        for number, node in enumerate(server.nodes):
            before = first.setdefault(key_of(node.state), number)
            new = before != number and same_moves[number] == number and number not in searched
            other = name == "reached-again" or node.state not in states
            if number in searched:
                states.add(node.state)
            if not (new and other) or node.parent is None or before not in searched:
                continue
            siblings = [child for child in children[node.parent] if child in searched]
            one_by_one = all(searched[child] <= number for child in siblings)
            passed_over = one_by_one or max(siblings) > number
            if passed_over and not server.game.is_terminal(node.state):
                facts = {"again": name_node(server, number), "before": name_node(server, before)}
                return Hint(name, facts)
    return None


def find_unmirrored(state: State) -> Any:
    """Return the same for a board and its mirror image, and the state itself elsewhere."""
    if not isinstance(state, BoardState):
        return state
    return min(state.rows, mirror(state.rows)), state.to_move
