"""`python -m autograder.selftest.lab.make_recordings`: write lab/recordings.json."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import astuple
from typing import Any

from autograder.questions import ROOT
from lab import engines, student
from lab.engines import SearchResult, Settings, Task
from lab.node_status import Path
from lab.positions import POSITIONS, category_with, typed_position
from lab.recordings import FILE, RECORDED
from solution.expectiminimax import expectiminimax
from starter.games import Game, State

PLAYOUTS = 20
MAX_NODES = 70  # in trees of which all values are recorded; in larger ones, only the root's moves


def recorded(code: student.Student, engine: str) -> SearchResult:
    game, state = typed_position(RECORDED[engine], POSITIONS[RECORDED[engine]])
    task = Task(engine, game, state, Settings(playouts=PLAYOUTS, seed=1), recorded=True)
    return engines.search(code, task)._replace(seconds=0)


def values(game: Game, root: State) -> dict[Path, float]:
    """Return each node's value for the player to move at the root, by the solution."""

    def below(path: Path, state: State, plies: int) -> Iterator[tuple[Path, State]]:
        yield path, state
        if plies and not game.is_terminal(state):
            moves = [move for _, move in game.outcomes(state)] or list(game.actions(state))
            for move in moves:
                yield from below((*path, move), game.result(state, move), plies - 1)

    nodes = dict(below((), root, 4))
    if len(nodes) > MAX_NODES:
        nodes = dict(below((), root, 1))
    return {
        path: float(expectiminimax(game, state, str(root.to_move))[0])
        for path, state in nodes.items()
    }


def make() -> dict[str, Any]:
    code = student.read(ROOT / "solution")
    searches = {}
    for engine in RECORDED:
        *found, steps = recorded(code, engine)
        searches[engine] = [*found, [[*step[:3], list(step.nodes.items())] for step in steps]]
    known = {}
    for name, text in POSITIONS.items():
        game, root = typed_position(name, text)
        category = category_with(name)
        if category is None or category.name in ("Nim", "tic-tac-toe"):
            nodes = list(values(game, root).items())
            longest = max(text.count("."), *(len(path) for path, _ in nodes))
            known[name] = [longest, nodes]
    text = json.dumps({"searches": searches, "values": known}, default=astuple)  # of dataclasses
    data: dict[str, Any] = json.loads(text)
    return data


if __name__ == "__main__":
    lines = [
        f' "{kind}": {{\n  '
        + ",\n  ".join(f"{json.dumps(name)}: {json.dumps(item)}" for name, item in items.items())
        + "\n }"
        for kind, items in make().items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
