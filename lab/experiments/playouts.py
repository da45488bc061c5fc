"""MCTS: how sure it is of its choice, how it is tuned, and playouts that end early."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

from autograder.settings import SETTINGS
from lab.charts import heat_map, lines
from lab.engines import ENGINES, Settings, Task, heuristic_for, search
from lab.experiments.contests import sides
from lab.experiments.experiment import (
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
from lab.student import NotUsable, Student
from lab.trace import DepthLimitedGame, replaced
from starter.games import Game, Move, State
from starter.players import Player, play_game

CONSTANTS = tuple(sorted({0.0, 0.5, 1.0, SETTINGS.C, 2.0}))  # values of C that are compared


class PlayoutsAgainstStability(Experiment):
    name = "playouts against stability"
    question = "Asked again and again about the empty board, does MCTS choose the same move?"
    key = ("playouts",)
    plot = partial(lines, x="playouts", y="share", log="playouts")
    needs = ("mcts",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {
            "game": board(mo),
            "searches": slider(mo, "searches", 20, 5, 50, 5),
            "C": slider(mo, "C", SETTINGS.C, 0, 4, 0.1),
            "seed": seed(mo),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        game, rng = BOARDS[values["game"]], random.Random(values["seed"])
        for playouts in PLAYOUTS:
            chosen: Counter[str] = Counter()
            for searches in range(1, values["searches"] + 1):
                settings = Settings(None, playouts, values["C"], rng.getrandbits(32))
                chosen[str(search(code, Task("MCTS", game, game.initial, settings)).move)] += 1
                favourite, times = chosen.most_common(1)[0]
                yield {
                    "playouts": playouts,
                    "searches": searches,
                    "favourite": favourite,
                    "share": times / searches,
                    "moves chosen": " · ".join(f"{move} × {n}" for move, n in chosen.most_common()),
                }

    def conclude(self, rows: list[Row]) -> str:
        first, last = rows[0], rows[-1]
        return (
            f"With {first['playouts']} playouts {first['share']:.0%} of {first['searches']} "
            f"searches chose the favourite, {first['favourite']}; with {last['playouts']:,} it was "
            f"{last['share']:.0%}, and the favourite {last['favourite']}."
        )


class TuningCAndPlayouts(Experiment):
    name = "tuning C and playouts"
    question = (
        "Which C goes with how many playouts? MCTS moves second, so that not losing is an art; the "
        "figures are its share of the points, a draw being half a point."
    )
    key = ("playouts", "C")
    plot = partial(heat_map, x="C", y="playouts", shade="score")
    needs = ("mcts",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        opponents = tuple(name for name in ("alpha-beta", "random") if name in ENGINES)
        chosen = first_available(code, opponents)
        return {
            "game": board(mo),
            "opponent": mo.ui.dropdown(list(opponents), chosen, label="opponent"),
            "plies": slider(mo, "its plies", 6, 1, 9),
            "games": slider(mo, "games each", 10, 2, 50, 2),
            "seed": seed(mo),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        game, rng = BOARDS[values["game"]], random.Random(values["seed"])
        for playouts in PLAYOUTS[:4]:
            for C in CONSTANTS:
                X = values["opponent"], Settings(int(values["plies"]), seed=rng.getrandbits(32))
                O = "MCTS", Settings(None, playouts, C, rng.getrandbits(32))
                for result in sides(code, game, X, O, int(values["games"])):
                    yield {
                        "playouts": playouts,
                        "C": C,
                        "games": result.games,
                        "score": 1 - result.score_rate,
                    }

    def conclude(self, rows: list[Row]) -> str:
        best, worst = (choose(rows, key=lambda row: row["score"]) for choose in (max, min))
        words = [
            f"the {word} score, {row['score']:.0%}, came with C = {row['C']:g} and "
            f"{row['playouts']} playouts"
            for word, row in (("best", best), ("worst", worst))
        ]
        return (
            f"Of {len(rows)} settings {' and '.join(words)}. Each played {best['games']} games, so "
            "that small differences mean little."
        )


class Judged(DepthLimitedGame):
    """A game that ends after so many plies, with what a heuristic says of the position."""

    def __init__(self, game: Game, root: State, plies: int, h: Callable[..., float]) -> None:
        super().__init__(game, root, plies)
        self._h = h

    def utility(self, state: Any, player: str) -> float:
        if self._game.is_terminal(state.state):
            return self._game.utility(state.state, player)
        return self._h(state.state, player)


class PlayoutsCutOffByAHeuristic(Experiment):
    name = "playouts cut off by a heuristic"
    question = (
        "Random play to the end says little about a long game. Here a playout of MCTS ends after a "
        "few plies, and a heuristic judges; whole playouts are the opponent."
    )
    key = ("cut off after",)
    needs = ("mcts",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {
            "game": board(mo),
            "playouts": slider(mo, "playouts", 100, steps=list(PLAYOUTS[:4])),
            "games": slider(mo, "games each", 6, 2, 40, 2),
            "seed": seed(mo),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        module, game = self.module(code), BOARDS[values["game"]]
        h = heuristic_for(code, game)
        if h is None:
            raise NotUsable("there is no heuristic for this game: write connect_four_heuristic")
        simulate, search = module.simulate, module.monte_carlo_tree_search
        rng = random.Random(values["seed"])
        for plies in (0, 2, 4, 8):

            def short(game: Game, state: State, rng: random.Random, plies: int = plies) -> float:
                judged = Judged(game, state, plies, h)
                result: float = simulate(judged, judged.initial, rng)
                return result

            def with_h(game: Game, state: State, short: Any = short) -> Move:
                with replaced(module, simulate=short):
                    return search(game, state, int(values["playouts"]), rng=rng)[1]

            def plain(game: Game, state: State) -> Move:
                return search(game, state, int(values["playouts"]), rng=rng)[1]

            points = 0.0
            for number in range(1, int(values["games"]) + 1):
                side = "XO"[number % 2]
                players: dict[str, Player] = {"X": plain, "O": plain} | {side: with_h}
                points += (1 + game.utility(play_game(game, players).state, side)) / 2
                yield {"cut off after": plies, "games": number, "points": points}

    def conclude(self, rows: list[Row]) -> str:
        results = "; ".join(
            f"cut off after {row['cut off after']} plies it made {row['points']:g} points of "
            f"{row['games']}"
            for row in rows
        )
        return f"{results.capitalize()} against whole playouts. Few games tell little."
