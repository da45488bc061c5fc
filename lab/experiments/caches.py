"""Measure what caches and symmetry save in a small game.

The caches are around the student's functions.
"""

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any
from unittest.mock import patch

from autograder.symmetry import find_canonical, keep, list_symmetries, mirror, turn_half
from lab.boards import list_marks
from lab.student import StudentCode
from starter.games import ConnectFour, Game, Hex, State
from starter.players import CountingGame

Key = Callable[[State], Any]


def add_cache(module: Any, cache: dict[Any, Any], key: Key) -> dict[str, Callable[..., Any]]:
    """Return the student's max_value and min_value of minimax with a cache around them."""

    def with_cache(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(game: Game, state: State, player: str) -> Any:
            name = key(state)
            if name not in cache:
                cache[name] = function(game, state, player)
            return cache[name]

        return call

    return {name: with_cache(getattr(module, name)) for name in ("max_value", "min_value")}


def measure_game(code: StudentCode, game: Game) -> Iterator[dict[str, Any]]:
    symmetric = make_symmetric_key(game)
    yield {"count": "the game itself"} | count_positions(game, lambda state: state)
    yield {"count": "up to symmetry"} | count_positions(game, symmetric)
    for name, key in (
        ("your minimax", None),
        ("with a cache", lambda state: state),
        ("with a cache and symmetry", symmetric),
    ):
        yield {"count": name} | solve_with_minimax(code.module("minimax"), game, key)


def make_symmetric_key(game: Game) -> Key:
    """Return a function that gives symmetric positions equal keys."""
    ways = list_symmetries(game)
    if isinstance(game, ConnectFour):
        ways = [keep, mirror]  # stones fall down, and in no other direction
    elif isinstance(game, Hex):
        ways = [keep, turn_half]  # any other symmetry would swap the players' sides
    return lambda state: (find_canonical(tuple(list_marks(state)), ways), state.to_move)


def count_positions(game: Game, key: Key) -> dict[str, int]:
    """Count the positions, those along all games, and the complete games, ply by ply.

    Each position is stored once with the number of ways to reach it. Positions with equal keys are
    one position. Of several moves from one position to it, only one is followed.
    """
    level: dict[Any, tuple[State, int]] = {key(game.initial): (game.initial, 1)}
    seen: set[Any] = set()  # with passes, a position can occur at different plies
    paths = games = 0
    while level:
        below: dict[Any, tuple[State, int]] = {}
        seen |= level.keys()
        for state, ways in level.values():
            paths += ways
            games += ways * game.is_terminal(state)
            children = [game.result(state, move) for move in game.actions(state)]
            for name, child in {key(child): child for child in children}.items():
                below[name] = (child, below.get(name, (child, 0))[1] + ways)
        level = below
    return {
        "different positions": len(seen),
        "positions along all games": paths,
        "complete games": games,
    }


def solve_with_minimax(module: Any, game: Game, key: Key | None) -> dict[str, Any]:
    """Solve a game with the student's minimax.

    key: makes the keys of a cache around its functions; None for no cache
    """
    cache: dict[Any, Any] = {}
    stand_ins = add_cache(module, cache, key) if key else {}
    counting, start = CountingGame(game), perf_counter()
    with patch.dict(vars(module), stand_ins):
        value, _ = module.minimax_search(counting, game.initial)
    seconds = perf_counter() - start
    count = len(cache) if key else counting.generated + 1
    return {"positions searched": count, "seconds": seconds, "value": value}
