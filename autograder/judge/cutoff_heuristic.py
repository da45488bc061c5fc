"""Cutoff, the heuristic: what it says of positions, and what a search finds and wins with it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

from autograder.cases import Case, LooksCase, MatchCase, PairCase, PositionsCase
from autograder.draw import Board, show
from autograder.inside.protocol import STATE, make_state
from autograder.judge.matches import mover, opening, outcome, play
from autograder.judge.values import (
    TOLERANCE,
    expect_independent_searches,
    expect_true_everywhere,
    same,
)
from autograder.student import Student
from autograder.wrong import Wrong
from starter.games import other

SEARCH, HEURISTIC = "cutoff.h_alphabeta_search", "cutoff.connect_four_heuristic"
NO_H = {"cutoff": {"cutoff": 1}, "h": {"h": "zero"}}
OWN_H = {"cutoff": {"cutoff": 1}, "h": {"h": "own"}}


def expect_wins_found(student: Student, case: PositionsCase) -> None:
    """Value and move are right on each position, also after a search with another h."""
    states = [state for state, _, _ in case.positions]
    expect_independent_searches(
        student,
        lambda: student.search(SEARCH, case.game, states, **NO_H),
        lambda: student.search(SEARCH, case.game, states, **OWN_H),
        [Case(game=case.game, state=state) for state in states],
    )
    deep = {"cutoff": {"cutoff": case.depth}, "h": {"h": "own"}}
    try:
        expect_true_everywhere(student, SEARCH, case, **deep)
    except Wrong as wrong:
        if wrong.code == "wrong-value" and isinstance(wrong.case, PositionsCase):
            ((_, value, _),) = wrong.case.positions
            if 0.9 < float(wrong.got) * value < 1:
                wrong.where = [
                    "the utility is the value as it is: is something taken off for the depth?"
                ]
        raise


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
    # What is next to nothing beside the usual values may be the rounding of larger numbers.
    slack = 1e-12 * median([abs(value) for value in for_x + for_o if value] or [0])
    both = list(zip(case.positions, for_x, for_o))
    wrong = [
        (rows, x, o)
        for rows, x, o in both
        if abs(x + o) > max(slack, TOLERANCE * max(abs(x), abs(o)))
    ]
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
    expect_no_answer_kept(student, case, for_o)


def expect_no_answer_kept(student: Student, case: LooksCase, for_o: list[float]) -> None:
    """What h says for O is the same where nobody has asked for X before."""
    student.end()  # the next question starts a new process
    for rows, before, now in zip(case.positions, for_o, looks(student, case, case.positions, "O")):
        if abs(before - now) > TOLERANCE * max(abs(before), abs(now)):
            raise Wrong(
                "heuristic/kept",
                "the heuristic says something else for O where it was not asked for X before",
                expected=f"h(state, 'O') = {show(now)}, as in a new process",
                got=f"{show(before)}, after h(state, 'X')",
                where=[
                    "is an answer kept, in a variable outside the functions, for the other side?"
                ],
                pictures=[drawn(case, rows)],
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
                *(lone_stones(student, case) if "centre" in case.why else ()),
                *side_by_side(student, case),
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
