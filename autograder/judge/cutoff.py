"""Cutoff and heuristic: what a depth-limited search asks, where, and with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from random import Random

from autograder.cases import (
    CutoffCase,
    LooksCase,
    MatchCase,
    PairCase,
    PositionsCase,
    SearchCase,
)
from autograder.draw import Board, Node, Picture, name_of, show, side_of
from autograder.inside.protocol import STATE, make_state
from autograder.judge.matches import mover, opening, outcome, play
from autograder.judge.pictures import called, kind_of, said_by, searched_order, searched_tree
from autograder.judge.replay import expect_whole_search
from autograder.judge.values import (
    TOLERANCE,
    expect_best_move,
    expect_true_everywhere,
    expect_value,
    same,
)
from autograder.record import Event
from autograder.referee import Served
from autograder.student import Search, Student
from autograder.wrong import Wrong
from starter.games import State, other


def asked_tree(served: Served, marks: dict[State, str]) -> Picture:
    """Draw what was searched, with marks on some nodes."""

    def decorate(node: Node, state: State) -> None:
        node.mark = marks.get(state, "")

    return searched_tree(served, decorate=decorate)


def never_asked(served: Served) -> Wrong:
    return Wrong(
        "cutoff/never-asked",
        "cutoff was never asked",
        expected="cutoff(game, state, depth) at every position that is not terminal",
        got="no call",
        pictures=[asked_tree(served, {})],
    )


def expect_depths(case: CutoffCase, search: Search) -> None:
    """Each depth passed to cutoff is the number of moves from the root."""
    served = search.served
    asked = [event for event in served.events if event.kind == "cutoff"]
    if not asked:
        raise never_asked(served)
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
            f"cutoff was asked {len(at)} times about {name_of(first.state)}, with depth "
            f"{', then '.join(map(said_by, at[:4]))}: is it asked about the position that is "
            "searched, or about another one?"
        )
        raise Wrong(
            "cutoff/wrong-depth",
            f"the depth passed to cutoff at {name_of(first.state)} is not right",
            expected=f"depth {first.depth}: the root has depth 0, its children 1, and so on",
            got=f"depth {said_by(said)}",
            where=[
                *([again] if len(set(map(said_by, at))) > 1 else []),
                *after_a_cut(served, asked),
                "(this test's cutoff says stop at places of its own choice, not at a depth)",
            ],
            pictures=[asked_tree(served, {p.state: f"its depth is {p.depth}" for p in wrong})],
        )
    cut_asked = {served.positions[event.number].state for event in asked}
    h_asked = {served.positions[e.number].state for e in served.events if e.kind == "h"}
    for state in searched_order(served):
        if state not in cut_asked and not served.game.is_terminal(state):
            done = "h was asked there" if state in h_asked else f"{name_of(state)} was searched"
            raise Wrong(
                "cutoff/not-asked",
                f"cutoff was not asked at {name_of(state)}",
                expected="cutoff(game, state, depth) at every position that is not terminal",
                got=f"{done} without",
                where=h_where_it_goes_on(served),
                pictures=[asked_tree(served, {state: "cutoff not asked"})],
                node=kind_at(served, state),
            )
    expect_searched(case, search)


def after_a_cut(served: Served, asked: list[Event]) -> list[str]:
    """Say if the first wrong depth comes right after a cut-off."""
    positions = served.positions
    right = [event.said == positions[event.number].depth for event in asked]
    first = right.index(False)
    before, now = (served.path(event.number) for event in (asked[max(0, first - 1)], asked[first]))
    made = Counter(position.parent for position in positions)
    for number in before:
        moves = len(served.game.actions(positions[number].state))
        if number not in now and 0 < made[number] < moves:
            return [
                f"up to then all depths were right; just before, {called(served, number)} was left "
                "by a cut-off: is the depth a variable that is not set back there?"
            ]
    return []


def expect_terminal_first(case: CutoffCase, search: Search) -> None:
    """Neither cutoff nor h was asked at a terminal position."""
    served = search.served
    for event in served.events:
        state = served.positions[event.number].state
        if event.kind in ("cutoff", "h") and served.game.is_terminal(state):
            raise Wrong(
                f"terminal/{event.kind}",
                f"{event.kind} was asked at {name_of(state)}, where the game is over",
                expected="the terminal test comes first: there the utility is the value",
                got=f"{event.kind} asked there",
                pictures=[asked_tree(served, {state: f"the game is over, {event.kind} asked"})],
            )
    expect_searched(case, search)


def expect_frontier(case: CutoffCase, search: Search) -> None:
    """h was asked where cutoff said stop, nowhere else, and nothing was searched below."""
    if not any(event.kind == "cutoff" for event in search.served.events):
        raise never_asked(search.served)
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


def h_where_it_goes_on(served: Served) -> list[str]:
    """Say if h was also asked at positions that cutoff did not stop at."""
    going_on = {e.number for e in served.events if e.kind == "cutoff" and not e.answer}
    count = len(going_on & {e.number for e in served.events if e.kind == "h"})
    many = f"{count} position{'s' * (count > 1)}"
    return [f"h was also asked at {many} where cutoff said go on"] if count else []


def kind_at(served: Served, state: State) -> str:
    """Name the kind of node that a position of this search is."""
    return kind_of(state, side_of(served.positions[0].state))


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
            said = "said go on" if event.number in going_on else "was not asked"
            yield Wrong(
                "h/no-stop",
                f"h was asked at {name}, where cutoff {said}",
                expected="h(state, player) exactly where cutoff(game, state, depth) is true",
                got=f"h asked at {name}",
                pictures=[asked_tree(served, {state: f"h asked, but cutoff {said}"})],
                node=kind_at(served, state) if event.number else "",
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
            f"h was not asked at {name}, where cutoff said stop",
            expected="h(state, player) exactly where cutoff(game, state, depth) is true",
            got=f"no h at {name}",
            pictures=[asked_tree(served, {state: "h not asked"})],
            node=kind_at(served, state),
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
                f"h was asked from the wrong side at {name_of(state)}",
                expected=f"h(state, {player!r}): {player} is to move at the root, MAX all the time",
                got=" and ".join(f"h(state, {side!r})" for side in dict.fromkeys(sides)),
                where=[NEGATED] if event.said == state.to_move else [],
                pictures=[asked_tree(served, {state: f"h asked for {said_by(event.said)}"})],
                node=kind_at(served, state),
            )


NEGATED = "if your search counts from who is to move, as negamax does: there it is -h of the other"


def expect_root_side(case: CutoffCase, search: Search) -> None:
    """h was asked for the player to move at the root."""
    served = search.served
    for fault in side_faults(served):
        raise fault
    if not any(event.kind == "h" for event in served.events):
        raise Wrong(
            "h/never-asked",
            "h was never asked",
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
        wrong.where.append(
            f"your search came to depth {deepest} and no deeper; with cutoff_depth(6) it comes to "
            "depth 7, and stops there with h = 0"
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
    children = served.children()
    asked = {e.number for e in served.events if e.kind in ("utility", "h")} | children.keys()
    first: dict[State, int] = {}
    again: list[tuple[int, int]] = []
    for number, position in enumerate(served.positions):
        before = first.setdefault(position.state, number)
        if before != number and number not in asked and position.parent is not None:
            again.append((number, before))
    if not again:
        return []
    left = next((pair for pair in again if left_out_of_its_parent(served, children, *pair)), None)
    depths = [(served.positions[n].depth, served.positions[b].depth) for n, b in again]
    other = next((i for i, (now, before) in enumerate(depths) if now != before), None)
    number, before = left or again[other or 0]
    board = served.positions[0].state.picture()["kind"] == "board"
    what = "the board" if board else "the position"
    same = f"after {called(served, number)} {what} is the same as after {called(served, before)}"
    if left:
        return [f"{same}, and the move was left out: every move counts, wherever it leads"]
    if other is not None:
        now, then = depths[other]
        return [
            f"{same}, but at depth {now}, not {then}, and it was not searched again: a value is "
            "worth no more than its search was deep"
        ]
    return [
        f"{same}, and it was not searched again: what was found with another alpha and beta may be "
        "a mere bound"
    ]


def left_out_of_its_parent(
    served: Served, children: dict[int, list[int]], number: int, before: int
) -> bool:
    """Did the node above a position return what its other moves are worth, and not this one?

    before: the position that it equals, which was searched
    """
    parent = served.positions[number].parent
    assert parent is not None
    kept, returned = served.returned(before), served.returned(parent)
    if kept is None or returned is None:
        return False
    state = served.positions[parent].state
    pick = max if kind_of(state, side_of(served.positions[0].state)) == "MAX" else min
    below = children[parent]
    others = [found for n in below if n != number and (found := served.returned(n)) is not None]
    known = bool(others) and len(others) == len(below) - 1
    return known and returned == pick(others) != pick([*others, kept])


SEARCH, HEURISTIC = "cutoff.h_alphabeta_search", "cutoff.connect_four_heuristic"


LESS_DEEP = {"cutoff": {"cutoff": 0}, "h": {"h": "zero"}}
OWN_H = {"cutoff": {"cutoff": 0}, "h": {"h": "own"}}


def expect_wins_found(student: Student, case: PositionsCase) -> None:
    """Value and move are right on each position, also after it was searched less deep.

    That search is another one, with its own cutoff and h: nothing it found may stay.
    """
    states = [state for state, _, _ in case.positions]
    before = student.search(SEARCH, case.game, states, **LESS_DEEP)
    deep = {"cutoff": {"cutoff": case.depth}, "h": {"h": "own"}}
    try:
        expect_true_everywhere(student, SEARCH, case, **deep)
    except Wrong as wrong:
        if isinstance(wrong.case, PositionsCase):  # one position, with a wrong value or move
            ((state, value, _),) = wrong.case.positions
            found = before[states.index(state)]
            again = wrong.got == show(found.move if wrong.code == "wrong-move" else found.value)
            if again and not same(one_move_deep(case, state), value):
                wrong.alone = False  # tried by hand, it is not searched twice
                wrong.where = [
                    "that is what your search found here just before, with cutoff_depth(0) and "
                    "h = 0: is something kept from one search to the next, or the depth not used?"
                ]
            elif wrong.code == "wrong-value" and 0.9 < float(wrong.got) * value < 1:
                wrong.where = [
                    "the utility is the value as it is: is something taken off for the depth?"
                ]
        raise
    with_h = student.search(SEARCH, case.game, states, **OWN_H)
    student.end()  # the next question starts a new process
    anew = student.search(SEARCH, case.game, states, **OWN_H)
    for state, kept, true in zip(states, with_h, anew):
        if not same(kept.value, true.value):
            raise Wrong(
                "wrong-value/h-kept",
                "a search finds another value after a search with another h",
                expected=f"{show(true.value)}, as in a new process, with your heuristic",
                got=f"{show(kept.value)}, after h was 0 in a search before",
                where=[
                    "something is kept from one search to the next: what h has said, or something "
                    "in your heuristic"
                ],
                pictures=[drawn(case, state)],
            )


def one_move_deep(case: PositionsCase, rows: str) -> float:
    """What a right search finds with cutoff_depth(0) and h = 0: a game that ends at once."""
    game = case.make_game()
    state = make_state(game, rows)
    below = [game.result(state, move) for move in game.actions(state)]
    return max(game.utility(s, state.to_move) if game.is_terminal(s) else 0 for s in below)


def looks(
    student: Student, case: LooksCase | PairCase, positions: list[str], player: str
) -> list[float]:
    """Return the student's heuristic values of the positions for `player`."""
    calls = [(rows, STATE, player) for rows in positions]
    return student.numbers(HEURISTIC, case.game, calls)


