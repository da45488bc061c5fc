"""A pair of games between two submissions' players, from one opening, with sides changed.

It is what each core of the pool plays, in a process of its own (see `one.py`). Every player has a
process of its own in each game, in a sandbox of its own, which stands still while the opponent
thinks. The referee holds the board and the clocks: here is the only place where moves become games.

Whatever goes wrong while it is a player's turn is that player's loss, also where the referee can't
go on with it: otherwise whoever is about to lose could see to it that the pair is not counted. Only
a GraderFault ends a pair without a result.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, NamedTuple

from autograder.checks.finding import Failed, NotWritten
from autograder.checks.player import BANK, SECONDS, Seat
from autograder.checks.student import Student
from autograder.errors import GraderFault, GradingOver
from autograder.feedback.messages import words
from autograder.submission import Submission
from autograder.worker.clock import SLOWEST, WIDE
from autograder.worker.sandbox import Sandbox, Worker
from starter.games import ConnectFour

BOARD = ["ConnectFour", 6, 7, 4]
MOVES = 21  # of a player in a game, at most
# Seconds by the wall clock for all of them: enough for what they may compute on a machine that is
# slow, and busy with others. It ends what the player's own clock does not see.
PATIENCE = WIDE * SLOWEST * (MOVES * SECONDS + BANK)
LONGEST = 2 * 2 * PATIENCE + 60  # seconds for a pair; it ends by itself before
Files = dict[str, str]  # a submission's, by name, as JSON can hold them: byte by byte

ILLEGAL, TIME, FAILED, ROW, FULL = "illegal", "time", "failed", "four in a row", "full board"


class GameOf(NamedTuple):
    """One game as it was played.

    first:   which of the two had the first move after the opening: 0 or 1
    moves:   the columns, the opening's included
    seconds: by its clock, of each move that was made after the opening
    score:   what `first` got: 1, 0.5 or 0
    end:     why it ended, by a word of the above
    told:    what is to be said of the loser's mistake
    """

    first: int
    moves: list[int]
    seconds: list[float]
    score: float
    end: str
    told: str = ""


def as_text(files: Mapping[str, bytes]) -> Files:
    return {name: content.decode("latin-1") for name, content in files.items()}


def as_bytes(files: Files) -> dict[str, bytes]:
    return {name: content.encode("latin-1") for name, content in files.items()}


def as_told(players: Sequence[Files], opening: Sequence[int], seed: int) -> str:
    """What the process that plays is told, as JSON."""
    return json.dumps({"players": players, "opening": opening, "seed": seed})


def is_pair(told: str) -> bool:
    """Is that what `as_told` makes, and no submission?"""
    return told.startswith('{"players"')


def played(told: dict[str, Any]) -> list[GameOf]:
    """Play both games. Raises GraderFault for whatever is no player's fault."""
    students: list[Student] = []
    try:
        for files in told["players"]:
            submission = Submission(as_bytes(files))
            # Both on the core that the first one has: they never think at the same time.
            students.append(Student(submission, Sandbox(submission, pin=not students)))
        return [game(students, first, told["opening"], told["seed"]) for first in (0, 1)]
    finally:
        for student in reversed(students):
            student.sandbox.remove()


def game(students: Sequence[Student], first: int, opening: Sequence[int], seed: int) -> GameOf:
    """Play one game; `first` has the first move after the opening."""
    workers = list[Worker]()
    try:
        for student, other in zip(students, reversed(students)):
            student.sandbox.deadline = inf
            student.share = 1.0  # what did not end in the game before is forgiven
            student.sandbox.stopped.clear()
            student.worker = student.sandbox.start()
            student.worker.freeze()
            workers.append(student.worker)
            other.sandbox.others.add(student.worker.process.pid)  # and not to be swept away
        slowness = max(worker.slowness for worker in workers)
        for worker in workers:  # their clocks go alike
            worker.slowness = slowness
        return refereed([Seat(student, BOARD, seed) for student in students], first, opening)
    finally:
        for student in students:
            student.end()


def refereed(seats: Sequence[Seat], first: int, opening: Sequence[int]) -> GameOf:
    board = ConnectFour()
    state = board.initial
    for column in opening:
        state = board.result(state, column)
    for seat in seats:
        seat.begin()
    moves, seconds = list(opening), list[float]()
    left = [PATIENCE, PATIENCE]
    turn = first

    def lost(end: str, told: str) -> GameOf:
        return GameOf(first, moves, seconds, float(turn != first), end, told)

    while not board.is_terminal(state):
        begun = time.monotonic()
        seats[turn].student.sandbox.deadline = begun + left[turn]
        try:
            column = board.actions(state)[seats[turn].choose(state)]
        except NotWritten:
            return lost(FAILED, "no player was written")
        except Failed as failed:
            ends = {"player/illegal": ILLEGAL, "player/too-slow": TIME}
            end, said = ends.get(failed.finding.code, FAILED), words(failed.finding)
            return lost(end, said.message if not said.got else f"{said.message}, not {said.got}")
        except GraderFault:
            raise
        except GradingOver:
            told = f"choose held up the game for {PATIENCE:.0f} s by the wall clock"
            return lost(TIME, told)
        except Exception as error:
            return lost(FAILED, f"the answer could not be read ({type(error).__name__})")
        left[turn] -= time.monotonic() - begun
        moves.append(column)
        seconds.append(round(seats[turn].used, 4))
        state = board.result(state, column)
        turn = 1 - turn
        seats[turn].opponent_played(column)
    if state.outcome == "draw":
        return GameOf(first, moves, seconds, 0.5, FULL)
    return GameOf(first, moves, seconds, float(turn != first), ROW)
