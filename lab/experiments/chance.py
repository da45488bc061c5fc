"""What the size of values matters under chance."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from lab.experiments.experiment import Experiment, Row, Values, seed, slider
from lab.student import Student
from starter.games import ChanceTree


class SqueezingHUnderChance(Experiment):
    name = "squeezing h under chance"
    question = (
        "A heuristic may be squeezed into (-1, 1), which keeps the order of its values. Does the "
        "best move stay the same? These trees are searched by your expectiminimax."
    )
    key = ()
    needs = ("expectiminimax",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"trees": slider(mo, "trees", 100, 10, 500, 10), "seed": seed(mo)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """In how many random trees the best move changes when all values are squeezed: with chance
        between the move and the values, and without."""
        module, rng = self.module(code), random.Random(values["seed"])
        changed = {"MIN below": 0, "chance below": 0}
        for number in range(1, int(values["trees"]) + 1):
            leaves = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(3)]
            squeezed = [[math.tanh(leaf / 3) for leaf in node] for node in leaves]
            for below, made in (
                ("MIN below", lambda node: {"O": node}),
                ("chance below", lambda node: {"chance": [("1/3", leaf) for leaf in node]}),
            ):
                games = [ChanceTree({"X": list(map(made, tree))}) for tree in (leaves, squeezed)]
                moves = {module.expectiminimax_search(game, game.initial)[1] for game in games}
                changed[below] += len(moves) > 1
            yield {"trees": number} | changed

    def conclude(self, rows: list[Row]) -> str:
        row = rows[-1]
        return (
            f"Squeezed values, in the same order as before, have another best move in "
            f"{row['chance below']} of {row['trees']} trees where chance moves next, and in "
            f"{row['MIN below']} where MIN does: a mean goes by how large values are, a minimum by "
            "their order alone."
        )
