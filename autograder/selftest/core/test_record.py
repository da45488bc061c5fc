"""The record of a search, and the memory that the largest one takes.

`python -m pytest -s autograder/selftest/core/test_record.py` prints what each record takes.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from autograder.questions import ROOT
from autograder.selftest.support.hostile import MOST_MEMORY
from autograder.serving.game_server import GameServer
from autograder.serving.record import Event, Position
from autograder.worker.inside.protocol import make_game

TICTACTOE, CONNECT_FOUR = ["TicTacToe", 3, 3, 3], ["ConnectFour"]
WORST = {
    "different long texts": """
for n in range(10**9):
    number = serve(["result", 0, 0])
    for side in range(3):
        serve(["utility", number, f"{n}/{side}" + chr(0x1F600) * 119])
""",
    "different boards": """
for n in range(10**9):
    for move in range(7):
        if move < len(game.actions(served.positions[n].state)):
            serve(["result", n, move])
""",
    "different long numbers": """
for n in range(10**9):
    number = serve(["result", 0, 0])
    for side in range(3):
        serve(["utility", number, 10**299 + 3 * n + side])
""",
}
FLOOD = r"""
import json, re, sys
from pathlib import Path
from autograder.worker.inside.protocol import make_game
from autograder.serving.game_server import GameServer
from autograder.errors import WorkerGone
import autograder.command_line  # what a grader has loaded

def serve(request):
    answer = json.loads(served.serve(request))
    return answer[0] if isinstance(answer, list) else None

try:
    game = make_game(json.loads(sys.argv[2]))
    served = GameServer(game, game.initial)
    exec(sys.argv[1])
except WorkerGone as gone:
    # Not ru_maxrss, in which the process that started this one still counts.
    peak = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    megabytes = int(peak[1]) >> 10
    print(json.dumps([str(gone), len(served.positions), len(served.events), megabytes]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other ways there")
@pytest.mark.slow
@pytest.mark.parametrize("kind", WORST)
def test_the_worst_record_leaves_the_grader_small(kind: str) -> None:
    game = CONNECT_FOUR if "boards" in kind else TICTACTOE
    command = [sys.executable, "-c", FLOOD, WORST[kind], json.dumps(game)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    why, positions, events, megabytes = json.loads(done.stdout)
    print(f"\n{kind}: {positions:,} positions, {events:,} events, {megabytes} MB")
    assert "does it end?" in why
    assert megabytes < MOST_MEMORY


def test_record_lists_each_request() -> None:
    game = make_game(TICTACTOE)
    served = GameServer(
        game, game.initial, cutoff=lambda state, depth: depth > 1, h=lambda state: 0.5
    )
    for request in (
        ["result", 0, 4],
        ["result", 1, 0],
        ["cutoff", 2, 2],
        ["h", 2, "O"],
        ["utility", 1, True],
        ["utility", 1, 1],
        ["utility", 1, "1"],
    ):
        served.serve(request)
    first = game.result(game.initial, (1, 1))
    second = game.result(first, (0, 0))
    assert list(served.positions) == [
        Position(game.initial, None, None, 0),
        Position(first, 0, (1, 1), 1),
        Position(second, 1, (0, 0), 2),
    ]
    assert list(served.events) == [
        Event("result", 1),
        Event("result", 2),
        Event("cutoff", 2, 2, True),
        Event("h", 2, "O", -0.5),
        Event("utility", 1, True, 0),
        Event("utility", 1, 1, 0),
        Event("utility", 1, "1", 0),
    ]
    assert [type(served.events[i].answer) for i in (2, 3)] == [bool, float]
    assert served.path(2) == [0, 1, 2]
