"""Measurements: each is given the student's functions and the values of its controls, and yields
the rows of its table after every step, so that progress shows."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from lab.boards import cells, kind_of, offered, same
from lab.engines import Settings, Task, player, think
from lab.student import NotUsable, Student
from lab.watch import replaced
from starter.games import Game, State
from starter.players import MatchResult, play_match

Row = dict[str, Any]
Values = dict[str, Any]

BOARDS = offered("measured")
SMALL_BOARDS = offered("counted")
PLAYOUTS = (10, 30, 100, 300, 1000)
CONSTANTS = (0.0, 0.5, 1.0, 1.4, 2.0)


def depth_and_cost(code: Student, values: Values) -> Iterator[Row]:
    """What looking 1, 2, ... plies ahead costs each search."""
    game = BOARDS[values["game"]]()
    if not values["searches"]:
        raise NotUsable("choose the searches to be measured, of those that you have written")
    for plies in range(1, int(values["plies"]) + 1):
        for name in values["searches"]:
            thought = think(code, Task(name, game, game.initial, Settings(plies=plies)))
            yield {
                "plies": plies,
                "search": name,
                "positions": thought.counts["positions"],
                "cut-offs": thought.counts["cut-offs"],
                "seconds": thought.seconds,
            }


def stability(code: Student, values: Values) -> Iterator[Row]:
    """How concentrated the choices of MCTS are when it is asked again and again."""
    game = BOARDS[values["game"]]()
    rng = random.Random(values["seed"])
    for playouts in PLAYOUTS:
        chosen: Counter[str] = Counter()
        for searches in range(1, values["searches"] + 1):
            settings = Settings(None, playouts, values["C"], rng.getrandbits(32))
            chosen[str(think(code, Task("MCTS", game, game.initial, settings)).move)] += 1
            favourite, times = chosen.most_common(1)[0]
            yield {
                "playouts": playouts,
                "searches": searches,
                "favourite": favourite,
                "share": times / searches,
                "moves chosen": " · ".join(f"{move} × {n}" for move, n in chosen.most_common()),
            }


def sides(
    code: Student, game: Game, X: tuple[str, Settings], O: tuple[str, Settings], games: int
) -> Iterator[MatchResult]:
    """The result so far, after each game between two engines, X always moving first."""
    first, second = (player(name, code, settings) for name, settings in (X, O))
    total = MatchResult(0, 0, 0)
    for _ in range(games):
        total = MatchResult(*map(sum, zip(total, play_match(game, first, second, games=1))))
        yield total


def settings_of(side: Values, seed: int) -> tuple[str, Settings]:
    """An engine and its settings, as the controls of one side give them."""
    return side["engine"], Settings(int(side["plies"]), int(side["playouts"]), side["C"], seed)


def match(code: Student, values: Values) -> Iterator[Row]:
    """Who wins how often."""
    rng = random.Random(values["seed"])
    X, O = (settings_of(values[side], rng.getrandbits(32)) for side in "XO")
    for result in sides(code, BOARDS[values["game"]](), X, O, int(values["games"])):
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


def tuning(code: Student, values: Values) -> Iterator[Row]:
    """The score of MCTS, moving second, against an opponent, for each number of playouts and each
    C, after each game."""
    game, rng = BOARDS[values["game"]](), random.Random(values["seed"])
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


# --- How large a game is --------------------------------------------------------------------------


def keys(game: Game, symmetric: bool) -> Callable[[State], Any]:
    """A function that gives equal keys to equal positions; with symmetry, also to those that look
    the same from another side."""
    if not symmetric:
        return lambda state: state
    kind = kind_of(game)
    ways = kind.symmetries(game) if kind else [same]
    return lambda state: (min(way(tuple(cells(state))) for way in ways), state.to_move)


def state_space(game: Game, symmetric: bool) -> Row:
    """Count the positions, those along all games, and the complete games, ply by ply.

    Each position is kept once with the number of ways to reach it, which is a cache; with symmetry
    all that look the same are one position, and of the moves that lead to it only one is followed.
    """
    key = keys(game, symmetric)
    level: dict[Any, tuple[State, int]] = {key(game.initial): (game.initial, 1)}
    seen: set[Any] = set()  # with passes, a position can come about after several numbers of plies
    row = {"positions": 0, "paths": 0, "games": 0}
    while level:
        below: dict[Any, tuple[State, int]] = {}
        seen |= level.keys()
        row["positions"] = len(seen)
        for state, ways in level.values():
            row["paths"] += ways
            if game.is_terminal(state):
                row["games"] += ways
            children = {}
            for move in game.actions(state):
                child = game.result(state, move)
                children[key(child)] = child
            for name, child in children.items():
                below[name] = (child, below.get(name, (child, 0))[1] + ways)
        level = below
    return row


def cached_minimax(code: Student, game: Game, cached: bool, symmetric: bool) -> Row:
    """Solve a game with the student's minimax, with and without a cache around its functions:
    the calls that search, the seconds, the value. A cache that knows symmetry also answers for
    positions that look the same."""
    module = code.modules["minimax"]
    key = keys(game, symmetric)
    known: dict[Any, Any] = {}
    calls = 0

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(game: Game, state: State, player: str) -> Any:
            nonlocal calls
            name = key(state) if cached else None
            if cached and name in known:
                return known[name]
            calls += 1
            answer = function(game, state, player)
            if cached:
                known[name] = answer
            return answer

        return call

    start = perf_counter()
    with replaced(module, max_value=watched(module.max_value), min_value=watched(module.min_value)):
        value, _ = module.minimax_search(game, game.initial)
    return {"calls": calls, "seconds": perf_counter() - start, "value": value}


def size(code: Student, values: Values) -> Iterator[Row]:
    """How large a game is, and what a cache and symmetry save."""
    game = SMALL_BOARDS[values["game"]]()
    for symmetric in (False, True):
        row = state_space(game, symmetric)
        yield {
            "count": "the game itself" + (", up to symmetry" if symmetric else ""),
            "different positions": row["positions"],
            "positions along all games": row["paths"],
            "complete games": row["games"],
        }
    if trouble := code.trouble("minimax"):
        raise NotUsable(f"minimax: {trouble}")
    for cached, symmetric, name in (
        (False, False, "your minimax"),
        (True, False, "your minimax with a cache"),
        (True, True, "your minimax with a cache that knows symmetry"),
    ):
        row = cached_minimax(code, game, cached, symmetric)
        yield {
            "count": name,
            "positions searched": row["calls"],
            "seconds": row["seconds"],
            "value": row["value"],
        }


MEASURES: dict[str, Callable[[Student, Values], Iterator[Row]]] = {
    "depth against cost": depth_and_cost,
    "playouts against stability": stability,
    "win rates": match,
    "tuning C and playouts": tuning,
    "how large is the game": size,
}
