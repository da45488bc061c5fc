"""The record of a search with cut-offs, replayed in its own order with the true values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from autograder.checks.finding import Failed, Finding, Hint, failure
from autograder.checks.search_diagram import called, searched_tree
from autograder.checks.student import Search
from autograder.checks.values import (
    PRUNING,
    Values,
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
from autograder.serving.record import Event, Record
from starter.games import Move, State


@dataclass(frozen=True, slots=True)
class MissedCut:
    """A cut-off that was due and was not made.

    at:    the position where it was due, `asked` the one below it that was searched in vain
    side:  "max" or "min": which kind of node `at` is
    deep:  the bound came from further up than the parent of `at`
    equal: alpha and beta had just met; otherwise they had crossed
    source: the position above `at` that the bound came from; None: the search was called with it
    """

    at: int
    asked: int
    side: str
    deep: bool
    equal: bool
    alpha: float
    beta: float
    source: int | None

    @property
    def kind(self) -> str:
        """What it takes to see that the cut-off is due: "equal", "deep", or just its side."""
        return "equal" if self.equal else "deep" if self.deep else self.side


class Replay:
    """Goes through the record of a search, in the student's own order, with the true values.

    A node is searched when cutoff is asked there, when its utility or h is and may be (the game is
    over, or cutoff has said stop), or when a child of it is generated; but values that were asked
    for to sort the moves (`looked_ahead`) do not count. A node that equals one searched before (on
    a board), and about which nothing is asked, counts as searched when it is generated, because its
    value may be remembered. A child is finished when another child of the same parent is searched
    after it. At any moment alpha is the largest value among the finished children of the max nodes
    above, beta the smallest among those of the min nodes above; once alpha >= beta, whatever is
    searched is searched unnecessarily. (True values serve as well as the bounds that a search
    returns: both close a window or neither does.) The other way round, a node may be left with
    moves untried only once alpha >= beta there: otherwise these moves could change the value.
    """

    def __init__(
        self,
        served: Record,
        values: Values,
        player: str | None = None,
        window: tuple[float, float] = (-inf, inf),
        horizon: float = inf,
    ) -> None:
        """player: MAX, by default who is to move at the root; window: alpha and beta there

        horizon: positions deeper than this are cut off by defaults, without a question
        """
        self.served, self.values = served, values
        self.player = player or served.positions[0].state.to_move
        self.window, self.horizon = window, horizon
        self.twice: list[int] = []  # positions generated again
        self.late: list[tuple[int, int]] = []  # positions, each searched after a later sibling
        self.missed: list[MissedCut] = []  # the first for each position where a cut-off was due
        self.skipped: list[int] = []  # positions left with moves untried, and no cut-off due
        self.order: list[int] = []  # positions as they were searched
        # By position and move: the first position generated so.
        self._first: dict[tuple[int, Move], int] = {}
        self._same: list[int] = []  # by position: the first one generated in the same way
        self._identify()
        self._asked = bytearray(len(served.positions))  # by position: was anything asked about it?
        self._below = bytearray(len(served.positions))  # by position: has this copy a child?
        for event in served.events:
            number = event.number
            if event.kind == "result":
                number = served.positions[number].parent or 0
                self._below[number] = True
            self._asked[self._same[number]] = True
        ahead = self._looked_ahead()
        self._valued = bytearray(len(served.positions))  # by position: asked to sort the moves?
        for event, sorts in zip(served.events, ahead):
            self._valued[self._same[event.number]] |= sorts
        # By position: its child searched last; 0, which is nobody's child, for none.
        self._current = [0] * len(served.positions)
        self._best: dict[int, float] = {}  # by position: the best among its finished children
        self._searched = bytearray(len(served.positions))  # by position: was it searched?
        self._states: set[State] = set()  # of the positions that were searched
        self._known = bytearray(len(served.positions))  # by position: does it equal one before?
        self._stopped: set[int] = set()  # positions at which cutoff has said stop
        self._evaluated = bytearray(len(served.positions))
        self._blamed = bytearray(len(served.positions))
        for event, sorts in zip(served.events, ahead):
            if not sorts:
                self._take(event)
        self._finish(0)
        self.unused = [n for n in self._first.values() if not self._searched[n]]

    def _identify(self) -> None:
        """Find the nodes that were generated again: the same move from the same node."""
        for number, position in enumerate(self.served.positions):
            same = number
            if position.parent is not None:
                way = (self._same[position.parent], position.move)
                same = self._first.setdefault(way, number)
            self._same.append(same)
            if same != number:
                self.twice.append(number)

    def _looked_ahead(self) -> bytearray:
        """Mark the events that asked for utilities at a node only to sort its moves.

        After these the search begins again there: it generates a child again, or asks for its
        utility again. Or it has asked for the utility of a child where the game goes on.
        """
        positions, events = self.served.positions, self.served.events
        begun = bytearray(len(positions))  # by position: does the search go deeper, or begin again?
        valued = bytearray(len(positions))
        undecided = set[int]()
        ended = [0] * len(positions)  # by position: where looking ahead ended

        def begin(number: int, index: int, again: bool = False) -> None:
            if not begun[number] and (again or number in undecided):
                ended[number] = index
            begun[number] = True

        for index, event in enumerate(events):
            number = event.number
            parent = positions[number].parent
            if parent is None:
                continue
            if event.kind == "result":
                above, same = positions[parent].parent, self._same[number]
                if above is not None:
                    begin(above, index)
                if same != number and positions[same].parent == parent:
                    begin(parent, index, again=True)
            elif event.kind == "cutoff" or valued[number]:
                begin(parent, index, again=event.kind == "utility")
            elif event.kind == "utility" and not begun[parent]:
                valued[number] = True
                if not self._over(number):
                    undecided.add(parent)
        return bytearray(
            event.kind == "utility"
            and index < ended[positions[event.number].parent or 0]
            and self._over(event.number)
            for index, event in enumerate(events)
        )

    def _take(self, event: Event) -> None:
        number = self._same[event.number]
        if event.kind == "result":
            self._generate(event.number)
            return
        if event.kind == "initial":
            return
        if event.kind == "cutoff":
            self._search(number)
            if event.answer:
                self._stopped.add(number)
        elif number in self._stopped or self._over(number):
            self._search(number)
            self._evaluated[number] = True  # elsewhere utility and h say nothing of its value

    def _over(self, number: int) -> bool:
        return self.served.game.is_terminal(self.served.positions[number].state)

    def _generate(self, number: int) -> None:
        position = self.served.positions[number]
        assert position.parent is not None
        self._search(self._same[position.parent])
        if self._same[number] != number:
            return
        if position.state in self._states:
            self._known[number] = True
            if not self._asked[number]:
                self._search(number, certain=False)
        elif position.depth > self.horizon:
            self._stopped.add(number)
            self._search(number)

    def _search(self, number: int, certain: bool = True) -> None:
        """Note that a node is searched; what is not certain to be searched is not blamed."""
        if self._searched[number]:
            return
        self._searched[number] = True
        if certain:
            self.order.append(number)
        path = [self._same[n] for n in self.served.path(number)]
        if path[0] == 0:  # from game.initial anything may be looked at
            self._states.add(self.served.positions[number].state)
        if len(path) > 1:
            self._enter(path[-2], number)
        closed = self._closed(path)
        if certain and closed is not None and not self._blamed[closed.at]:
            self._blamed[closed.at] = True
            self.missed.append(closed)

    def _side(self, number: int) -> str:
        return kind_of(self.served.positions[number].state, self.player)

    def _enter(self, parent: int, child: int) -> None:
        """Another child of `parent` is searched: the one before it is finished."""
        before = self._current[parent]
        self._current[parent] = child
        if before:
            positions = self.served.positions
            actions = self.served.game.actions(positions[parent].state)
            if actions.index(positions[child].move) < actions.index(positions[before].move):
                self.late.append((child, before))
            self._finish(before)
            self._improve(parent, before)

    def _improve(self, parent: int, child: int) -> None:
        """The value of a finished child counts for its parent."""
        value = self.values(self.served.positions[child].state)
        best = self._best.get(parent, value)
        self._best[parent] = (max if self._side(parent) == "max" else min)(best, value)

    def _finish(self, number: int) -> None:
        """Note whether a position was left too early, after those that were left with it."""
        last = self._current[number]
        if last:
            self._finish(last)
            self._improve(number, last)
        actions = self.served.game.actions(self.served.positions[number].state)
        tried = self.tried(number)
        for child in tried:
            if not self._searched[child]:
                self._improve(number, child)
        if (
            len(tried) < len(actions)
            and not self._evaluated[number]
            and number not in self._stopped
        ):
            path = [self._same[n] for n in self.served.path(number)]
            if not any(self._known[n] for n in path) and self._closed([*path, number]) is None:
                self.skipped.append(number)

    def tried(self, number: int) -> list[int]:
        """Return the children of a node whose values the search knows, in the order of actions."""
        actions = self.served.game.actions(self.served.positions[number].state)
        made = [self.made(number, move) for move in actions]
        return [n for n in made if n is not None and (self._searched[n] or self._valued[n])]

    def made(self, number: int, move: Move) -> int | None:
        """Return the child of a node after a move, None if it was not generated."""
        return self._first.get((number, move))

    def state(self, number: int) -> State:
        return self.served.positions[number].state

    def searched_twice(self, number: int) -> bool:
        """Was something asked below two copies of a node, or about their values?"""
        return bool(self._below[number] and self._below[self._same[number]])

    def best(self, number: int) -> float | None:
        """The best true value among those moves' ends, None if there is none."""
        return self._best.get(number)

    def shown_value(self, number: int) -> float:
        """What the positions searched below one show of its value: a bound, if some were pruned."""
        below = self.tried(number)
        if not below:
            return self.values(self.served.positions[number].state)
        return (max if self._side(number) == "max" else min)(map(self.shown_value, below))

    def _closed(self, path: list[int]) -> MissedCut | None:
        """Return where, nearest to the root, a cut-off was due above the end of `path`."""
        alpha, beta = self.window
        highest = lowest = None  # the positions that alpha and beta come from
        for i, number in enumerate(path[:-1]):
            best = self._best.get(number)
            if best is None:
                continue
            side = self._side(number)
            above = self._best.get(path[i - 1]) if i else beta if side == "max" else alpha
            if side == "max":
                source, deep = lowest, above is None or best < above
                if best > alpha:
                    alpha, highest = best, number
            else:
                source, deep = highest, above is None or best > above
                if best < beta:
                    beta, lowest = best, number
            if alpha >= beta:
                return MissedCut(number, path[-1], side, deep, alpha == beta, alpha, beta, source)
        return None


