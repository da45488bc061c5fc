"""Read recorded searches and true values of positions from recordings.json."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from lab.engines import SearchResult, Task
from lab.mcts_trace import Stats
from lab.node_status import NodeStatus, SearchStep
from lab.node_status import Path as Moves
from lab.positions import POSITIONS, read_typed_position

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
    value, move, counts, seconds, ratings, data = _read_data()["searches"][engine]
    node: Any = Stats if engine == "MCTS" else NodeStatus
    steps = [
        SearchStep(name, path, words, {path: node(*fields) for path, fields in nodes})
        for name, path, words, nodes in to_tuples(data)
    ]
    moves = [(name, node(*fields)) for name, fields in to_tuples(ratings)]
    result = SearchResult(value, to_tuples(move), counts, seconds, moves, steps)
    return Task(engine, game, state), result


def find_true_values(name: str, text: str, plies: int) -> dict[Moves, float]:
    """Return the values of nodes of a position, for the player to move at the root.

    The result is empty if they are not known, if the text of the position was changed, or if a
    search of that depth does not find them.
    """
    if text != POSITIONS.get(name) or name not in _read_data()["values"]:
        return {}
    length, values = _read_data()["values"][name]  # length: of the longest game
    return dict(to_tuples(values)) if plies >= length else {}


def to_tuples(data: Any) -> Any:
    """Return JSON data with tuples for its lists: moves and paths are tuples."""
    return tuple(map(to_tuples, data)) if isinstance(data, list) else data
