"""Compare algorithms, also in matches, and measure how stable MCTS is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from autograder.settings import SETTINGS
from lab.depth_limit import DepthLimitedGame
from lab.engines import (
    SearchSettings,
    Task,
    explain_unsupported,
    find_heuristic,
    list_playable_engines,
    make_engine_player,
    search,
)
from lab.student import NotUsable, StudentCode
from lab.trace import replace_functions
from starter.games import Game, Move, State
from starter.players import MatchResult, Player, play_game, play_match

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


# --- MCTS -----------------------------------------------------------------------------------------


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


def shorten_playouts(
    code: StudentCode, game: Game, playouts: int, games: int, seed: int
) -> Iterator[Row]:
    module, h, rng = code.module("mcts"), find_heuristic(code, game), random.Random(seed)
    if h is None:
        raise NotUsable("there is no heuristic for this game: write connect_four_heuristic")
    simulate = module.simulate

    def play_whole(game: Game, state: State) -> Move:
        return module.monte_carlo_tree_search(game, state, playouts, rng=rng)[1]

    for plies in (0, 2, 4, 8):

        def shorten(game: Game, state: State, rng: random.Random, plies: int = plies) -> Any:
            limited = DepthLimitedGame(game, state, plies, h)
            return simulate(limited, limited.initial, rng)

        def play_short(game: Game, state: State, shorten: Callable[..., Any] = shorten) -> Move:
            with replace_functions(module, simulate=shorten):
                return play_whole(game, state)

        points = 0.0
        for number in range(1, games + 1):
            side = "XO"[number % 2]
            players: dict[str, Player] = {"X": play_whole, "O": play_whole} | {side: play_short}
            points += (1 + game.utility(play_game(game, players).state, side)) / 2
            yield {"cut off after": plies, "games": number, "points": points}
