"""Compare algorithms, also in matches, and measure how stable MCTS is."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from autograder.settings import SETTINGS
from lab.engines import (
    SearchSettings,
    Task,
    explain_unsupported,
    list_playable_engines,
    make_engine_player,
    search,
)
from lab.student import StudentCode
from starter.games import Game
from starter.players import MatchResult, Player, play_match

Row = dict[str, Any]
PLAYOUTS = (10, 30, 100, 300, 1000)
CONSTANTS = tuple(sorted({0.0, 0.5, 1.0, SETTINGS.C, 2.0}))  # values of C that are compared


def compare_algorithms(
    code: StudentCode, game: Game, plies: int, playouts: int, seed: int
) -> Iterator[Row]:
    for name in list_playable_engines(code):
        if explain_unsupported(name, game):
            continue
        result = search(
            code, Task(name, game, game.initial, SearchSettings(plies, playouts, seed=seed))
        )
        counts = {what: result.counts.get(what) for what in ("positions", "prunes", "playouts")}
        value = result.value if result.counts else None
        row = {"algorithm": name, "move": str(result.move), "value": value}
        yield row | counts | {"seconds": result.seconds}


def measure_win_rates(
    code: StudentCode, game: Game, games: int, seed: int, X: dict[str, Any], O: dict[str, Any]
) -> Iterator[Row]:
    rng = random.Random(seed)
    first, second = [
        make_engine_player(
            side["engine"],
            code,
            SearchSettings(side["plies"], side["playouts"], side["C"], rng.getrandbits(32)),
        )
        for side in (X, O)
    ]
    for result in play_series(game, first, second, games):
        low, high = result.win_interval()
        yield {
            "X": X["engine"],
            "O": O["engine"],
            "games": result.games,
            "X won": result.wins,
            "drawn": result.draws,
            "O won": result.losses,
            "X's wins": f"{low:.1%} to {high:.1%}",
            "X's points": f"{result.score_rate:.1%}",
        }


def play_series(game: Game, X: Player, O: Player, games: int) -> Iterator[MatchResult]:
    """Yield the result so far after each game. X always moves first."""
    total = MatchResult(0, 0, 0)
    for _ in range(games):
        total = MatchResult(*map(sum, zip(total, play_match(game, X, O, games=1))))
        yield total


def measure_stability(
    code: StudentCode, game: Game, searches: int, C: float, seed: int
) -> Iterator[Row]:
    rng = random.Random(seed)
    for playouts in PLAYOUTS:
        choices: Counter[str] = Counter()
        for count in range(1, searches + 1):
            settings = SearchSettings(playouts=playouts, C=C, seed=rng.getrandbits(32))
            choices[str(search(code, Task("MCTS", game, game.initial, settings)).move)] += 1
            yield {
                "playouts": playouts,
                "searches": count,
                "share": choices.most_common(1)[0][1] / count,
                "moves chosen": " · ".join(f"{move} × {n}" for move, n in choices.most_common()),
            }


def tune_mcts(
    code: StudentCode, game: Game, opponent: str, plies: int, games: int, seed: int
) -> Iterator[Row]:
    rng = random.Random(seed)
    for playouts in PLAYOUTS[:4]:
        for C in CONSTANTS:
            X = make_engine_player(opponent, code, SearchSettings(plies, seed=rng.getrandbits(32)))
            settings = SearchSettings(playouts=playouts, C=C, seed=rng.getrandbits(32))
            O = make_engine_player("MCTS", code, settings)
            for result in play_series(game, X, O, games):
                row = {"playouts": playouts, "C": C, "games": result.games}
                yield row | {"score": 1 - result.score_rate}
