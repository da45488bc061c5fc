"""How large a game is, and what a cache and symmetry save."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from types import ModuleType
from typing import Any

from autograder.symmetry import canonical, same
from lab.boards import category_of, cells
from lab.experiments.experiment import SMALL_BOARDS, Experiment, Row, Values, board, cached
from lab.student import Student
from lab.trace import replaced
from starter.games import Game, State
from starter.players import CountingGame


class HowLargeIsTheGame(Experiment):
    name = "how large is the game"
    question = (
        "How large is a game? A position can be reached in many ways, which a cache makes use of, "
        "and most look like others from another side, which symmetry makes use of."
    )
    key = ("count",)
    needs = ("minimax",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"game": board(mo, SMALL_BOARDS)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        game = SMALL_BOARDS[values["game"]]
        for symmetric, name in ((False, "the game itself"), (True, "the same, up to symmetry")):
            yield {"count": name} | state_space(game, symmetric)
        module = self.module(code)
        for key, name in (
            (None, "your minimax"),
            (keys(game, False), "your minimax with a cache"),
            (keys(game, True), "your minimax with a cache that knows symmetry"),
        ):
            yield {"count": name} | cached_minimax(module, game, key)

    def conclude(self, rows: list[Row]) -> str:
        positions, fewer = (row["different positions"] for row in rows[:2])
        paths = rows[0]["positions along all games"]
        return (
            f"A search without a cache visits {paths:,} positions where there are {positions:,}, "
            f"{paths / positions:.0f} times as many; symmetry leaves {fewer:,} of them."
        )


def keys(game: Game, symmetric: bool) -> Callable[[State], Any]:
    """A function that gives equal keys to equal positions; with symmetry, also to those that look
    the same from another side."""
    if not symmetric:
        return lambda state: state
    kind = category_of(game)
    ways = kind.symmetries(game) if kind else [same]
    return lambda state: (canonical(tuple(cells(state)), ways), state.to_move)


def state_space(game: Game, symmetric: bool) -> Row:
    """Count the positions, those along all games, and the complete games, ply by ply.

    Each position is kept once with the number of ways to reach it, which is a cache; with symmetry
    all that look the same are one position, and of the moves that lead to it only one is followed.
    """
    key = keys(game, symmetric)
    level: dict[Any, tuple[State, int]] = {key(game.initial): (game.initial, 1)}
    seen: set[Any] = set()  # with passes, a position can come about after several numbers of plies
    paths = games = 0
    while level:
        below: dict[Any, tuple[State, int]] = {}
        seen |= level.keys()
        for state, ways in level.values():
            paths += ways
            if game.is_terminal(state):
                games += ways
            children = {}
            for move in game.actions(state):
                child = game.result(state, move)
                children[key(child)] = child
            for name, child in children.items():
                below[name] = (child, below.get(name, (child, 0))[1] + ways)
        level = below
    return {
        "different positions": len(seen),
        "positions along all games": paths,
        "complete games": games,
    }


def cached_minimax(module: Any, game: Game, key: Callable[[State], Any] | None) -> Row:
    """Solve a game with the student's minimax, with a cache around its functions if there is a
    `key` for it."""
    known: dict[Any, Any] = {}
    stand_ins = cached(module, known, lambda state, *window: key(state)) if key else {}
    counting, start = CountingGame(game), perf_counter()
    with replaced(module, **stand_ins):
        value, _ = module.minimax_search(counting, game.initial)
    seconds = perf_counter() - start
    searched = len(known) if key else counting.generated + 1
    return {"positions searched": searched, "seconds": seconds, "value": value}
