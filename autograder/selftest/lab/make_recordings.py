"""`python -m autograder.selftest.lab.make_recordings`: write lab/recordings.json."""

import json
from typing import Any

from autograder.questions import ROOT
from autograder.serving.case_files import format_json
from lab import engines, student
from lab.engines import SearchResult, SearchSettings, Task
from lab.positions import POSITIONS, find_category_by_position, read_typed_position
from lab.recordings import FILE, RECORDED_POSITIONS
from solution.expectiminimax import expectiminimax
from starter.games import Game, State

PLAYOUTS = 20


def record_search(code: student.StudentCode, engine: str) -> SearchResult:
    position = RECORDED_POSITIONS[engine]
    game, state = read_typed_position(position, POSITIONS[position])
    task = Task(engine, game, state, SearchSettings(playouts=PLAYOUTS, seed=1), recorded=True)
    return engines.search(code, task)._replace(seconds=0)


def compute_values(game: Game, root: State) -> dict[str, float]:
    """Return each move's value for the player to move, by the solution."""
    return {
        str(move): float(expectiminimax(game, game.result(root, move), str(root.to_move))[0])
        for move in game.actions(root)
    }


def make_recordings() -> dict[str, Any]:
    code = student.read_code(ROOT / "solution")
    searches = {engine: record_search(code, engine) for engine in RECORDED_POSITIONS}
    values = {}
    for name, text in POSITIONS.items():
        category = find_category_by_position(name)
        if category is None or category.name in ("Nim", "tic-tac-toe"):
            values[name] = compute_values(*read_typed_position(name, text))
    data: dict[str, Any] = json.loads(json.dumps({"searches": searches, "values": values}))
    return data


if __name__ == "__main__":
    FILE.write_text(format_json(make_recordings(), levels=2) + "\n", encoding="utf-8")