def true_values(case: SearchCase) -> Values:
    """The values of the case's positions for MAX, as the case gives them.

    An inner node that no search should come to, below one that is cut off, counts as that one.
    """
    game, player = case.make_game(), case.max_player
    to_move = case.make_state().to_move

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        key = state.key
        while key and key not in case.values:
            key = key[:-1]
        worth = case.values.get(key, 0)
        return worth if player == to_move else -worth

    return value


def answered_values(served: Record) -> Values:
    """The values that the search was given, whichever side and wherever it asked.

    A position is worth what follows from those searched below it, else what was answered there.
    """
    player = served.positions[0].state.to_move
    worth: dict[State, float] = {}
    below: dict[State, list[float]] = {}
    for event in served.events:
        if event.kind in ("utility", "h"):
            worth[served.positions[event.number].state] = event.answer
    for position in reversed(served.positions):
        state = position.state
        if state in below:
            worth[state] = (max if state.to_move == player else min)(below[state])
        if state in worth and position.parent is not None:
            above = served.positions[position.parent].state
            below.setdefault(above, []).append(worth[state])
    return lambda state: worth.get(state, 0)


def replayed(case: SearchCase, search: Search, values: Values | None = None, **more: Any) -> Replay:
    """Replay the search of a case's position, from the window that it was called with."""
    values = values or true_values(case)
    return Replay(search.served, values, case.player, (case.alpha, case.beta), **more)