def drawn(case: LooksCase | PairCase | PositionsCase, rows: str, caption: str = "") -> Board:
    return Board(make_state(case.make_game(), rows), caption)


def expect_inside(student: Student, case: LooksCase) -> None:
    """-1 < h < 1 on every position."""
    for player in ("X", "O"):
        values = looks(student, case, case.positions, player)
        outside = [value for value in values if not -1 < value < 1]
        for rows, value in zip(case.positions, values):
            if not -1 < value < 1:
                raise Wrong(
                    "heuristic/out-of-range",
                    "the heuristic reaches a win or a loss in an undecided position",
                    expected="strictly between -1 (a loss) and 1 (a win)",
                    got=f"h(state, {player!r}) = {show(value)}",
                    where=[
                        f"this happens in {len(outside)} of {len(values)} positions for {player}; "
                        f"there h is {few(outside)}, first in this one:",
                        *kept(student, case, rows, player, value),
                        *(exactly_one(student, values) if abs(value) == 1 else []),
                    ],
                    pictures=[drawn(case, rows)],
                )


def exactly_one(student: Student, values: list[float]) -> list[str]:
    """Say how a sum that is squeezed may reach 1."""
    if all(value == int(value) for value in values):
        return ["h is a whole number each time: is there // or int(...) where / is meant?"]
    if b"tanh" in student.submission.files["cutoff.py"]:
        return ["tanh of a large number is 1.0 exactly: divide before it"]
    return [
        "that is 1 exactly: is it a share, as (mine - theirs) / (mine + theirs), which is 1 where "
        "one side has nothing, or cut off there?"
    ]


