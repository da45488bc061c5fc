"""Check the heuristic: its values, and the search's moves and games with it."""

from collections.abc import Iterator
from functools import partial, reduce
from itertools import compress, product
from random import Random
from statistics import median

from autograder.checks.ask.finding import Hint, count_hint, make_failure
from autograder.checks.ask.student import Student, expect_independent_searches
from autograder.checks.ask.values import TOLERANCE, join_first, same
from autograder.checks.play.matches import draw_opening, make_mover, play, record_outcome
from autograder.checks.search.positions import expect_all_positions
from autograder.diagram import Board, format_value
from autograder.serving.case import Case
from autograder.serving.cases import HeuristicCase, MatchCase, PositionsCase, PreferenceCase
from autograder.worker.inside.protocol import STATE, make_state
from starter.games import ConnectFour, other

SEARCH, HEURISTIC = "cutoff.h_alphabeta_search", "cutoff.connect_four_heuristic"


def expect_wins_found(student: Student, case: PositionsCase) -> None:
    """Check value and move on each position, also after a search with another h."""
    states = [state for state, _, _ in case.positions]
    search = partial(student.search, SEARCH, case.game, states, cutoff={"cutoff": 1})
    expect_independent_searches(
        student,
        partial(search, h={"h": "zero"}),
        partial(search, h={"h": "own"}),
        [Case(game=case.game, state=state) for state in states],
    )
    depth = {"cutoff": case.depth}
    expect_all_positions(student, SEARCH, case, cutoff=depth, h={"h": "own"})


def ask_heuristic(
    student: Student, case: HeuristicCase | PreferenceCase, positions: list[str], player: str
) -> list[float]:
    """Return the student's heuristic values of the positions for `player`."""
    calls = [(rows, STATE, player) for rows in positions]
    return student.numbers(HEURISTIC, case.game, calls)


def draw_board(
    case: HeuristicCase | PreferenceCase | PositionsCase, rows: str, caption: str = ""
) -> Board:
    return Board(make_state(case.make_game(), rows), caption)


def expect_inside(student: Student, case: HeuristicCase) -> None:
    """Check that -1 < h < 1 on every position."""
    for player in ("X", "O"):
        values = ask_heuristic(student, case, case.positions, player)
        outside = [pair for pair in zip(case.positions, values) if not -1 < pair[1] < 1]
        if outside:
            rows, value = outside[0]
            facts = {"player": player, "value": value}
            hints = [*explain_range(case, values), count_hint(len(outside), len(values))]
            raise make_failure("heuristic/out-of-range", facts, hints, [draw_board(case, rows)])


def explain_range(case: HeuristicCase, values: list[float]) -> Iterator[Hint]:
    """Say what the values that reach a win or a loss have in common, and no others."""
    whole = values == list(map(round, values))
    if whole:
        shown = join_first([*map(format_value, sorted(set(values)))], 4)
        yield Hint("whole-numbers", {"values": shown})
    beyond = [not -1 < value < 1 for value in values]
    sizes = {*map(abs, compress(values, beyond))}
    if len(sizes) > 1:
        yield Hint("beyond-one", {"least": min(sizes), "most": max(sizes)})
        return
    to_move = [make_state(case.make_game(), rows).to_move for rows in case.positions]
    for side, sides in (("the player to move", to_move), ("a side", ["XO"] * len(to_move))):
        threats = [has_threat(rows, who) for rows, who in zip(case.positions, sides)]
        others = [*compress(threats, (not out for out in beyond))]
        if all(compress(threats, beyond)) and 3 * sum(others) < len(others):
            yield Hint("threats", {"side": side, "threats": sum(others), "others": len(others)})
            return
    stones = [{"X", "O"}.intersection(rows.split(" ")[0]) for rows in case.positions]
    if all(len(sides) == 1 for sides in compress(stones, beyond)):
        yield Hint("one-side-only")
    elif not whole and not all(beyond) and sizes == {1}:
        yield Hint("exactly-one", {"times": sum(beyond)})


