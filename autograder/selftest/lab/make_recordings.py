"""`python -m autograder.selftest.lab.make_recordings`: write lab/recordings.json."""

import json
from typing import Any

from autograder.author.cases import format_json
from autograder.questions import ROOT
from lab import engines, student
from lab.engines import Task
from lab.positions import POSITIONS, read_typed_position
from lab.recordings import FILE, RECORDED_POSITIONS


def make_recordings() -> Any:
    """Return the content of the file: by engine, what the solution's search found."""
    code, searches = student.read_code(ROOT / "solution"), {}
    for engine, position in RECORDED_POSITIONS.items():
        game, state = read_typed_position(position, POSITIONS[position])
        task = Task(engine, game, state, playouts=20, seed=1, recorded=True)
        searches[engine] = engines.search(code, task)._replace(seconds=0)
    return json.loads(json.dumps(searches))


if __name__ == "__main__":
    FILE.write_text(format_json(make_recordings(), levels=1) + "\n", encoding="utf-8")