def kept(
    student: Student, case: LooksCase | PairCase, rows: str, player: str, before: float
) -> list[str]:
    """Ask for a value again, and in a new process; if it is another one, say so."""
    for when in ("again", "first of all"):
        if when == "first of all":
            student.end()  # the next question starts a new process
        (now,) = looks(student, case, [rows], player)
        if not same(now, before):
            return [
                f"asked {when}, h(state, {player!r}) is {show(now)}: your code keeps something "
                "between calls, in a variable outside the functions or a default argument"
            ]
    return []


def few(values: list[float]) -> str:
    """Show which values there are: all of them, or the range."""
    different = sorted(set(values))
    if len(different) <= 3:
        return " or ".join(map(show, different))
    return f"from {show(different[0])} to {show(different[-1])}"


def expect_antisymmetric(student: Student, case: LooksCase) -> None:
    """h(s, X) = -h(s, O) on every position, and h is not the same everywhere."""
    for_x = looks(student, case, case.positions, "X")
    for_o = looks(student, case, case.positions, "O")
    slack = TOLERANCE * max(map(abs, for_x + for_o))
    both = list(zip(case.positions, for_x, for_o))
    wrong = [one for one in both if abs(one[1] + one[2]) > slack]
    if wrong:
        rows, x, o = max(wrong, key=lambda one: one[0].count("."))  # the fewest stones
        raise Wrong(
            "heuristic/not-antisymmetric",
            "the heuristic is not as bad for one side as it is good for the other",
            expected="h(state, 'X') = -h(state, 'O'): their sum is 0",
            got=f"h(state, 'X') = {show(x)}, h(state, 'O') = {show(o)}",
            where=[
                *(
                    kept(student, case, rows, "O", o)
                    or filter(None, [in_all(case, both, wrong, slack)])
                ),
                f"this happens in {len(wrong)} of {len(both)} positions; this one has the fewest "
                "stones:",
            ],
            pictures=[drawn(case, rows)],
        )
    if max(for_x) - min(for_x) <= slack:
        raise Wrong(
            "heuristic/constant",
            "the heuristic has the same value on every position",
            expected="larger values where the player stands better",
            got=f"{show(for_x[0])} each time",
        )


