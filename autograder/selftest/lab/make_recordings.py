"""`python -m autograder.selftest.lab.make_recordings`: write lab/recordings.json."""

import json
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

from autograder.questions import ROOT
from autograder.serving.case_files import format_json
from lab import engines, student
from lab.engines import SearchResult, SearchSettings, Task
from lab.node_status import Path
from lab.positions import POSITIONS, find_category_by_position, read_typed_position
from lab.recordings import FILE, RECORDED_POSITIONS
from solution.expectiminimax import expectiminimax
from starter.games import Game, State

PLAYOUTS = 20
MAX_NODES = 70  # in trees of which all values are recorded; in larger ones, only the root's moves


def record_search(code: student.StudentCode, engine: str) -> SearchResult:
    position = RECORDED_POSITIONS[engine]
    game, state = read_typed_position(position, POSITIONS[position])
    task = Task(engine, game, state, SearchSettings(playouts=PLAYOUTS, seed=1), recorded=True)
    return engines.search(code, task)._replace(seconds=0)


def compute_values(game: Game, root: State) -> dict[Path, float]:
    """Return each node's value for the player to move at the root, by the solution."""

    def walk(path: Path, state: State, plies: int) -> Iterator[tuple[Path, State]]:
        yield path, state
        if plies and not game.is_terminal(state):
            moves = [move for _, move in game.outcomes(state)] or list(game.actions(state))
            for move in moves:
                yield from walk((*path, move), game.result(state, move), plies - 1)

    nodes = dict(walk((), root, 4))
    if len(nodes) > MAX_NODES:
        nodes = dict(walk((), root, 1))
    return {
        path: float(expectiminimax(game, state, str(root.to_move))[0])
        for path, state in nodes.items()
    }


def make_recordings() -> dict[str, Any]:
    code = student.read_code(ROOT / "solution")
    searches = {}
    for engine in RECORDED_POSITIONS:
        *result, steps = record_search(code, engine)
        searches[engine] = [*result, [[*step[:3], list(step.nodes.items())] for step in steps]]
    true_values = {}
    for name, text in POSITIONS.items():
        game, root = read_typed_position(name, text)
        category = find_category_by_position(name)
        if category is None or category.name in ("Nim", "tic-tac-toe"):
            nodes = list(compute_values(game, root).items())
            longest = max(text.count("."), *(len(path) for path, _ in nodes))
            true_values[name] = [longest, nodes]
    recordings = {"searches": searches, "values": true_values}
    data: dict[str, Any] = json.loads(json.dumps(recordings, default=astuple))  # of dataclasses
    return data


if __name__ == "__main__":
    FILE.write_text(format_json(make_recordings(), levels=2) + "\n", encoding="utf-8")
