"""Pruning: the record of a search is replayed in its own order, with the true values."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from autograder.cases import Cases, CountedCase, PositionsCase, SearchCase
from autograder.draw import Node, show
from autograder.judge.pictures import called, marking, searched_order, searched_tree
from autograder.judge.values import expect_best_move, expect_some_search, expect_value, same
from autograder.record import Record
from autograder.referee import Served
from autograder.student import Search, Student, TooSlow, Wrong
from starter.games import Move, State, TicTacToe

MOST_MOVES = 1 << 16  # of all that there are in one game
Values = Callable[[State], float]  # the true value of a position for the player at the root


@dataclass(frozen=True, slots=True)
class Vain:
    """A position that was searched although a cut-off was due above it.

    at:    the position where the cut-off was due, `asked` the one that was searched in vain
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

    A position is searched when cutoff is asked there, when its utility or h is and may be (the game
    is over, or cutoff has said stop), or when a position below it is generated. One that equals a
    position searched before (on a board) counts as searched as soon as it is generated, for its
    value may have been kept. A child is finished when another child of the same parent is searched
    after it. At any moment alpha is the largest value among the finished children of the max nodes
    above, beta the smallest among those of the min nodes above; once alpha >= beta, whatever is
    asked for is in vain. (True values serve as well as the bounds that a search returns: both close
    a window or neither does.) The other way round, a position may be left with moves untried only
    once a cut-off is due there: what was skipped otherwise could have changed the value.
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
        self.vain: list[Vain] = []  # the first for each position where a cut-off was due
        self.skipped: list[int] = []  # positions left with moves untried, and no cut-off due
        self.order = array("i")  # positions as they were searched
        # There may be 600,000 positions, so sets and tuples of them would take too much memory.
        self._first: dict[int, int] = {}  # by `_way`: the first position generated so
        self._same = array("i", [0])  # by position: the first one generated in the same way
        # By position: its child searched last; 0, which is nobody's child, for none.
        self._current = array("i", bytes(4 * len(served.positions)))
        self._best: dict[int, float] = {}  # by position: the best among its finished children
        self._searched = bytearray(len(served.positions))  # by position: was it?
        self._states: set[State] = set()  # of the positions that were searched
        self._known = bytearray(len(served.positions))  # by position: does it equal one before?
        self._stopped: set[int] = set()  # positions at which cutoff has said stop
        self._evaluated = bytearray(len(served.positions))
        self._blamed = bytearray(len(served.positions))
        for event in served.events:
            if event.kind == "result":
                self._generate(event.number)
                continue
            if event.kind == "initial":
                self._same.append(event.number)
                continue
            number = self._same[event.number]
            if event.kind == "cutoff":
                self._search(number)
                self._stopped |= {number} if event.answer else set()
            elif number in self._stopped or served.game.is_terminal(served.positions[number].state):
                self._search(number)
                self._evaluated[number] = True  # elsewhere utility and h say nothing of its value
        self._finish(0)
        self.unused = [n for n in self._first.values() if not self._searched[n]]

    def _way(self, parent: int, move: Move) -> int:
        """Return one number for a move from a position."""
        return parent * MOST_MOVES + self.served.positions.moves.number_of(move)

    def _generate(self, number: int) -> None:
        position = self.served.positions[number]
        assert position.parent is not None
        parent = self._same[position.parent]
        first = self._first.setdefault(self._way(parent, position.move), number)
        self._same.append(first)
        self._search(parent)
        if first != number:
            self.twice.append(number)
        elif position.state in self._states:
            self._known[number] = True
            self._search(number)
        elif position.depth > self.horizon:
            self._stopped.add(number)
            self._search(number)

    def _search(self, number: int) -> None:
        if self._searched[number]:
            return
        self._searched[number] = True
        self._states.add(self.served.positions[number].state)
        self.order.append(number)
        path = [self._same[n] for n in self.served.path(number)]
        if len(path) > 1:
            self._enter(path[-2], number)
        closed = self._closed(path)
        if closed is not None and not self._blamed[closed.at]:
            self._blamed[closed.at] = True
            self.vain.append(closed)

    def _side(self, number: int) -> str:
        to_move = self.served.positions[number].state.to_move
        return "max" if to_move == self.player else "min"

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
        made = [self._first.get(self._way(number, move)) for move in actions]
        tried = all(child is not None and self._searched[child] for child in made)
        if not tried and not self._evaluated[number] and number not in self._stopped:
            path = [self._same[n] for n in self.served.path(number)]
            if not any(self._known[n] for n in path) and self._closed([*path, number]) is None:
                self.skipped.append(number)

    def _closed(self, path: list[int]) -> Vain | None:
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
                return Vain(number, path[-1], side, deep, alpha == beta, alpha, beta, source)
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


