"""Algorithms beside, and against, each other; and MCTS: how sure it is of its choice, how it is
tuned, and playouts that end early."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import Any

from autograder.settings import SETTINGS
from lab.charts import bar, heat_map, lines
from lab.engines import (
    ENGINES,
    Settings,
    Task,
    available,
    heuristic_for,
    player,
    search,
    unsupported_reason,
)
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
from lab.student import NotUsable, Student
from lab.trace import DepthLimitedGame, replaced
from starter.games import Game, Move, State
from starter.players import MatchResult, Player, play_game, play_match

# The engines that play a match.
SIDES = (*AHEAD, *(name for name in ("MCTS", "random") if name in ENGINES))
CONSTANTS = tuple(sorted({0.0, 0.5, 1.0, SETTINGS.C, 2.0}))  # values of C that are compared


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


# --- MCTS -----------------------------------------------------------------------------------------


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
