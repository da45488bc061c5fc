"""Compare algorithms, also in matches, and measure how stable MCTS is."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from autograder.settings import SETTINGS
from lab.depth_limit import DepthLimitedGame
from lab.engines import (
    Settings,
    Task,
    available,
    engine_player,
    heuristic_for,
    search,
    unsupported_reason,
)
from lab.student import NotUsable, Student
from lab.trace import replaced
from starter.games import Game, Move, State
from starter.players import MatchResult, Player, play_game, play_match

Row = dict[str, Any]
PLAYOUTS = (10, 30, 100, 300, 1000)
CONSTANTS = tuple(sorted({0.0, 0.5, 1.0, SETTINGS.C, 2.0}))  # values of C that are compared


def all_algorithms_side_by_side(
    code: Student, game: Game, plies: int, playouts: int, seed: int
) -> Iterator[Row]:
    for name in available(code):
        if unsupported_reason(name, game):
            continue
        result = search(code, Task(name, game, game.initial, Settings(plies, playouts, seed=seed)))
        counts = {what: result.counts.get(what) for what in ("positions", "prunes", "playouts")}
        value = result.value if result.counts else None
        row = {"algorithm": name, "move": str(result.move), "value": value}
        yield row | counts | {"seconds": result.seconds}


def win_rates(
    code: Student, game: Game, games: int, seed: int, X: dict[str, Any], O: dict[str, Any]
) -> Iterator[Row]:
    rng = random.Random(seed)
    first, second = [
        engine_player(
            side["engine"],
            code,
            Settings(side["plies"], side["playouts"], side["C"], rng.getrandbits(32)),
        )
        for side in (X, O)
    ]
    for result in results(game, first, second, games):
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


def results(game: Game, X: Player, O: Player, games: int) -> Iterator[MatchResult]:
    """Yield the result so far after each game. X always moves first."""
    total = MatchResult(0, 0, 0)
    for _ in range(games):
        total = MatchResult(*map(sum, zip(total, play_match(game, X, O, games=1))))
        yield total


# --- MCTS -----------------------------------------------------------------------------------------


def playouts_against_stability(
    code: Student, game: Game, searches: int, C: float, seed: int
) -> Iterator[Row]:
    rng = random.Random(seed)
    for playouts in PLAYOUTS:
        chosen: Counter[str] = Counter()
        for count in range(1, searches + 1):
            settings = Settings(playouts=playouts, C=C, seed=rng.getrandbits(32))
            chosen[str(search(code, Task("MCTS", game, game.initial, settings)).move)] += 1
            yield {
                "playouts": playouts,
                "searches": count,
                "share": chosen.most_common(1)[0][1] / count,
                "moves chosen": " · ".join(f"{move} × {n}" for move, n in chosen.most_common()),
            }


def tuning_C_and_playouts(
    code: Student, game: Game, opponent: str, plies: int, games: int, seed: int
) -> Iterator[Row]:
    rng = random.Random(seed)
    for playouts in PLAYOUTS[:4]:
        for C in CONSTANTS:
            X = engine_player(opponent, code, Settings(plies, seed=rng.getrandbits(32)))
            settings = Settings(playouts=playouts, C=C, seed=rng.getrandbits(32))
            O = engine_player("MCTS", code, settings)
            for result in results(game, X, O, games):
                row = {"playouts": playouts, "C": C, "games": result.games}
                yield row | {"score": 1 - result.score_rate}


def playouts_cut_off_by_a_heuristic(
    code: Student, game: Game, playouts: int, games: int, seed: int
) -> Iterator[Row]:
    module, h, rng = code.module("mcts"), heuristic_for(code, game), random.Random(seed)
    if h is None:
        raise NotUsable("there is no heuristic for this game: write connect_four_heuristic")
    simulate = module.simulate

    def whole(game: Game, state: State) -> Move:
        return module.monte_carlo_tree_search(game, state, playouts, rng=rng)[1]

    for plies in (0, 2, 4, 8):

        def judged(game: Game, state: State, rng: random.Random, plies: int = plies) -> Any:
            limited = DepthLimitedGame(game, state, plies, h)
            return simulate(limited, limited.initial, rng)

        def with_h(game: Game, state: State, judged: Callable[..., Any] = judged) -> Move:
            with replaced(module, simulate=judged):
                return whole(game, state)

        points = 0.0
        for number in range(1, games + 1):
            side = "XO"[number % 2]
            players: dict[str, Player] = {"X": whole, "O": whole} | {side: with_h}
            points += (1 + game.utility(play_game(game, players).state, side)) / 2
            yield {"cut off after": plies, "games": number, "points": points}