def told_values(served: Served) -> Values:
    """The values as the search was told them, whichever side and wherever it asked.

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


def search_of(student: Student, case: SearchCase) -> Search | None:
    """Let alphabeta_search search the case's tree, or the function and window that the case names.

    From the widest window several mistakes look the same; called with another they differ. Whether
    a function can be called so is for another test to judge: None if it can't.
    """
    if not case.function:
        return student.serve("alphabeta.alphabeta_search", case)
    try:
        return student.serve(case.function, case, case.player, case.alpha, case.beta)
    except TooSlow:
        raise
    except Wrong:
        return None


def expect_cutoffs(
    case: SearchCase,
    search: Search,
    side: str | None = None,
    deep: bool = False,
    equal: bool = False,
) -> None:
    """No position was searched after a cut-off was due, of the kind this test is about.

    side:  only cut-offs at "max" or at "min" nodes, by the parent's bound
    deep:  only cut-offs by a bound from further up
    equal: only cut-offs where alpha and beta meet
    Where a side makes no plain cut-offs at all, the tests for those judge it, and this one judges
    the other side; if neither does, there is nothing to judge and this test fails too.
    """
    replay = replayed(case, search)
    plain = [v for v in replay.vain if not v.deep and not v.equal]
    if side is not None:
        guilty = [v for v in plain if v.side == side]
    else:
        never = {v.side for v in plain}
        guilty = [
            v
            for v in replay.vain
            if (v.deep if deep else True)
            and (v.equal if equal else not v.equal)
            and (v.side not in never or len(never) == 2)
        ]
        if len(never) == 2:
            guilty = guilty or plain
    if guilty:
        raise in_vain(case, search, replay, guilty[0])
    expect_enough(search, replay)


def expect_whole_search(case: SearchCase, search: Search, **more: Any) -> None:
    """Values were asked for and moves compared: none was left out without need.

    More may be searched than pruning allows; and a search that was told other values, because it
    asked from another side or in other places, may prune by those: other tests judge that.
    """
    expect_some_search(search)
    told = told_values(search.served)
    expect_enough(search, replayed(case, search, **more), replayed(case, search, told, **more))


def expect_enough(search: Search, *replays: Replay) -> None:
    """No move was left out without need, if one of the replays is right about the values.

    A search that asks too little shows nothing of pruning, nor of anything else.
    """
    if all(replay.skipped for replay in replays):
        name = called(search.served, replays[0].skipped[0])
        raise Wrong(
            "left-too-early",
            f"the search left {name} too early",
            expected=UNTIL_DUE,
            got=f"moves left out at {name} although none was due there",
            pictures=[searched_tree(search.served, decorate=left_early(replays[0]))],
        )


UNTIL_DUE = "every move is tried until a cut-off is due: v >= beta or v <= alpha"


def left_early(replay: Replay) -> Callable[[Node, State], None]:
    """Mark the nodes that were left too early."""
    states = [replay.served.positions[number].state for number in replay.skipped]

    def decorate(node: Node, state: State) -> None:
        if state in states:
            node.mark = "left too early"

    return decorate


def expect_value_and_move(case: SearchCase, search: Search) -> None:
    """Value and move are right; if not, a node that was left too early is shown as the cause."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
    except Wrong as wrong:
        replay = replayed(case, search)
        if replay.skipped:
            name = called(search.served, replay.skipped[0])
            wrong.where.append(f"the search left {name} too early: {UNTIL_DUE}")
            wrong.pictures = [searched_tree(search.served, decorate=left_early(replay))]
        raise


