"""Read recorded searches by right code from recordings.json."""

import json
from pathlib import Path
from typing import Any

from lab.engines import SearchResult, Task
from lab.positions import POSITIONS, read_typed_position
from lab.visits import SearchStep

FILE = Path(__file__).resolve().parent / "recordings.json"
RECORDED_POSITIONS = {  # the position in which each engine was recorded
    "minimax": "the textbook's figure 5.2",
    "alpha-beta": "the textbook's figure 5.2",
    "MCTS": "tic-tac-toe, win or lose",
}


def find_recording(engine: str) -> tuple[Task, SearchResult] | None:
    """Return the task and the result of correct code, or None if none is recorded."""
    if engine not in RECORDED_POSITIONS:
        return None
    position = RECORDED_POSITIONS[engine]
    game, state = read_typed_position(position, POSITIONS[position])
    recorded = json.loads(FILE.read_text(encoding="utf-8"))[engine]
    value, move, counts, seconds, moves, steps = to_tuples(recorded)
    steps = [SearchStep(*step) for step in steps]
    return Task(engine, game, state), SearchResult(value, move, counts, seconds, moves, steps)


def to_tuples(data: Any) -> Any:
    """Return JSON data with tuples for its lists: moves and paths are tuples."""
    return tuple(map(to_tuples, data)) if isinstance(data, list) else data