def expect_whole_search(case: SearchCase, search: Search, **more: Any) -> None:
    """Values were asked for and moves compared: none was left out without need.

    More may be searched than pruning allows; and a search that was given other values, because it
    asked from another side or in other places, may prune by those: other tests judge that.
    """
    expect_some_search(search)
    if asked_everything(search.served):
        return
    answered = answered_values(search.served)
    prunes = question_of(case.number).name in PRUNING
    replays = replayed(case, search, **more), replayed(case, search, answered, **more)
    expect_enough(search, *replays, prunes=prunes)


def expect_value_and_move(case: SearchCase, search: Search) -> None:
    """Value and move are right; if not, a node that was left too early is shown as the cause."""
    try:
        expect_value(case, search)
        expect_move(case, search)
    except Failed as failed:
        replay = replayed(case, search)
        if replay.skipped:
            raise Failed(with_cause(failed.finding, replay, search.served)) from None
        raise


def with_cause(finding: Finding, replay: Replay, served: GameServer) -> Finding:
    """Return a finding about an answer with the node that was left too early, as its cause."""
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
    return replace(finding.with_hints(*hints), code=code, diagrams=(drawn,))


def expect_move(case: SearchCase, search: Search) -> None:
    """The move is a best one; if not, a pruned move of equal value is shown as the cause."""
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
    """Was every move made and the utility of every end asked for, in whatever order?"""
    return next(left_out(served), None) is None