def in_vain(case: SearchCase, search: Search, replay: Replay, vain: Vain) -> Wrong:
    """Show the first position that was searched although a cut-off was due."""
    served = search.served
    order = searched_order(served)

    def name(number: int) -> str:
        return f"{called(served, number)} (#{order[served.positions[number].state]})"

    v, bound = (vain.alpha, vain.beta) if vain.side == "max" else (vain.beta, vain.alpha)
    rule, which = (">=", "beta") if vain.side == "max" else ("<=", "alpha")
    if vain.source is None:
        where = f"{which} = {show(bound)} is what {case.function.split('.')[1]} was called with"
    else:
        where = f"{which} = {show(bound)} is the best value so far at {name(vain.source)}"
    if vain.deep:
        begin = "" if vain.source is None else f"that is {which} there from then on, and "
        where += f": {begin}every call from there down to {name(vain.at)} hands {which} on"
    return Wrong(
        f"missed-cut/{vain.kind}",
        f"position {name(vain.asked)} was searched although a cut-off was due at the {vain.side} "
        f"node {name(vain.at)}",
        expected=f"{which} should be {show(bound)} at {called(served, vain.at)}, "
        f"and v = {show(v)} {rule} {which}: it returns"
        + (", for equality is enough" if vain.equal else ""),
        got=f"{called(served, vain.asked)} was still asked for",
        where=[where],
        pictures=[searched_tree(served, decorate=at_that_moment(replay, vain))],
    )


def at_that_moment(replay: Replay, vain: Vain) -> Callable[[Node, State], None]:
    """Write into each node what was known of it when the cut-off was due."""
    positions = replay.served.positions
    until = replay.order.index(vain.asked)
    seen = {positions[n].state: n for n in replay.order[:until]}
    path = set(replay.served.path(vain.asked))

    def decorate(node: Node, state: State) -> None:
        game, number = replay.served.game, seen.get(state)
        if state == positions[vain.asked].state:
            node.mark = "asked for in vain"
        if number is None or game.is_terminal(state):
            return
        children = [game.result(state, move) for move in game.actions(state)]
        finished = [c for c in children if c in seen and seen[c] not in path]
        if number == vain.at:
            v, bound = vain.alpha, f"beta should be {show(vain.beta)}"
            if vain.side == "min":
                v, bound = vain.beta, f"alpha should be {show(vain.alpha)}"
            node.texts += [f"v = {show(v)}", bound]
            node.mark = "a cut-off is due"
        elif finished:
            v = (max if node.kind == "max" else min)(map(replay.values, finished))
            bound = ">= " if node.kind == "max" else "<= "
            whole = len(finished) == len(children)
            node.texts.append(f"v {'= ' if whole else bound}{show(v)}")

    return decorate


def expect_nothing_needless(case: SearchCase, search: Search) -> None:
    """Moves were tried in their order; nothing was generated twice, or without being searched."""
    replay = replayed(case, search)
    expect_order(search, replay)
    plain = [v for v in replay.vain if not v.equal and not v.deep]
    if len({v.side for v in plain}) == 2:
        raise in_vain(case, search, replay, plain[0])
    expect_enough(search, replay)


