"""Pairs of games: no player can change the board or the clocks of the referee."""

import json
import sys
from collections.abc import Sequence
from itertools import cycle
from typing import Any
from unittest import mock

import pytest

from autograder.checks.play.player import PlayerClient
from autograder.cohort import match
from autograder.cohort.match import FAILED, ILLEGAL, ROW, TIME, PlayedGame, make_pair_request
from autograder.errors import GraderFault
from starter.games import ConnectFour

FIRST = "return game.actions(state)[0]"
BUSY = f"sum(range(3_000_000)); {FIRST}"
OPENING = [3, 3, 2, 4]


def player(choose: str, more: str = "pass") -> dict[str, str]:
    lines = ["import glob, os, signal, time", "class Player:", f"  {more}"]
    return {"player.py": "\n".join([*lines, "  def choose(self, game, state):", f"    {choose}"])}


def play(one: dict[str, str], two: dict[str, str], seconds: float = 1.0) -> list[PlayedGame]:
    with mock.patch.multiple("autograder.checks.play.player", SECONDS=seconds, BANK=0.0):
        return match.play_pair(json.loads(make_pair_request([one, two], OPENING, 1)))


def test_sides_change_and_every_move_is_recorded():
    first, second = play(player(FIRST), player("return game.actions(state)[-1]"))
    assert (first.first, second.first) == (0, 1)
    for game in (first, second):
        assert game.end == ROW
        assert game.moves[:4] == OPENING
        assert len(game.seconds) == len(game.moves) - 4
        board = ConnectFour()
        state = board.initial
        for column in game.moves:
            state = board.result(state, column)
        assert game.score == board.utility(state, "X") / 2 + 0.5  # X goes on after four plies


@pytest.mark.slow
@pytest.mark.parametrize(
    ("choose", "end", "reason"),
    [
        ("return 9", ILLEGAL, "not 9"),
        ("type(game).actions = lambda *_: tuple(range(100)); return 99", ILLEGAL, "no legal move"),
        ("return [][0]", FAILED, "IndexError"),
        ("return 'x' * 10_000_000", ILLEGAL, "xxx"),
        ("os._exit(0)", FAILED, "ended"),
        ("while True: pass", TIME, "longer"),
        ("time.process_time = time.time = lambda: 0\n    while True: pass", TIME, "longer"),
        ("time.sleep(60)", TIME, "longer"),
        ("time.sleep(61)", TIME, "held up the game"),
    ],
)
def test_breaking_the_rules_loses_with_a_reason(monkeypatch, choose, end, reason):
    blocks = reason == "held up the game"
    if blocks:  # the player's clock allows fifty seconds; only the wall-clock limit stops it
        monkeypatch.setattr(match, "WALL_LIMIT_S", 2.0)
    for game in play(player(choose), player(FIRST), seconds=50.0 if blocks else 0.3):
        assert game.end == end
        assert reason in game.mistake
        assert game.score == float(game.first != 0)


@pytest.mark.parametrize("error", [RecursionError, GraderFault])
def test_crashing_the_referee_loses(error):
    with mock.patch.object(PlayerClient, "choose", side_effect=error("too deep")):
        games = play(player(FIRST), player(FIRST))
    for game in games:
        assert (game.end, game.score) == (FAILED, 0.0)
        assert game.mistake == f"the answer could not be read ({error.__name__})"


def test_both_clocks_have_one_pace(monkeypatch):
    """The pace does not depend on when the slowness of the machine was measured."""
    measured, paces = cycle([1.0, 2.0]), list[float]()

    def record_paces(seats: Sequence[PlayerClient], *_: Any) -> None:
        workers: list[Any] = [seat.student.session.transport for seat in seats]
        paces.extend(worker.slowness for worker in workers)

    monkeypatch.setattr("autograder.worker.sandbox.measure_slowness", lambda: next(measured))
    monkeypatch.setattr(match, "referee_game", record_paces)
    play(player(FIRST), player(FIRST))
    assert paces == [2.0] * 4


def test_no_player_is_a_lost_game():
    game, _ = play({}, player(FIRST))
    assert (game.end, game.score, game.mistake) == (FAILED, 0.0, "no player was written")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")
def test_a_player_is_stopped_while_the_opponent_thinks():
    """Its third move reports how often a timer of a hundred ticks a second woke it."""
    more = "woken = asked = 0\n  def wake(self, *_): self.woken += 1\n  def reset(self):\n    "
    more += "signal.signal(signal.SIGALRM, self.wake); "
    more += "signal.setitimer(signal.ITIMER_REAL, .01, .01)"
    choose = f"self.asked += 1\n    if self.asked == 3: return -1000 - self.woken\n    {FIRST}"
    _, game = play(player(choose, more), player(BUSY))
    assert game.end == ILLEGAL
    woken = int(game.mistake.rpartition("-")[2].split()[0]) - 1000
    assert woken < 12  # the opponent has thought for some hundredths of a second, twice


# What a player tries against the opponent and the referee; `done` has what succeeded.
ATTEMPTS = """
from pathlib import Path
done = [path for path in glob.glob("/tmp/grading*/stage/starter/player.py") if path != __file__]
for pid in (os.getppid(), *range(os.getpid() - 40, os.getpid())):
    for attempt in (Path(f"/proc/{pid}/environ").read_bytes, lambda: os.kill(pid, 0)):
        try:
            done.append(attempt())
        except OSError:
            pass
"""


@pytest.mark.slow
def test_a_hostile_player_gets_nowhere():
    """It looks for the opponent's code, reads other processes' environments, signals them."""
    hostile = player(f"exec({ATTEMPTS!r}, globals()); return 'succeeded: ' + str(done)")
    games = play(hostile, player(BUSY))
    assert {game.end for game in games} == {ILLEGAL}
    assert "succeeded: []" in games[1].mistake
