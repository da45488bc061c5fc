"""`python -m autograder.selftest.lab.make_recordings`: write lab/recordings.json."""

import json
from typing import Any

from autograder.questions import ROOT
from autograder.serving.case_files import format_json
from lab import engines, student
from lab.engines import SearchResult, Task
from lab.positions import POSITIONS, read_typed_position
from lab.recordings import FILE, RECORDED_POSITIONS

PLAYOUTS = 20


def record_search(code: student.StudentCode, engine: str) -> SearchResult:
    position = RECORDED_POSITIONS[engine]
    game, state = read_typed_position(position, POSITIONS[position])
    task = Task(engine, game, state, playouts=PLAYOUTS, seed=1, recorded=True)
    return engines.search(code, task)._replace(seconds=0)


def make_recordings() -> dict[str, Any]:
    code = student.read_code(ROOT / "solution")
    searches = {engine: record_search(code, engine) for engine in RECORDED_POSITIONS}
    data: dict[str, Any] = json.loads(json.dumps(searches))
    return data


if __name__ == "__main__":
    FILE.write_text(format_json(make_recordings(), levels=1) + "\n", encoding="utf-8")