Square = tuple[int, int]
DIRECTIONS = {(0, 1): "row", (1, 0): "column", (1, 1): "diagonal \\", (1, -1): "diagonal /"}


def read_squares(rows: str) -> dict[Square, str]:
    """Return a board's squares, by (row, column); the player to move may follow its rows."""
    board = rows.split(" ")[0].split("/")
    return {(r, c): square for r, row in enumerate(board) for c, square in enumerate(row)}


def find_threes(rows: str) -> Iterator[tuple[str, list[Square], Square]]:
    """Yield the direction, stones and free square of each line of four with three of one side."""
    board = read_squares(rows)
    for (r, c), (down, right) in product(board, DIRECTIONS):
        line = [(r + i * down, c + i * right) for i in range(4)]
        if line[-1] in board:
            stones = [square for square in line if board[square] != "."]
            if len(stones) == 3 and len({board[square] for square in stones}) == 1:
                (free,) = set(line).difference(stones)
                yield DIRECTIONS[down, right], stones, free


def has_threat(rows: str, sides: str) -> bool:
    """Has one of the sides three stones in a line of four whose other square is free?"""
    board = read_squares(rows)
    return any(board[stones[0]] in sides for _, stones, _ in find_threes(rows))


def expect_antisymmetric(student: Student, case: HeuristicCase) -> None:
    """Check that h(s, X) = -h(s, O) on every position, and that h is not constant."""
    for_x = ask_heuristic(student, case, case.positions, "X")
    for_o = ask_heuristic(student, case, case.positions, "O")
    # A small value may be a difference of large ones, and has their rounding error.
    usual = median([abs(value) for value in for_x + for_o if value] or [0])
    both = list(zip(case.positions, for_x, for_o))
    wrong = [(rows, x, o) for rows, x, o in both if not same(x, -o, usual)]
    if wrong:
        same_for_both = all(same(x, o, usual) for _, x, o in wrong)
        if same_for_both:  # perhaps only because O's value was asked for last
            expect_no_cached_answer(student, case, for_o, usual)
        rows, x, o = max(wrong, key=lambda one: one[0].count("."))  # the fewest stones
        hints = [Hint("same-for-both")] if same_for_both else [*explain_sum(wrong)]
        hints.append(count_hint(len(wrong), len(both)))
        raise make_failure(
            "heuristic/not-antisymmetric", {"x": x, "o": o}, hints, [draw_board(case, rows)]
        )
    if max(for_x) - min(for_x) <= TOLERANCE * usual:
        raise make_failure("heuristic/constant", {"value": for_x[0]})
    expect_no_cached_answer(student, case, for_o, usual)


def explain_sum(wrong: list[tuple[str, float, float]]) -> Iterator[Hint]:
    """Say what the positions have in common where h for X and h for O do not cancel."""
    sums = [x + o for _, x, o in wrong]
    empty = any(set(rows) <= {".", "/"} for rows, _, _ in wrong)
    if empty and all(same(each, sums[0]) for each in sums):
        yield Hint("sum-constant", {"sum": sums[0]})
    elif min(sums) > 0 or max(sums) < 0:
        sign, more = ("above", "more") if sums[0] > 0 else ("below", "less")
        yield Hint("sum-without-stones" if empty else "sum-one-sided", {"sign": sign, "more": more})


def expect_no_cached_answer(
    student: Student, case: HeuristicCase, for_o: list[float], usual: float
) -> None:
    """Check that h for O is the same in a process that has not asked for X before.

    usual: the usual size of h, which bounds the rounding
    """
    student.end()  # the next request starts a new process
    for rows, before, now in zip(
        case.positions, for_o, ask_heuristic(student, case, case.positions, "O")
    ):
        if not same(before, now, usual):
            facts = {"now": now, "before": before}
            raise make_failure("heuristic/kept", facts, diagrams=[draw_board(case, rows)])