def left_out(served: Record) -> Iterator[tuple[State, list[Move]]]:
    """Yield the positions that were left too early, in the order in which they were generated.

    Each comes with the moves that were not made there; an end whose utility was not asked for has
    none. Where the game begins may be looked at, though the search does not begin there.
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
    """No move was left out without need, if one of the replays is right about the values.

    prunes: a node may be left when v has reached its bound

    A search that asks too little shows nothing of pruning, nor of anything else.
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
    """Return a child of the first node that was left: one that was generated, where the game is
    over and the utility was not asked for. None where all children were generated at once."""
    number = replay.skipped[0]
    served, tried = replay.served, replay.tried(number)
    made = [replay.made(number, move) for move in served.game.actions(replay.state(number))]
    missing = [child for child in made if child not in tried]
    ends = [n for n in missing if n is not None and served.game.is_terminal(replay.state(n))]
    at_once = None not in made and len(ends) < len(missing)  # then another move was left, too
    return ends[0] if ends and not at_once else None


def how_it_was_left(replay: Replay, served: GameServer) -> tuple[Hint, list[Hint]]:
    """Say where the search left a node too early, and why pruning was not due there."""
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
    """Are values seen from the player to move, as in negamax, by what came back at min nodes?"""
    signs = set[bool]()
    for number, found in served.call_args.items():
        back, worth = found.get("returned", 0.0), replay.values(replay.state(number))
        is_min = kind_of(replay.state(number), replay.player) == "min"
        if is_min and worth and same(abs(back), abs(worth)):
            signs.add(same(back, -worth))
    return signs == {True}


MOST_WORTHS = 4  # values of moves in one sentence
PRUNING_RULE = {"max": (">=", "beta"), "min": ("<=", "alpha")}  # how v compares with which bound


def left_early(replay: Replay) -> Callable[[Node, State], None]:
    """Mark the nodes that were left too early."""
    states = [replay.served.positions[number].state for number in replay.skipped]

    def decorate(node: Node, state: State) -> None:
        if state in states:
            node.mark = "left too early"

    return decorate
