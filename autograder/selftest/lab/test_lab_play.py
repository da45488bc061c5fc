"""Games against the engines: match, board, the student's own player, terminal."""

import io
import re
import sys
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from typing import Any
from unittest.mock import Mock, PropertyMock

import pytest

from autograder.selftest.support.banks import SOLUTION_TEXTS
from autograder.selftest.support.waiting import WAIT_TIMEOUT_S
from lab import boards, engines, play, squares, student, trees
from lab.engines import OWN_PLAYER, Task
from lab.jobs import Job, Session
from lab.match import Match, describe_match, explain_problem, start_work
from lab.notebooks import play as play_page
from lab.student import StudentCode, read_code
from starter.games import ConnectFour, Game, Othello, Pig, TicTacToe
from starter.players import play_game, random_player


def worked(match: Match, opponent: str) -> Job:
    job = start_work(Session(), match, opponent, {}, hints=False)
    assert job and job.wait(WAIT_TIMEOUT_S)
    return job


def squares_of(played: Match, values: dict[Any, float] | None = None) -> list[dict[str, Any]]:
    """Return the squares of the board, with a human to move."""
    played = replace(played, human=str(played.state.to_move))
    found: list[dict[str, Any]] = squares.describe_board(played, values or {})["squares"]
    return found


def after(game: Game, *numbers: int, human: str = "X") -> Match:
    """Return a match after the moves with these places among the legal moves."""
    match = Match(game, human)
    for number in numbers:
        match = match.play_named_moves([str(game.actions(match.state)[number])])
    return match


def test_take_back_gives_the_human_the_move_again() -> None:
    assert after(TicTacToe()).take_back().moves == ()
    assert after(TicTacToe(), 4, 0).take_back().moves == ()
    # The computer's first move stays.
    assert after(TicTacToe(), 4, 0, 0, human="O").take_back().moves == ((1, 1),)


def test_moves_out_of_turn_and_illegal_moves_change_nothing() -> None:
    played = Match(ConnectFour())
    assert played.play_human_move("99") is played
    played = played.play_human_move("3")
    assert played.play_human_move("3") is played
    assert played.moves == (3,)
    assert Match(ConnectFour(2, 2, 2)).play_named_moves("09").moves == (0,)
    assert Match(ConnectFour(2, 2, 2)).play_named_moves("00000").moves == (0, 0)


def test_an_opponent_that_is_not_written_says_what_to_write() -> None:
    match = after(TicTacToe(), human="O")
    job = worked(match, "minimax")
    assert "write min_value in minimax.py" in explain_problem(job)
    assert describe_match(match, "minimax", job) == "minimax can't go on."


def test_page_looks_again_after_work_that_ends_while_it_is_drawn(monkeypatch):
    job = Mock(problem="", result=None, seconds=0)
    # It ends as soon as somebody has read that it runs.
    type(job).running = PropertyMock(side_effect=chain([True], repeat(False)))
    monkeypatch.setattr("lab.match.start_work", lambda *_: job)
    outputs, _ = play_page.app.run()
    assert any("<marimo-refresh" in getattr(output, "text", "") for output in outputs)


def test_the_die_is_rolled_by_itself_from_the_seed() -> None:
    moves = [Match(Pig(20), seed=seed).play_human_move("roll").moves for seed in (1, 1, 2, 3, 4)]
    assert all(len(made) == 2 and made[0] == "roll" for made in moves)
    assert moves[0] == moves[1] and len(set(moves)) > 1


REMEMBERS = """
import time
class Player:
    def __init__(self):
        self.calls = []
    def seed(self, number):
        self.calls.append("seed")
    def reset(self):
        self.calls.append("reset")
    def choose(self, game, state):
        print(*self.calls, sep=", ")
        begin = time.process_time()
        while time.process_time() == begin:  # until any clock shows that it took time
            pass
        return game.actions(state)[-1]
"""


def test_each_move_is_asked_of_a_new_player(folder, capfd):
    (folder / "player.py").write_text(REMEMBERS)
    for _ in range(2):
        result = worked(after(ConnectFour(), 3), OWN_PLAYER).result
        assert result.move == 6 and result.seconds > 0
    assert capfd.readouterr().err.splitlines() == 2 * ["seed, reset"]


def test_a_player_that_fails_is_named_and_another_can_be_chosen(folder):
    player = "class Player:\n    def choose(self, game, state):\n        return 9"
    (folder / "player.py").write_text(player)
    match = after(ConnectFour(), human="O")
    why = explain_problem(worked(match, OWN_PLAYER))
    assert "choose chose 9" in why and "choose another opponent" in why
    assert worked(match, "random").result