Looks = tuple[str, float, float]  # a position, and h of it for X and for O


def in_all(case: LooksCase, every: list[Looks], wrong: list[Looks], slack: float) -> str:
    """Say what is the same in all positions, or in those in which h(s, X) + h(s, O) is not 0."""
    game = case.make_game()
    _, for_x, for_o = zip(*every)
    for player, own in (("X", for_x), ("O", for_o)):
        if max(map(abs, own)) <= slack:
            return f"h(state, {player!r}) is 0 in all of the {len(every)} positions"
    pairs = [(x, o) for _, x, o in wrong]
    lowest, highest = min(for_x + for_o), max(for_x + for_o)
    sign = "never below 0" if lowest >= -slack else "never above 0" if highest <= slack else ""
    if all(abs(x - o) <= slack for x, o in pairs):
        if any(abs(x) > slack for _, x, _ in set(every).difference(wrong)):
            return "there h is the same for both players; elsewhere it is not"
        hint = "are the opponent's lines subtracted?" if sign else "is `player` used?"
        return "; ".join(filter(None, ["h is the same for both players", sign, hint]))
    turns = [make_state(game, rows).to_move == "X" for rows, _, _ in wrong]
    waiting = [o if turn else x for turn, (x, o) in zip(turns, pairs)]
    moving = [x if turn else o for turn, (x, o) in zip(turns, pairs)]
    for side, values in (("to move", moving), ("not to move", waiting)):
        if max(map(abs, values)) <= slack:
            return f"h is 0 for the side that is {side}"
    return f"h is {sign}" if sign else ""


