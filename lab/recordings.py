"""Read recorded searches and true values of positions from recordings.json."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from lab.engines import SearchResult, Task
from lab.positions import POSITIONS, find_fitting_depth, read_typed_position
from lab.visits import SearchStep

FILE = Path(__file__).resolve().parent / "recordings.json"
RECORDED_POSITIONS = {  # the position in which each engine was recorded
    "minimax": "the textbook's figure 5.2",
    "alpha-beta": "the textbook's figure 5.2",
    "MCTS": "tic-tac-toe, win or lose",
}


@cache
def _read_data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def find_recording(engine: str) -> tuple[Task, SearchResult] | None:
    """Return the task and the result of correct code, or None if none is recorded."""
    if engine not in RECORDED_POSITIONS:
        return None
    position = RECORDED_POSITIONS[engine]
    game, state = read_typed_position(position, POSITIONS[position])
    value, move, counts, seconds, moves, steps = to_tuples(_read_data()["searches"][engine])
    steps = [SearchStep(*step) for step in steps]
    return Task(engine, game, state), SearchResult(value, move, counts, seconds, moves, steps)


def find_true_values(name: str, text: str, plies: int) -> dict[str, float]:
    """Return the values of the moves of a position, for the player to move.

    The result is empty if they are not known, if the text of the position was changed, or if a
    search of that depth may not find them.
    """
    if text != POSITIONS.get(name) or plies < find_fitting_depth(name):
        return {}
    values: dict[str, float] = _read_data()["values"].get(name, {})
    return values


def to_tuples(data: Any) -> Any:
    """Return JSON data with tuples for its lists: moves and paths are tuples."""
    return tuple(map(to_tuples, data)) if isinstance(data, list) else data
