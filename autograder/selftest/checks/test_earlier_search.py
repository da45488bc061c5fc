"""A search that reuses values of another game is found."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest

from autograder.author.cases.cache_traps import with_equal_states
from autograder.questions import ROOT
from autograder.serving.cases import PositionsCase
from autograder.worker.inside.protocol import make_game, make_state

SEEDS = range(20)
Key = Callable[..., Any]
# What a table is looked up by; `window` is alpha and beta in question 2.
FORGETS_THE_GAME: dict[str, Key] = {
    "state": lambda game, state, player, *window: state,
    "all but the game": lambda game, state, player, *window: (state, player, *window),
    "type of the game": lambda game, state, player, *window: (type(game), state, player),
    "text": lambda game, state, player, *window: (str(state), player),
}
KNOWS_THE_GAME: dict[str, Key] = {
    "game and state": lambda game, state, player, *window: (game, state, player, *window),
    "text of the game": lambda game, state, player, *window: (repr(game), state, player, *window),
}
BOTH = ("max_value", "min_value")
SEARCHES = [
    *(("minimax", "minimax_search", names) for names in (BOTH, BOTH[:1], BOTH[1:])),
    *(("alphabeta", "alphabeta_search", names) for names in (BOTH, BOTH[:1], BOTH[1:])),
    ("expectiminimax", "expectiminimax_search", ("expectiminimax",)),
]


@cache
def cases(name: str) -> list[PositionsCase]:
    """Return cases of each seed, as the question's maker makes them."""
    spec, plies = (["ConnectFour", 4, 4], 8) if name == "alphabeta" else (["TicTacToe", 3, 4], 7)
    return [with_equal_states(Random(seed), [*spec, 4], [*spec, 3], plies) for seed in SEEDS]


def remembering(name: str, search: str, functions: tuple[str, ...], key: Key) -> Callable[..., Any]:
    """Return the solution's search, in which some functions use a table."""
    scope: dict[str, Any] = {}
    exec((ROOT / "solution" / f"{name}.py").read_text(encoding="utf-8"), scope)
    for function in functions:
        scope[function] = with_table(scope[function], key)
    asked: Callable[..., Any] = scope[search]
    return asked


def with_table(function: Callable[..., Any], key: Key) -> Callable[..., Any]:
    table: dict[Any, Any] = {}

    def look(*args: Any) -> Any:
        at = key(*args)
        if at not in table:
            table[at] = function(*args)
        return table[at]

    return look


def wrong_answers(search: Callable[..., Any], case: PositionsCase) -> int:
    """Return how many positions a search answers wrong after one of the earlier game."""
    assert case.earlier
    game, earlier = make_game(case.game), make_game(case.earlier)
    wrong = 0
    for key, value, best in case.positions:
        state = make_state(game, key)
        search(earlier, state)
        answer, move = search(game, state)
        wrong += answer != value or game.actions(state).index(move) not in best
    return wrong


@pytest.mark.parametrize("name, search, functions", SEARCHES)
def test_only_a_table_that_forgets_the_game_is_found(name, search, functions):
    for keys, forgets in ((FORGETS_THE_GAME, True), (KNOWS_THE_GAME, False)):
        for what, key in keys.items():
            for case in cases(name):
                found = wrong_answers(remembering(name, search, functions, key), case)
                assert bool(found) == forgets, what
