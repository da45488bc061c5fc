"""Play a pair of games between two players, from one opening, with sides changed.

A pair is played in a separate process (see `grade_one.py`). In each game every player has its own
process and sandbox, which is stopped while the opponent thinks. Only this module, the referee,
holds the board and the clocks.

Any failure in a player's turn loses that player the game, even if the referee can't continue: a
losing player could otherwise void the game by crashing the referee. Only a GraderFault before the
first move ends a pair without a result.
"""

import json
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple

from autograder.checks.ask.finding import Failed
from autograder.checks.ask.student import Student
from autograder.checks.play.player import BANK, SECONDS, PlayerClient
from autograder.errors import GradingOver
from autograder.feedback.messages import put_into_words
from autograder.submission import Submission
from autograder.worker.clock import SLOWEST, WIDE
from autograder.worker.process import Worker
from autograder.worker.sandbox import Sandbox
from starter.games import ConnectFour

BOARD = ["ConnectFour", 6, 7, 4]
MAX_MOVES = 21  # of a player in a game
# For all moves of a player: a generous limit, which catches players that sleep or block.
WALL_LIMIT_S = WIDE * SLOWEST * (MAX_MOVES * SECONDS + BANK)
Files = dict[str, str]  # a submission's, by name, as text: one character per byte

ILLEGAL, TIME, FAILED, ROW, FULL = "illegal", "time", "failed", "four in a row", "full board"


class PlayedGame(NamedTuple):
    """One game as it was played.

    first:   the player with the first move after the opening: 0 or 1
    moves:   the columns, including the opening
    seconds: the time of each move after the opening, by the player's clock
    score:   the points of `first`: 1, 0.5 or 0
    end:     why it ended: one of the constants above
    mistake: the loser's mistake, if that ended the game
    """

    first: int
    moves: list[int]
    seconds: list[float]
    score: float
    end: str
    mistake: str = ""


def decode_files(files: Mapping[str, bytes]) -> Files:
    return {name: content.decode("latin-1") for name, content in files.items()}


def encode_files(files: Files) -> dict[str, bytes]:
    return {name: content.encode("latin-1") for name, content in files.items()}


def make_pair_request(players: Sequence[Files], opening: Sequence[int], seed: int) -> str:
    return json.dumps({"players": players, "opening": opening, "seed": seed})


def play_pair(request: dict[str, Any]) -> list[PlayedGame]:
    """Play both games. Raises GraderFault if one can't begin."""
    return [start_and_play(request, first) for first in (0, 1)]


def start_and_play(request: dict[str, Any], first: int) -> PlayedGame:
    """Play one game; `first` has the first move after the opening."""
    students: list[Student] = []
    workers: list[Worker] = []
    with ExitStack() as stack:
        for files in request["players"]:
            submission = Submission(encode_files(files))
            # Both use the first one's core, because they never think at the same time.
            student = Student(submission, Sandbox(submission, pin=not students))
            stack.callback(student.sandbox.remove)
            stack.callback(student.end)
            student.session.transport = worker = student.sandbox.start()
            worker.pause()
            students.append(student)
            workers.append(worker)
        slowness = max(worker.slowness for worker in workers)
        for worker in workers:  # both clocks run at one pace
            worker.slowness = slowness
        seats = [PlayerClient(student, BOARD, request["seed"]) for student in students]
        return referee_game(seats, first, request["opening"])


def referee_game(seats: Sequence[PlayerClient], first: int, opening: Sequence[int]) -> PlayedGame:
    board = ConnectFour()
    state = board.initial
    for column in opening:
        state = board.result(state, column)
    for seat in seats:
        seat.begin()
    moves, seconds = list(opening), list[float]()
    left = [WALL_LIMIT_S, WALL_LIMIT_S]
    turn = first

    def lose(end: str, mistake: str) -> PlayedGame:
        return PlayedGame(first, moves, seconds, float(turn != first), end, mistake)

    while not board.is_terminal(state):
        begun = time.monotonic()
        seats[turn].student.sandbox.deadline = begun + left[turn]
        try:
            column = board.actions(state)[seats[turn].choose(state)]
        except Failed as failed:
            if failed.finding.not_written:
                return lose(FAILED, "no player was written")
            ends = {"player/illegal": ILLEGAL, "player/too-slow": TIME}
            end, text = ends.get(failed.finding.code, FAILED), put_into_words(failed.finding)
            return lose(end, text.message if not text.got else f"{text.message}, not {text.got}")
        except GradingOver:
            mistake = f"choose held up the game for {WALL_LIMIT_S:.0f} s by the wall clock"
            return lose(TIME, mistake)
        except Exception as error:
            return lose(FAILED, f"the answer could not be read ({type(error).__name__})")
        left[turn] -= time.monotonic() - begun
        moves.append(column)
        seconds.append(round(seats[turn].used, 4))
        state = board.result(state, column)
        turn = 1 - turn
        seats[turn].opponent_played(column)
    if state.outcome == "draw":
        return PlayedGame(first, moves, seconds, 0.5, FULL)
    return PlayedGame(first, moves, seconds, float(turn != first), ROW)