def test_a_screen_reader_can_say_every_square(solved: StudentCode) -> None:
    played = after(TicTacToe(), 0, 0, 0, 0)  # X on (0, 0) and (0, 2), O on (0, 1) and (1, 0)
    task = engines.Task("alpha-beta", played.game, played.state, plies=9)
    says = [square["says"] for square in squares_of(played, engines.rate_moves(solved, task))]
    assert says[0] == "row 0, column 0: X"
    assert says[3] == "row 1, column 0: O, last"
    assert says[4] == "row 1, column 1: empty, plays (1, 1), worth +1, best"


def test_the_winning_row_is_marked() -> None:
    played = after(TicTacToe(), 0, 2, 0, 2, 0)
    looks = [square["look"].split() for square in squares_of(played)]
    assert ["won" in look for look in looks] == [True] * 3 + [False] * 6
    game = ConnectFour()
    falling = game.from_key("......./......./...X.../..XO.../.XOX.../XOOO.X.")
    assert boards.find_winning_squares(game, falling) == {(2, 3), (3, 2), (4, 1), (5, 0)}
    assert 'class="good"' in trees.render_position(game, falling, "X")


def test_a_move_that_no_square_stands_for_has_a_button() -> None:
    game = Othello(4)
    game.initial = game.from_key("OXXX/XXX./XXOO/X.X. O")
    played = after(game)
    *board, other = squares_of(played)
    assert not any(square["move"] for square in board)
    assert (other["move"], other["note"], other["look"]) == ("pass", "pass", "wide")
    assert replace(played, human="O").play_human_move("pass").state.to_move == "X"


def terminal(monkeypatch: pytest.MonkeyPatch, answers: str) -> int:
    """Play with these answers; chance and the engine use the same seed each time."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    monkeypatch.setattr(play, "Task", partial(Task, seed=1))
    monkeypatch.setattr("random.getrandbits", lambda bits: 1)
    return play.main()


def test_a_search_that_ends_python_ends_the_game_with_a_word(folder, monkeypatch, capsys):
    ends = "\n\ndef max_value(*args):\n    raise SystemExit\n"
    (folder / "minimax.py").write_text(SOLUTION_TEXTS["minimax.py"] + ends)
    monkeypatch.setattr(student, "read_code", lambda: read_code(folder))
    assert terminal(monkeypatch, "1\n1\n2\n") == 1
    assert "have ended Python" in capsys.readouterr().out


@pytest.mark.parametrize("number, name", list(enumerate(boards.BY_NAME, 1)))
def test_every_game_is_played_in_the_terminal(number, name, monkeypatch, capsys):
    category = boards.BY_NAME[name]
    game = category.make_game()
    players = {side: random_player(seed) for seed, side in enumerate("XO")}
    games = [play_game(game, players) for _ in range(20)]
    moves = dict.fromkeys(move for played in games for move in played.moves)
    again_and_again = len(moves) * "".join(f"{move}\n" for move in moves)
    # 99 is no game; the opponent is the first that plays without anything written.
    assert terminal(monkeypatch, f"99\n{number}\n\n1\n{again_and_again}") == 0
    out = capsys.readouterr().out
    assert "once they are written: minimax, alpha-beta" in " ".join(out.split())
    assert "not written yet" not in out
    assert out.splitlines()[-1] in ("You win!", "perfect wins.", "random wins.", "A draw.")
    assert ("the die shows" in out) == (name == "Pig")


def test_move_of_the_computer_is_printed_with_its_reason(solved, monkeypatch, capsys):
    monkeypatch.setattr(student, "read_code", lambda: solved)
    assert terminal(monkeypatch, "1\n2\n2\n1 1\nq\n") == 0
    out = capsys.readouterr().out
    assert re.search(r"\bX plays 0 0: value 0 for X, 18,297 positions, 4,237 prunes, \d", out)
    assert len(re.findall(r"\bX plays \d \d: value", out)) == 2
    assert out.endswith("See you.\n")


def test_the_perfect_player_loses_no_game() -> None:
    game, stubs = TicTacToe(), student.read_code()
    players = {"X": random_player(5), "O": engines.make_engine_player(stubs, engines.PERFECT)}
    results = Counter(game.utility(play_game(game, players).state, "O") for _ in range(60))
    assert -1 not in results and results[1] > 20
    task = Task(engines.PERFECT, game, game.state(["XX.", "OO.", "..."]))
    assert engines.search(stubs, task)[:2] == (1, (0, 2))
    assert "3 rows" in engines.explain_unsupported(engines.PERFECT, TicTacToe(4, 4, 4))
    variant = type("Variant", (TicTacToe,), {})()  # its rules may be others
    assert "3 rows" in engines.explain_unsupported(engines.PERFECT, variant)


@pytest.mark.parametrize("before", ["", "1\n", "1\n1\n", "1\n1\n1\n", "1\n1\n1\n0 0\n"])
def test_q_leaves_at_every_prompt(monkeypatch, capsys, before):
    assert terminal(monkeypatch, f"{before}q\n1\n1\n1\n") == 0
    assert capsys.readouterr().out.endswith("See you.\n")
