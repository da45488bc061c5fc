"""Read recorded searches and true values from recordings.json, and compare with them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from autograder.diagram import format_value
from lab.engines import SearchResult, Task
from lab.positions import POSITIONS, find_fitting_depth, read_typed_position
from lab.visits import SearchStep

ROUNDING = 1e-9  # errors of a search that adds up fractions
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


def make_move_rows(result: SearchResult, values: dict[str, float]) -> list[dict[str, Any]]:
    """Return a table row for each move, in the order of the search's ranking.

    values: the true values of the moves by their names, if they are known
    """
    rows = [{"move": str(move), **found} for move, found in result.moves]
    for row in rows if values else ():
        row["true value"] = format_value(values[row["move"]])
    return rows


def compare_with_truth(result: SearchResult, values: dict[str, float]) -> tuple[str, bool]:
    """Say whether the search agrees with what is known of the position.

    Return the words, or "" if nothing is known, and whether the search agrees.
    """
    if not values or not result.counts:
        return "", True
    true_value = max(values.values())
    if not result.is_mcts and abs(result.value - true_value) > ROUNDING:
        words = f"The search returned {format_value(result.value)}"
        return f"{words}; the true value is {format_value(true_value)}.", False
    if values[str(result.move)] < true_value:
        names = " or ".join(name for name, value in values.items() if value == true_value)
        return f"The true value is {format_value(true_value)}, which {names} would reach.", False
    return f"The true value is {format_value(true_value)}, and {result.move} reaches it.", True