def expect_preference(student: Student, case: PreferenceCase) -> None:
    """Check that h prefers the better of two positions, for `case.side`."""
    asked = sorted([case.better, case.worse])  # in an order that gives no hint
    values = dict(zip(asked, ask_heuristic(student, case, asked, case.side)))
    better, worse = values[case.better], values[case.worse]
    if not better > worse:
        raise make_failure(
            "heuristic/preference",
            {"why": case.why, "player": case.side, "better": better, "worse": worse},
            [
                name_difference(case),
                *name_new_three(case),
                *compare_stones(student, case),
            ],
            [
                draw_board(case, case.better, f"the first, better for {case.side}:"),
                draw_board(case, case.worse, "the second:"),
            ],
        )


def name_new_three(case: PreferenceCase) -> Iterator[Hint]:
    """Name the open three that the better position has and the worse one has not, if it is one."""
    before = [*find_threes(case.worse)]
    new = [three for three in find_threes(case.better) if three not in before]
    if len(new) == 1:
        direction, stones, free = new[0]
        names = ", ".join(map(str, stones))
        yield Hint("new-three", {"direction": direction, "stones": names, "free": str(free)})


# Columns played from the empty board: X's stones are the first, third and fifth.
BLOCKED_AND_FREE = ((0, 6, 0, 6, 0, 2), (0, 6, 0, 6, 0, 0), (0, 6, 0, 6, 1, 2))
# Three in a column and in a row, each before the same with one stone on its square's mirror image.
LINES_AND_SQUARES = ((0, 6, 0, 6, 0), (0, 6, 0, 6, 6), (0, 6, 1, 6, 2), (0, 6, 1, 6, 4))


def compare_stones(student: Student, case: PreferenceCase) -> Iterator[Hint]:
    """Say so if h can't tell single stones or threes apart.

    A stone may have the same value in each column, threes may count as their squares do, and one
    that is blocked nearly as an open one.
    """
    game, played = ConnectFour(), (*BLOCKED_AND_FREE, *LINES_AND_SQUARES)
    boards = [game.result(game.initial, move).key for move in game.actions(game.initial)]
    single = len(boards)
    boards += [reduce(game.result, columns, game.initial).key for columns in played]
    values = ask_heuristic(student, case, boards, "X")
    alone, (free, blocked, two, *threes) = values[:single], values[single:]
    if all(same(value, alone[0]) for value in (*alone, *threes)):
        guess = "is a sum cut off there, or only its sign used" if alone[0] else "is it rounded"
        yield Hint("cannot-tell-apart", {"value": alone[0], "guess": guess})
        return
    if all(same(value, alone[0]) for value in alone):
        yield Hint("same-in-each-column" if alone[0] else "single-stones", {"value": alone[0]})
    if same(threes[0], threes[1]) and same(threes[2], threes[3]):
        yield Hint("squares-only", {"value": threes[0]})
    elif 0 <= free - blocked < (free - two) / 2:
        yield Hint("blocked-three", {"free": free, "blocked": blocked})


def name_difference(case: PreferenceCase) -> Hint:
    """Name the squares, (row, column), in which the case's two positions differ."""
    boards = [read_squares(case.better), read_squares(case.worse)]
    new = []
    for here, there in (boards, boards[::-1]):
        stones = [f"{here[s]} at {s}" for s in here if here[s] not in (".", there[s])]
        new.append(" and ".join(stones) or "nothing there")
    return Hint("only-difference", {"first": new[0], "second": new[1]})


def play_without_h(student: Student, case: MatchCase) -> Iterator[bool]:
    """Yield for each decided game whether the side with the heuristic won.

    Each game draws its random opening and side, so the games are independent of each other.
    """
    game, rng = case.make_game(), Random(case.seed)
    with_h, without = ({**case.options, "h": {"h": kind}} for kind in ("own", "zero"))
    draws = 0
    while True:
        side = rng.choice("XO")
        players = {
            side: make_mover(student, case.function, case.game, lambda: with_h),
            other(side): make_mover(student, case.function, case.game, lambda: without),
        }
        states = play(game, draw_opening(game, rng, case.plies), players)
        utility = record_outcome(student, game, states, side)
        draws = 0 if utility else draws + 1
        if utility or draws == 4:  # four draws in a row count against the heuristic
            draws = 0
            yield utility > 0