def expect_better_looks(student: Student, case: PairCase) -> None:
    """The first of two positions looks better for `case.side` than the second."""
    asked = sorted([case.better, case.worse])  # in an order that gives no hint
    values = dict(zip(asked, looks(student, case, asked, case.side)))
    better, worse = values[case.better], values[case.worse]
    if not better > worse:
        raise Wrong(
            "heuristic/preference",
            f"the heuristic does not prefer {case.why}, seen from {case.side}",
            expected="more for the first board than for the second",
            got=f"h(state, {case.side!r}) is {show(better)} for the first, "
            f"{show(worse)} for the second",
            where=[
                difference(case),
                *kept(student, case, case.better, case.side, better),
                *(lone_stones if "centre" in case.why else side_by_side)(student, case),
                *mirrored(student, case),
            ],
            pictures=[
                drawn(case, case.better, f"the first, better for {case.side}:"),
                drawn(case, case.worse, "the second:"),
            ],
        )


def lone_stones(student: Student, case: PairCase) -> Iterator[str]:
    """Tell what a stone is worth in each column."""
    height, width = case.make_game().initial.shape
    above = "/".join(["." * width] * (height - 1))
    empty = "." * width
    alone = [f"{above}/{empty[:c]}X{empty[c + 1 :]}" for c in range(width)]
    beside = [f"{above}/X{empty[1:c]}O{empty[c + 1 :]}" for c in range(1, width)]
    for what, boards in (
        (f"a single X in columns 0 to {width - 1}", alone),
        (f"an X in column 0 and an O in columns 1 to {width - 1}", beside),
    ):
        values = looks(student, case, boards, case.side)
        yield f"h(state, {case.side!r}) of {what}: {', '.join(map(show, values))}"
        if boards == alone and not all(map(same, values, values[::-1])):
            yield "a board and its mirror image, left for right, should look the same"
        elif boards == alone and same(min(values), max(values)):
            yield "the column makes no difference: is the row counted in its place, or neither?"


def mirrored(student: Student, case: PairCase) -> Iterator[str]:
    """Say if the two positions' mirror images are judged rightly."""
    pair = (case.better, case.worse)
    images = ["/".join(row[::-1] for row in rows.split("/")) for rows in pair]
    better, worse = looks(student, case, images, case.side)
    if better > worse:
        edge = "do lines at one edge not count, or go on at the other?"
        diagonal = "are diagonals one way left out, or those at one edge?"
        question = diagonal if "diagonal" in case.why else edge
        yield f"of their mirror images, left for right, it does prefer the first: {question}"


def side_by_side(student: Student, case: PairCase) -> Iterator[str]:
    """Tell what more stones side by side are worth, if that is not more."""
    height, width = case.make_game().initial.shape
    mine, theirs, boards = case.side, other(case.side), list[str]()
    for count in range(1, 4):
        bottom = ["."] * width
        bottom[2 : 2 + count] = mine * count
        bottom[-1] = theirs
        bottom[0] = theirs if count > 1 else "."
        above = ["." * (width - 1) + (theirs if count > 2 else ".")]
        boards.append("/".join(["." * width] * (height - 2) + above + ["".join(bottom)]))
    values = looks(student, case, boards, mine)
    if values != sorted(set(values)):
        yield (
            f"with one, two and three {mine} side by side at the bottom h(state, {mine!r}) is "
            f"{', '.join(map(show, values))}: it should grow"
        )


def difference(case: PairCase) -> str:
    """Say in words in which squares, (row, column), the case's two positions differ."""
    boards = [case.better.split("/"), case.worse.split("/")]
    squares = [
        {(r, c): stone for r, row in enumerate(rows) for c, stone in enumerate(row)}
        for rows in boards
    ]
    told = []
    for here, there in (squares, squares[::-1]):
        new = [f"{here[s]} at {s}" for s in here if here[s] not in (".", there[s])]
        told.append(" and ".join(new) or "no stone of its own")
    return f"they differ in this only: the first has {told[0]}, the second {told[1]}"


def games_against_itself_without_h(
    student: Student, case: MatchCase, rng: Random
) -> Iterator[bool]:
    """Yield for each decided game from a random opening whether the side with the heuristic won.

    Opening and side are drawn anew for each game, so the games are independent of each other.
    """
    game = case.make_game()
    with_h, without = ({**case.options, "h": {"h": kind}} for kind in ("own", "zero"))
    draws = 0
    while True:
        side = rng.choice("XO")
        players = {
            side: mover(student, case.function, case.game, lambda: with_h),
            other(side): mover(student, case.function, case.game, lambda: without),
        }
        states = play(game, opening(game, rng, case.plies), players)
        utility = outcome(student, game, states, side)
        draws = 0 if utility else draws + 1
        if utility or draws == 4:  # a row of draws speaks against the heuristic
            draws = 0
            yield utility > 0
