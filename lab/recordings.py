"""What is known without the student's code: searches of right code, recorded, and true values. Both
are data in recordings.json."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lab.engines import SearchResult, Task
from lab.positions import POSITIONS, typed_position
from lab.trace import NodeStatus, Phase, Stats, Step
from lab.trace import Path as Moves

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
    """Return what right code was asked and what it did, step by step; None if nothing was recorded
    with this engine."""
    if engine not in RECORDED:
        return None
    game, state = typed_position(RECORDED[engine], POSITIONS[RECORDED[engine]])
    result = SearchResult(*_data()["searches"][engine])
    read = read_phase if engine == "MCTS" else read_step
    move = read_move(result.move)
    steps = [read(step) for step in result.steps]
    return Task(engine, game, state), result._replace(move=move, steps=steps)


def true_values(name: str, text: str, plies: int | None) -> dict[Moves, float]:
    """Return the values, for the player to move at the root, of nodes of the position of that name;
    nothing if it was changed, if a search that far ahead does not find them, or if they are not
    known."""
    if text != POSITIONS.get(name) or name not in _data()["values"]:
        return {}
    length, values = _data()["values"][name]  # length: of the longest game
    if plies is not None and plies < length:
        return {}
    return {read_path(path): value for path, value in values}


def read_move(move: Any) -> Any:
    return tuple(move) if isinstance(move, list) else move


def read_path(path: list[Any]) -> Moves:
    return tuple(map(read_move, path))


def read_step(step: list[Any]) -> Step:
    name, path, seen = step
    return Step(
        name, read_path(path), {read_path(path): NodeStatus(*status) for path, status in seen}
    )


def read_phase(phase: list[Any]) -> Phase:
    playout, name, leaf, child, utility, tree = phase
    stats = {read_path(path): Stats(*stats) for path, stats in tree}
    return Phase(playout, name, read_path(leaf), read_path(child), utility, stats)
