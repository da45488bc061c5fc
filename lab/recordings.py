"""Read recorded searches and true values of positions from recordings.json."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lab.engines import SearchResult, Task
from lab.mcts_trace import Stats
from lab.node_status import NodeStatus, Step
from lab.node_status import Path as Moves
from lab.positions import POSITIONS, typed_position

FILE = Path(__file__).resolve().parent / "recordings.json"
RECORDED = {  # the position in which each engine was recorded
    "minimax": "the textbook's figure 5.2",
    "alpha-beta": "the textbook's figure 5.2",
    "MCTS": "tic-tac-toe, win or lose",
}


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return data


def recorded_search(engine: str) -> tuple[Task, SearchResult] | None:
    """Return the task and the result of correct code, or None if none is recorded."""
    if engine not in RECORDED:
        return None
    game, state = typed_position(RECORDED[engine], POSITIONS[RECORDED[engine]])
    value, move, counts, seconds, rated, data = _data()["searches"][engine]
    node: Any = Stats if engine == "MCTS" else NodeStatus
    steps = [
        Step(name, path, words, {path: node(*fields) for path, fields in nodes})
        for name, path, words, nodes in as_tuples(data)
    ]
    moves = [(name, node(*fields)) for name, fields in as_tuples(rated)]
    result = SearchResult(value, as_tuples(move), counts, seconds, moves, steps)
    return Task(engine, game, state), result


def true_values(name: str, text: str, plies: int) -> dict[Moves, float]:
    """Return the values of nodes of a position, for the player to move at the root.

    The result is empty if they are not known, if the text of the position was changed, or if a
    search of that depth does not find them.
    """
    if text != POSITIONS.get(name) or name not in _data()["values"]:
        return {}
    length, values = _data()["values"][name]  # length: of the longest game
    return dict(as_tuples(values)) if plies >= length else {}


def as_tuples(data: Any) -> Any:
    """Return JSON data with tuples for its lists: moves and paths are tuples."""
    return tuple(map(as_tuples, data)) if isinstance(data, list) else data
