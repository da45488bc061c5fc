"""Algorithms beside, and against, each other."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from types import ModuleType
from typing import Any

from autograder.settings import SETTINGS
from lab.charts import bar
from lab.engines import ENGINES, Settings, Task, available, player, search, unsupported_reason
from lab.experiments.experiment import (
    AHEAD,
    BOARDS,
    PLAYOUTS,
    Experiment,
    Row,
    Values,
    board,
    first_available,
    seed,
    slider,
)
from lab.student import Student
from starter.games import Game
from starter.players import MatchResult, play_match

# The engines that play a match.
SIDES = (*AHEAD, *(name for name in ("MCTS", "random") if name in ENGINES))


class AllAlgorithmsSideBySide(Experiment):
    name = "all algorithms side by side"
    question = (
        "What does each of your algorithms play in the first position, and what does it cost?"
    )
    key = ("algorithm",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {
            "game": board(mo),
            "plies": slider(mo, "plies, of those that look ahead", 4, 1, 9),
            "playouts": slider(mo, "playouts of MCTS", 1000, steps=list(PLAYOUTS)),
            "seed": seed(mo),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        game = BOARDS[values["game"]]
        settings = Settings(int(values["plies"]), int(values["playouts"]), seed=values["seed"])
        for name in [name for name in available(code) if not unsupported_reason(name, game)]:
            result = search(code, Task(name, game, game.initial, settings))
            yield {
                "algorithm": name,
                "move": str(result.move),
                "value": result.value if result.counts else None,
                "positions": result.counts.get("positions"),
                "prunes": result.counts.get("prunes"),
                "playouts": result.counts.get("playouts"),
                "seconds": result.seconds,
            }

    def conclude(self, rows: list[Row]) -> str:
        cost = {row["algorithm"]: row["positions"] for row in rows}
        moves = [row["move"] for row in rows if row["algorithm"] != "random"]
        words = "They agree."
        if len(moves) < 2:
            words = "Write more of your algorithms, and you can compare them."
        elif len(set(moves)) > 1:
            words = f"They play {len(set(moves))} different moves."
        if {"minimax", "alpha-beta"} <= set(cost):
            share = cost["alpha-beta"] / cost["minimax"]
            words += f" alpha-beta visits {share:.1%} of minimax's positions."
        return words


class WinRates(Experiment):
    name = "win rates"
    question = (
        "Who wins more often? A share of wins is worth little without its confidence interval: the "
        "true share lies inside it 95 times in 100. X always moves first."
    )
    key = ("X", "O")
    plot = partial(bar, fields=("X won", "drawn", "O won"), unit="games")

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {
            "game": board(mo),
            "games": slider(mo, "games", 100, steps=[10, 30, 100, 300, 1000]),
            "seed": seed(mo),
            "X": _side(mo, "X", first_available(code, SIDES)),
            "O": _side(mo, "O", "random"),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        rng = random.Random(values["seed"])
        X, O = (_settings(values[side], rng.getrandbits(32)) for side in "XO")
        for result in sides(code, BOARDS[values["game"]], X, O, int(values["games"])):
            yield {
                "X": X[0],
                "O": O[0],
                "games": result.games,
                "X won": result.wins,
                "drawn": result.draws,
                "O won": result.losses,
                "X's wins": result.win_interval(),
                "X's points": f"{result.score_rate:.1%}",
            }

    def conclude(self, rows: list[Row]) -> str:
        row = rows[-1]
        low, high = row["X's wins"]
        sure = "these games don't tell whether that is more than half"
        if low > 0.5 or high < 0.5:
            sure = f"most likely {'more' if low > 0.5 else 'less'} than half"
        return (
            f"{row['X']}, as X, won {row['X won']} of {row['games']} games. Its true share of wins "
            f"lies between {low:.1%} and {high:.1%}, 95 times in 100: {sure}."
        )


def _side(mo: ModuleType, side: str, engine: str) -> Any:
    return mo.ui.dictionary(
        {
            "engine": mo.ui.dropdown(list(SIDES), engine, label=side),
            "plies": slider(mo, f"{side}'s plies, if it looks ahead", 4, 1, 9),
            "playouts": slider(mo, f"{side}'s playouts, if it is MCTS", 100, steps=list(PLAYOUTS)),
            "C": slider(mo, f"{side}'s C, likewise", SETTINGS.C, 0, 4, 0.1),
        }
    )


def _settings(side: Values, seed: int) -> tuple[str, Settings]:
    return side["engine"], Settings(int(side["plies"]), int(side["playouts"]), side["C"], seed)


def sides(
    code: Student, game: Game, X: tuple[str, Settings], O: tuple[str, Settings], games: int
) -> Iterator[MatchResult]:
    """The result so far, after each game between two engines, X always moving first."""
    first, second = (player(name, code, settings) for name, settings in (X, O))
    total = MatchResult(0, 0, 0)
    for _ in range(games):
        total = MatchResult(*map(sum, zip(total, play_match(game, first, second, games=1))))
        yield total
