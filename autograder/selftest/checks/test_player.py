"""Question 6: how moves are judged, and what the clock allows."""

from functools import reduce

import pytest

from autograder.author.solved import PUBLIC, SolvedPosition, read_openings, read_positions
from autograder.checks.ask.finding import Failed, JudgedMove
from autograder.checks.play import player
from autograder.checks.play.player import PlayerClient, describe_moves, expect_level, judge_move
from autograder.feedback.results import Outcome, Report, Result
from autograder.feedback.results_json import make_json
from autograder.selftest.support.students import start_student
from autograder.serving.case_files import Cases
from autograder.serving.cases import SolvedCase
from solution.alphabeta import alphabeta_search
from starter.games import BoardState, ConnectFour


def test_move_is_judged_by_the_value_it_keeps():
    solved = SolvedPosition((), (5, None, 1, 0, -2, -2, -2))
    state = ConnectFour().initial
    judged = [judge_move(state, solved.scores, column) for column in (0, 2, 3, 4)]
    assert [one.keeps for one in judged] == [True, True, False, False]
    assert [one.regret for one in judged] == [0, 4, 5, 7]
    assert not any(one.saving for one in judged)
    assert judge_move(state, (0, -1, -1, -1, -1, -1, -1), 0).saving


def test_measures_are_reported_by_phase_and_on_the_leaderboard():
    moves = [
        JudgedMove("opening", True, 0, True),
        JudgedMove("end", False, 6, False),
        JudgedMove("end", True, 3, False),
    ]
    assert describe_moves(moves) == (
        "opening 1 of 1, end 1 of 2, mean regret 3.0, the one saving move found 1 of 1 times"
    )
    result = Result("6.3", "a level", 2, moves=moves, outcome=Outcome.FAILED)
    rows = make_json(Report(results=[result]))["leaderboard"]
    assert [row["value"] for row in rows] == [66.67, 100.0, 3.0]
    assert [row["order"] for row in rows] == ["desc", "desc", "asc"]
    assert "leaderboard" not in make_json(Report(results=[Result("1.1", "a test", 2)]))
    del moves[0]  # the only position that one move saves
    assert len(make_json(Report(results=[result]))["leaderboard"]) == 2
    not_run = Result("6.4", "a harder one", 3)
    assert "leaderboard" not in make_json(Report(results=[result, not_run]))


STOPS = b"""
class Player:
    moves = 0
    def choose(self, game, state):
        self.moves += 1
        if self.moves == 4:
            raise ValueError("too hard")
        return game.actions(state)[0]
"""
LEAVES = STOPS.replace(b"ValueError", b"NotImplementedError")


@pytest.mark.parametrize("source", [STOPS, LEAVES, b""])
def test_failed_level_counts_every_position(source):
    (case,) = Cases().load("6.4")
    assert isinstance(case, SolvedCase)
    with start_student({"player.py": source}) as student, pytest.raises(Failed):
        expect_level(student, case)
    assert len(student.log.moves) == 16
    assert not any(move.keeps for move in student.log.moves[3:])
    known = [[one for one in scores if one is not None] for _, scores in case.positions[3:]]
    worst = [max(scores) - min(scores) for scores in known]
    assert [move.regret for move in student.log.moves[3:]] == worst


# A player that computes for much longer than the time limit of its test.
SLOW = b"""
import time
class Player:
    def choose(self, game, state):
        end = time.process_time() + 0.4
        while time.process_time() < end:
            pass
        return 0
"""


@pytest.mark.slow
def test_the_bank_is_for_the_whole_game_and_full_again_in_the_next(monkeypatch):
    monkeypatch.setattr(player, "SECONDS", 0.02)
    monkeypatch.setattr(player, "BANK", 2.0)
    state = ConnectFour().initial
    with start_student({"player.py": SLOW}) as student:
        seat = PlayerClient(student, ["ConnectFour", 6, 7, 4], 1)
        seat.begin()
        full = seat.bank
        seat.choose(state)
        first = seat.bank
        seat.choose(state)
        assert full > first > seat.bank
        assert full - first < seat.used  # the move's own budget comes first
        seat.begin()
        assert seat.bank == full
        seat.bank = 0.0
        with pytest.raises(Failed) as caught:
            seat.choose(state)
        assert caught.value.finding.code == "player/too-slow"
        assert caught.value.finding.facts["left"] == "0.0"
        seat.student.end()
        seat.begin()
        seat.choose(state)  # the earlier stop does not shorten its time


def after(moves: tuple[int, ...]) -> BoardState:
    return reduce(ConnectFour().result, moves, ConnectFour().initial)


def test_openings_are_undecided_and_no_two_are_mirrored():
    states = [after(opening) for opening in read_openings()]
    assert len(states) >= 300
    assert {len(opening) for opening in read_openings()} == {4, 5, 6, 7, 8}
    seen = {state.rows for state in states}
    assert len(seen) == len(states)
    mirrored = {tuple(row[::-1] for row in rows) for rows in seen}
    assert all(rows == tuple(row[::-1] for row in rows) for rows in seen & mirrored)
    assert not any(ConnectFour().is_terminal(state) for state in states)


def test_scores_agree_with_an_exhaustive_search_where_few_squares_are_left():
    late = sorted(read_positions(PUBLIC), key=lambda solved: -len(solved.moves))[:5]
    for solved in late:
        game, state = ConnectFour(), after(solved.moves)
        for column, score in enumerate(solved.scores):
            if score is None:
                assert column not in game.actions(state)
            else:
                child = game.result(state, column)
                value = float(game.utility(child, state.to_move))
                if not game.is_terminal(child):
                    value = -alphabeta_search(game, child)[0]
                assert value == (score > 0) - (score < 0), solved


def test_mirrored_positions_are_worth_the_same():
    solved = SolvedPosition((0, 1), (1, 2, 3, 4, 5, 6, None))
    assert solved.mirrored == SolvedPosition((6, 5), (None, 6, 5, 4, 3, 2, 1))
