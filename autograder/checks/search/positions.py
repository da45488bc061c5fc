"""Check the answers of many searches on local games, and minimax on tic-tac-toe."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from random import Random
from typing import Any

from autograder.checks.ask.finding import Failed, Finding, Hint, attach_case, make_failure
from autograder.checks.ask.plain_answers import Answer
from autograder.checks.ask.student import Student, expect_independent_searches
from autograder.checks.ask.values import Values, make_values
from autograder.checks.play.matches import draw_opening, make_mover, make_random_mover, play
from autograder.checks.search.answer import add_cause, find_largest_term, find_wrong_answer
from autograder.checks.search.call_check import explain_by_calls
from autograder.checks.search.replay import SearchRun
from autograder.checks.search.search_findings import SKIPPED, check, run_served_search
from autograder.diagram import Board, find_squares, format_value
from autograder.serving.case_files import Cases
from autograder.serving.cases import GamesCase, PositionsCase, SearchCase
from starter.games import Game, State, TicTacToe, other

CHUNK = 500  # positions per request


def expect_all_positions(
    student: Student, function: str, case: PositionsCase, **options: Any
) -> None:
    """Check value and move on each of the case's positions, also after a search.

    Of several wrong answers the one with the fewest moves is reported, because a search from there
    is the easiest to follow.
    """
    game = case.make_game()
    for start in range(0, len(case.positions), CHUNK):
        positions = case.positions[start : start + CHUNK]
        chunk = [
            SearchCase(game=case.game, earlier=case.earlier, state=state, value=value, best=best)
            for state, value, best in positions
        ]
        try:
            if case.earlier:
                expect_no_earlier_values(student, function, chunk, **options)
            answers = student.search(function, case.game, [one.state for one in chunk], **options)
            wrong = {
                i: finding
                for i, (single, answer) in enumerate(zip(chunk, answers))
                if (finding := find_wrong_answer(single, answer))
            }
            if wrong:
                i = min(wrong, key=lambda i: len(game.actions(chunk[i].make_state())))
                finding = wrong[i]
                if student.watch and not options:
                    finding = explain_search(student, function, chunk[i], finding)
                raise Failed(replace(finding, call=i))
        except Failed as failed:
            if failed.finding.call is None:
                raise
            index = start + failed.finding.call
            part = case.part or index + 1
            with attach_case(replace(case, part=part, positions=[case.positions[index]])):
                raise


def explain_search(student: Student, function: str, case: SearchCase, finding: Finding) -> Finding:
    """Return the finding with what the record of the same search shows, if it is wrong, too."""
    explained = finding
    with suppress(Failed):  # such as too many positions for a record
        search = run_served_search(student, case, function)
        if find_wrong_answer(case, search):
            # A search may leave a node once a win or a loss is certain.
            run = SearchRun(function.split(".")[0], replace(case, alpha=-1, beta=1), search, None)
            explained = explain_by_calls(add_cause(finding, run), case, search.server)
    if explained == finding and not all(case.make_game().actions(case.make_state())):
        return finding.with_hints(Hint("zero-is-a-move"))
    return explained


def expect_no_earlier_values(
    student: Student, function: str, cases: Sequence[SearchCase], *args: Any, **options: Any
) -> None:
    """Check that earlier searches, of another game or player, affect no answer.

    args: the player that the function is called with, if it takes one
    """
    case, states = cases[0], [case.state for case in cases]
    earlier = case.earlier or case.game
    args_before = args if case.earlier else tuple(map(other, args))

    def right(i: int, answer: Answer) -> bool:
        return find_wrong_answer(cases[i], answer, find_largest_term(cases[i])) is None

    expect_independent_searches(
        student,
        lambda: student.search(function, earlier, states, *args_before, **options),
        lambda: student.search(function, case.game, states, *args, **options),
        cases,
        right,
    )


def expect_watched_search(student: Student, function: str, case: PositionsCase) -> None:
    """Check that the record of a search of `case.watched` proves the value.

    So a stored table of answers is not enough. The search may end once a win or a loss is certain.
    """
    assert case.watched
    state, value, best = case.watched
    single = SearchCase(game=case.game, state=state, value=value, best=best, alpha=-1, beta=1)
    values = read_tic_tac_toe_values(student.cases, single.max_player)
    with attach_case(replace(case, index=None, positions=[case.watched])):
        check(student, single, function, absent=SKIPPED, values=values)


def expect_nothing_given_away(student: Student, function: str, case: GamesCase) -> None:
    """Check that no move against a random player gives away a win or a draw.

    No move of the search may lower the value of its position. So it never loses, and it wins every
    game that is won at the start or through the opponent's mistake, as every right player does.
    """
    game, rng = case.make_game(), Random(case.seed)
    for i in range(case.games):
        side = "XO"[i % 2]
        worth = read_tic_tac_toe_values(student.cases, side)
        state = draw_opening(game, rng, case.plies)
        while worth(state) < 0:
            state = draw_opening(game, rng, case.plies)
        players = {
            side: make_mover(student, function, case.game),
            other(side): make_random_mover(game, rng),
        }
        states = play(game, state, players)
        for before, after in pairwise(states):
            if before.to_move == side and worth(after) < worth(before):
                raise report_given_away(game, before, after, worth, states[-1])


def report_given_away(game: Game, before: State, after: State, worth: Values, end: State) -> Failed:
    """Report the move that lowered the value for the player who made it."""
    names = {1: "won", 0: "drawn", -1: "lost"}
    actions = {game.result(before, move): move for move in game.actions(before)}
    preserving = [move for child, move in actions.items() if worth(child) == worth(before)]
    squares = find_squares(game, before, actions[after])
    return make_failure(
        "given-away",
        {
            "before": names[int(worth(before))],
            "best": " or ".join(map(format_value, preserving)),
            "move": actions[after],
            "after": names[int(worth(after))],
        },
        diagrams=[
            Board(before, "the position, with your move:", bad=squares),
            Board(end, "how it ended:"),
        ],
    )


def read_tic_tac_toe_values(cases: Cases, player: str) -> Values:
    """Return the true values of all tic-tac-toe positions for `player`."""
    table = cases.perfect_play()
    return make_values(player, TicTacToe(), lambda key: table[key][0], "X")