def expect_order(search: Search, replay: Replay) -> None:
    """Each move that was tried was tried once, when its turn had come."""
    served = search.served
    if replay.twice:
        rule = "game.result(state, move) once for each move that is tried"
        raise needless("generated/twice", served, replay.twice, "generated twice", rule)
    if replay.unused:
        rule = "a position is generated only when it is about to be searched"
        done = "generated but never searched"
        raise needless("generated/not-searched", served, replay.unused, done, rule)
    if replay.late:
        rule = "moves tried in the order of game.actions(state)"
        late = [child for child, _ in replay.late]
        done = "searched after a later sibling"
        wrong = needless("moves-reordered", served, late, done, rule)
        child, before = (served.positions[number] for number in replay.late[0])
        parent = child.parent or 0
        actions = served.game.actions(served.positions[parent].state)
        wrong.where = [
            f"at {called(served, parent)} you tried {show(child.move)} after {show(before.move)}; "
            f"game.actions(state) is {actions}"
        ]
        raise wrong


def needless(code: str, served: Served, numbers: list[int], done: str, rule: str) -> Wrong:
    first = called(served, numbers[0])
    return Wrong(
        code,
        f"position {first} was {done}",
        expected=rule,
        got=f"{len(numbers)} position{'s' * (len(numbers) > 1)} {done}, {first} first",
        pictures=[
            searched_tree(served, decorate=marking(served.positions[numbers[0]].state, done))
        ],
    )


def expect_few_positions(case: CountedCase, search: Search, values: Values) -> None:
    """Value and move are right; those positions that are needed were generated, and no others."""
    expect_value(case, search)
    expect_best_move(case, search)
    count = len(search.served.positions)
    if count > case.most:
        raise Wrong(
            "too-many-positions",
            "more positions were generated than alpha-beta needs with the moves in their order",
            expected=f"{case.most:,} positions, the root included",
            got=f"{count:,} positions",
            where=["the handout's table for question 2 says which search generates how many"],
            pictures=[searched_tree(search.served)],
        )
    replay = replayed(case, search, values)
    if replay.vain:
        raise in_vain(case, search, replay, replay.vain[0])
    expect_order(search, replay)
    expect_enough(search, replay)


def expect_board_searched(student: Student, function: str, case: PositionsCase) -> None:
    """On `case.watched`, a tic-tac-toe position, what was asked for leaves no doubt of the value.

    So a table of answers is not enough. A win or a loss for certain may end the search.
    """
    assert case.watched
    state, value, best = case.watched
    single = SearchCase(game=case.game, state=state, value=value, best=best, alpha=-1, beta=1)
    search = student.serve(function, single)
    try:
        expect_some_search(search)
        values = tic_tac_toe_values(student.cases, single.max_player)
        expect_enough(search, replayed(single, search, values))
    except Wrong as wrong:
        wrong.case = replace(case, index=None, positions=[case.watched])
        raise


def expect_true_bound(case: SearchCase, search: Search) -> None:
    """Inside the window value and move are right; outside, the value is a true bound for it."""
    true, value = case.value, search.value
    alpha, beta = case.alpha, case.beta
    if alpha < true < beta:
        where, right = "inside", same(value, true)
        expected = f"{show(true)}, the value of the position, for it lies inside the window"
    elif true <= alpha:
        where, right = "below", between(true, value, alpha)
        expected = f"at most alpha, {show(alpha)}, and no less than the value, {show(true)}"
    else:
        where, right = "above", between(beta, value, true)
        expected = f"at least beta, {show(beta)}, and no more than the value, {show(true)}"
    if not right:
        raise Wrong(
            f"wrong-bound/{where}",
            f"{case.function.split('.')[1]} with alpha = {show(alpha)}, beta = {show(beta)} "
            "returned a value that is not true",
            expected=expected,
            got=show(value),
            pictures=[searched_tree(search.served, case.player)],
        )
    if alpha < true < beta:
        expect_best_move(case, search)


def between(low: float, value: float, high: float) -> bool:
    """Is low <= value <= high, but for rounding?"""
    return low <= value <= high or same(value, low) or same(value, high)


def tic_tac_toe_values(cases: Cases, player: str) -> Values:
    """The true values of all tic-tac-toe positions for `player`."""
    table = cases.perfect_play()
    game = TicTacToe()

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        x_value = table[state.key][0]
        return x_value if player == "X" else -x_value

    return value
