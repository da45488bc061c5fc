"""Measurements, each a generator that gives its table after every step, so that progress shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Any

from lab.boards import cells, kind_of, same
from lab.engines import Settings, player, think
from lab.student import Student
from lab.watch import replaced
from starter.games import Game, State
from starter.players import MatchResult, play_match

Row = dict[str, Any]


def depth_and_cost(
    student: Student, game: Game, state: State, engines: Iterable[str], plies: int
) -> Iterator[Row]:
    """What looking 1, 2, ... `plies` plies ahead costs: positions, cut-offs and seconds."""
    for depth in range(1, plies + 1):
        row: Row = {"plies": depth}
        for name in engines:
            thought = think(name, student, game, state, Settings(plies=depth))
            row |= {
                f"{name}: positions": thought.counts["positions"],
                f"{name}: cut-offs": thought.counts["cut-offs"],
                f"{name}: seconds": thought.seconds,
            }
            yield dict(row)


def stability(
    student: Student,
    game: Game,
    state: State,
    playouts: Iterable[int],
    repeats: int,
    C: float = 1.4,
) -> Iterator[Row]:
    """How concentrated the choices of MCTS are when it is asked `repeats` times over."""
    for number in playouts:
        chosen: Counter[Any] = Counter()
        for repeat in range(repeats):
            settings = Settings(playouts=number, C=C, seed=repeat)
            chosen[think("MCTS", student, game, state, settings).move] += 1
            favourite, times = chosen.most_common(1)[0]
            yield {
                "playouts": number,
                "searches": repeat + 1,
                "favourite": favourite,
                "share": times / (repeat + 1),
                "moves chosen": dict(chosen.most_common()),
            }


def match(
    student: Student,
    game: Game,
    names: tuple[str, str],
    settings: tuple[Settings, Settings],
    games: int,
) -> Iterator[MatchResult]:
    """The result so far, after each game between two engines, X always moving first."""
    X, O = (player(name, student, how) for name, how in zip(names, settings))
    total = MatchResult(0, 0, 0)
    for number in range(games):
        played = play_match(game, X, O, games=1, seed=number)
        total = MatchResult(*(old + new for old, new in zip(total, played)))
        yield total


def tuning(
    student: Student,
    game: Game,
    opponent: tuple[str, Settings],
    playouts: Iterable[int],
    constants: Iterable[float],
    games: int,
) -> Iterator[Row]:
    """The score of MCTS, moving second, against an opponent, for each number of playouts and each
    C, after each game."""
    for number in playouts:
        for C in constants:
            name, settings = opponent
            sides = settings, Settings(playouts=number, C=C)
            for result in match(student, game, (name, "MCTS"), sides, games):
                yield {
                    "playouts": number,
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


def state_space(game: Game, symmetric: bool) -> Iterator[Row]:
    """Count the positions and the complete games, ply by ply.

    Each position is kept once with the number of ways to reach it, which is a cache; with symmetry
    all that look the same are one position, and of the moves that lead to it only one is followed.
    """
    key = keys(game, symmetric)
    level: dict[Any, tuple[State, int]] = {key(game.initial): (game.initial, 1)}
    seen: set[Any] = set()  # with passes, a position can come about after several numbers of plies
    row = {"plies": 0, "positions": 0, "paths": 0, "games": 0}
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
        yield dict(row)
        row["plies"] += 1


def cached_minimax(student: Student, game: Game, cached: bool, symmetric: bool) -> Row:
    """Solve a game with the student's minimax, with and without a cache around its functions:
    the calls that search, the seconds, the value. A cache that knows symmetry also answers for
    positions that look the same."""
    module = student.modules["minimax"]
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
