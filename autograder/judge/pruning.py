"""Pruning: the record of a search is replayed in its own order, with the true values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import Any

from autograder.cases import CASES, read_json
from autograder.draw import Board, Node, name_of, show
from autograder.judge.pictures import marking, searched_order, searched_tree
from autograder.judge.values import expect_best_move, expect_value
from autograder.referee import Served, make_state
from autograder.student import Case, Search, Wrong
from starter.games import State, TicTacToe

Values = Callable[[State], float]  # the true value of a position for the player at the root


@dataclass(frozen=True)
class Vain:
    """A position that was searched although a cut-off was due above it.

    at:    the position where the cut-off was due, `asked` the one that was searched in vain
    side:  "max" or "min": which kind of node `at` is
    deep:  the bound came from further up than the parent of `at`
    equal: alpha and beta had just met; otherwise they had crossed
    source: the position above `at` that the bound came from
    """

    at: int
    asked: int
    side: str
    deep: bool
    equal: bool
    alpha: float
    beta: float
    source: int


class Replay:
    """Goes through the record of a search, in the student's own order, with the true values.

    A position is searched when cutoff is asked there, when its utility or h is and may be (the game
    is over, or cutoff has said stop), or when a position below it is generated. A child is finished
    when another child of the same parent is searched after it. At any moment alpha is the largest
    value among the finished children of the max nodes above, beta the smallest among those of the
    min nodes above; once alpha >= beta, whatever is asked for is in vain. (True values serve as
    well as the bounds that a search returns: both close a window or neither does.) The other way
    round, a position may be left with moves untried only once a cut-off is due there: what was
    skipped otherwise could have changed the value.
    """

    def __init__(self, served: Served, values: Values) -> None:
        self.served, self.values = served, values
        self.root_player = served.positions[0].state.to_move
        self.twice: list[int] = []  # positions generated again
        self.late: list[int] = []  # positions searched after a later sibling
        self.searched = 0  # positions searched while no cut-off by equality was due
        self.vain: list[Vain] = []  # the first for each position where a cut-off was due
        self.skipped: list[int] = []  # positions left with moves untried, and no cut-off due
        self.order: list[int] = []  # positions as they were searched
        self._first: dict[Any, int] = {}  # (parent, move) to the first position generated so
        self._same = [0]  # by position: the first one generated in the same way
        self._current: dict[int, int] = {}  # by position: its child searched last
        self._best: dict[int, float] = {}  # by position: the best among its finished children
        self._searched: set[int] = set()
        self._evaluated: set[int] = set()
        self._blamed: set[int] = set()
        stopped: set[int] = set()
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
                stopped |= {number} if event.answer else set()
            elif number in stopped or served.game.is_terminal(served.positions[number].state):
                self._search(number)
                self._evaluated.add(number)  # elsewhere utility and h say nothing of its value
        self._finish(0)
        self.unused = [n for n in self._first.values() if n not in self._searched]

    def _generate(self, number: int) -> None:
        position = self.served.positions[number]
        assert position.parent is not None
        parent = self._same[position.parent]
        first = self._first.setdefault((parent, position.move), number)
        self._same.append(first)
        self._search(parent)
        if first != number:
            self.twice.append(number)

    def _search(self, number: int) -> None:
        if number in self._searched:
            return
        self._searched.add(number)
        self.order.append(number)
        path = [self._same[n] for n in self.served.path(number)]
        if len(path) > 1:
            self._enter(path[-2], number)
        closed = self._closed(path)
        if closed is None or not closed.equal:
            self.searched += 1
        if closed is not None and closed.at not in self._blamed:
            self._blamed.add(closed.at)
            self.vain.append(closed)

    def _side(self, number: int) -> str:
        to_move = self.served.positions[number].state.to_move
        return "max" if to_move == self.root_player else "min"

    def _enter(self, parent: int, child: int) -> None:
        """Another child of `parent` is searched: the one before it is finished."""
        before = self._current.get(parent)
        self._current[parent] = child
        if before is not None:
            positions = self.served.positions
            actions = self.served.game.actions(positions[parent].state)
            if actions.index(positions[child].move) < actions.index(positions[before].move):
                self.late.append(child)
            self._finish(before)
            self._improve(parent, before)

    def _improve(self, parent: int, child: int) -> None:
        """The value of a finished child counts for its parent."""
        value = self.values(self.served.positions[child].state)
        best = self._best.get(parent, value)
        self._best[parent] = (max if self._side(parent) == "max" else min)(best, value)

    def _finish(self, number: int) -> None:
        """Note whether a position was left too early, after those that were left with it."""
        last = self._current.get(number)
        if last is not None:
            self._finish(last)
            self._improve(number, last)
        actions = self.served.game.actions(self.served.positions[number].state)
        tried = all(self._first.get((number, move)) in self._searched for move in actions)
        if not tried and number not in self._evaluated:
            path = [self._same[n] for n in self.served.path(number)]
            if self._closed([*path, number]) is None:
                self.skipped.append(number)

    def _closed(self, path: list[int]) -> Vain | None:
        """Return where, nearest to the root, a cut-off was due above the end of `path`."""
        alpha, beta = -inf, inf
        highest = lowest = 0  # the positions that alpha and beta come from
        for i, number in enumerate(path[:-1]):
            best = self._best.get(number)
            if best is None:
                continue
            above = self._best.get(path[i - 1]) if i else None
            side = self._side(number)
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


def tree_values(case: Case) -> Values:
    """The true values of an explicit tree for the player at its root.

    An inner node that no search should come to, below one that is cut off, counts as that one.
    """
    game = case.make_game()
    player = make_state(game, case.data.get("state")).to_move

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        path = "".join(state.path)
        while path not in case.values:
            path = path[:-1]
        return case.values[path]

    return value


def expect_cutoffs(
    case: Case,
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
    replay = Replay(search.served, tree_values(case))
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
        raise in_vain(search, replay, guilty[0])
    expect_enough(search, replay)


def expect_enough(search: Search, replay: Replay) -> None:
    """No move was left out without need: a search that asks too little shows nothing of pruning."""
    if replay.skipped:
        state = search.served.positions[replay.skipped[0]].state
        raise Wrong(
            f"the search left {name_of(state)} too early",
            expected=UNTIL_DUE,
            got=f"moves left out at {name_of(state)} although none was due there",
            pictures=[searched_tree(search.served, decorate=left_early(replay))],
        )


UNTIL_DUE = "every move is tried until a cut-off is due: v >= beta or v <= alpha"


def left_early(replay: Replay) -> Callable[[Node, State], None]:
    """Mark the nodes that were left too early."""
    states = [replay.served.positions[number].state for number in replay.skipped]

    def decorate(node: Node, state: State) -> None:
        if state in states:
            node.mark = "left too early"

    return decorate


def expect_value_and_move(case: Case, search: Search) -> None:
    """Value and move are right; if not, a node that was left too early is shown as the cause."""
    try:
        expect_value(case, search)
        expect_best_move(case, search)
    except Wrong as wrong:
        replay = Replay(search.served, tree_values(case))
        if replay.skipped:
            name = name_of(search.served.positions[replay.skipped[0]].state)
            wrong.where.append(f"the search left {name} too early: {UNTIL_DUE}")
            wrong.pictures = [searched_tree(search.served, decorate=left_early(replay))]
        raise


def in_vain(search: Search, replay: Replay, vain: Vain) -> Wrong:
    """Show the first position that was searched although a cut-off was due."""
    served = search.served
    order = searched_order(served)

    def name(number: int) -> str:
        state = served.positions[number].state
        return f"{name_of(state)} (#{order[state]})"

    v, bound = (vain.alpha, vain.beta) if vain.side == "max" else (vain.beta, vain.alpha)
    rule, which = (">=", "beta") if vain.side == "max" else ("<=", "alpha")
    where = f"{which} = {show(bound)} is the best value so far at {name(vain.source)}"
    if vain.deep:
        where += "; every call on the way down hands on both alpha and beta"
    return Wrong(
        f"position {name(vain.asked)} was searched although a cut-off was due at the {vain.side} "
        f"node {name(vain.at)}",
        expected=f"{which} should be {show(bound)} at {name_of(served.positions[vain.at].state)}, "
        f"and v = {show(v)} {rule} {which}: it returns"
        + (", for equality is enough" if vain.equal else ""),
        got=f"{name_of(served.positions[vain.asked].state)} was still asked for",
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


def expect_nothing_needless(case: Case, search: Search) -> None:
    """Moves were tried in their order; nothing was generated twice, or without being searched."""
    replay = Replay(search.served, tree_values(case))
    for numbers, done, rule in (
        (
            replay.twice,
            "generated twice",
            "game.result(state, move) once for each move that is tried",
        ),
        (
            replay.unused,
            "generated but never searched",
            "a position is generated only when it is about to be searched",
        ),
        (
            replay.late,
            "searched after a later sibling",
            "moves tried in the order of game.actions(state)",
        ),
    ):
        if numbers:
            state = search.served.positions[numbers[0]].state
            raise needless(search, state, done, rule, len(numbers))
    plain = [v for v in replay.vain if not v.equal and not v.deep]
    if len({v.side for v in plain}) == 2:
        raise in_vain(search, replay, plain[0])
    expect_enough(search, replay)


def needless(search: Search, first: State, done: str, rule: str, count: int) -> Wrong:
    return Wrong(
        f"position {name_of(first)} was {done}",
        expected=rule,
        got=f"{count} position{'s' * (count > 1)} {done}, {name_of(first)} first",
        pictures=[searched_tree(search.served, decorate=marking(first, done))],
    )


# Far fewer positions than any search needs to see that tic-tac-toe is a draw, though it keep all it
# has seen and know a mirrored board again.
TOO_FEW = 30


def expect_few_positions(search: Search, values: Values, most: int) -> None:
    """At most so many positions were generated, the root included; and not next to none.

    Those searched only because equality did not cut are not counted: another test judges that.
    """
    replay = Replay(search.served, values)
    count = replay.searched + len(replay.unused)
    if count < TOO_FEW:
        raise Wrong(
            "the game was not searched",
            expected="the positions that alpha-beta needs, asked for by game.result(state, move)",
            got=f"{count} positions",
            pictures=[Board(search.served.positions[0].state)],
        )
    if count > most:
        raise Wrong(
            "more positions were generated than alpha-beta needs with the moves in their order",
            expected=f"at most {most:,} positions",
            got=f"{count:,} positions",
            where=[
                "tests 2.3 to 2.7 look for missing cut-offs on small trees: "
                "if one fails, see it first"
            ],
            pictures=[Board(search.served.positions[0].state)],
        )


def expect_true_bound(case: Case, search: Search) -> None:
    """Inside the window value and move are right; outside, the value is a true bound for it."""
    true, value = case.value, search.value
    alpha, beta = case.alpha, case.beta
    if alpha < true < beta:
        right = value == true
        expected = f"{show(true)}, the value of the position, for it lies inside the window"
    elif true <= alpha:
        right = true <= value <= alpha
        expected = f"at most alpha, {show(alpha)}, and no less than the value, {show(true)}"
    else:
        right = beta <= value <= true
        expected = f"at least beta, {show(beta)}, and no more than the value, {show(true)}"
    if not right:
        raise Wrong(
            f"{case.function.split('.')[1]} with alpha = {show(alpha)}, beta = {show(beta)} "
            "returned a value that is not true",
            expected=expected,
            got=show(value),
            pictures=[searched_tree(search.served, case.player)],
        )
    if alpha < true < beta:
        expect_best_move(case, search)


@cache
def perfect_play() -> dict[str, tuple[int, list[int]]]:
    """Return for each undecided tic-tac-toe position, by rows, X's value and the best moves.

    Raises GraderFault if the table is missing or damaged.
    """
    return read_json(CASES / "tic_tac_toe.json")


def tic_tac_toe_values(player: str) -> Values:
    """The true values of all tic-tac-toe positions for `player`."""
    table = perfect_play()
    game = TicTacToe()

    def value(state: State) -> float:
        if game.is_terminal(state):
            return game.utility(state, player)
        x_value = table["/".join(state.rows)][0]
        return x_value if player == "X" else -x_value

    return value
