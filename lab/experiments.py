"""The experiments of the page Measure, each a generator of the rows of a table.

The student's functions do all searches, on wrapped games or with some functions replaced.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any
from unittest.mock import patch

from autograder.settings import SETTINGS
from autograder.symmetry import find_canonical, keep, list_symmetries, mirror
from lab.engines import (
    Task,
    explain_unsupported,
    find_heuristic,
    list_playable_engines,
    make_engine_player,
    search,
)
from lab.student import StudentCode, Unusable
from lab.trace import Trace
from lab.visits import Visit
from starter.games import BoardGame, ConnectFour, Game, Move, State
from starter.players import CountingGame, MatchResult, Player, play_match

Row = dict[str, Any]
Key = Callable[[State], Any]
PLAYOUTS = (10, 30, 100, 300, 1000)
CONSTANTS = tuple(sorted({0.0, 0.5, 1.0, SETTINGS.C, 2.0}))  # values of C that are compared


def measure_cost_by_depth(
    code: StudentCode, game: Game, searches: list[str], plies: int
) -> Iterator[Row]:
    if not searches:
        raise Unusable("choose the searches to be measured, of those that you have written")
    for depth in range(1, plies + 1):
        for name in searches:
            result = search(code, Task(name, game, game.initial, depth))
            row = {"plies": depth, "search": name, **result.counts}
            yield row | {"seconds": result.seconds}


class OrderedGame(Trace):
    """A game that orders its moves by `worth`, the largest first.

    killers: at each ply, the last move that pruned
    history: how much each move has pruned
    """

    def __init__(
        self, game: Game, root: State, worth: Callable[[OrderedGame, int, Move], float]
    ) -> None:
        super().__init__(game, root)
        self._worth = worth
        self.killers: dict[int, Move] = {}
        self.history: dict[Move, float] = defaultdict(float)

    def actions(self, state: State) -> tuple[Move, ...]:
        moves, ply = super().actions(state), len(self.go_to(state).path)
        return tuple(sorted(moves, key=lambda move: -self._worth(self, ply, move)))

    def handle_prune(self, visit: Visit) -> None:
        ply = len(visit.path)
        move = visit.searched_moves[-1]
        self.killers[ply] = move
        self.history[move] += 4**-ply  # the nearer to the root, the more


def compare_move_orders(code: StudentCode, game: BoardGame, plies: int) -> Iterator[Row]:
    module = code.module("cutoff", "h_alphabeta_search")
    h = find_heuristic(code, game)
    middle = (game.height - 1) / 2, (game.width - 1) / 2

    def measure_nearness(move: Move) -> float:
        """Return how near a move is to the centre of the board."""
        if isinstance(move, str):  # a pass
            return 0
        row, column = move if isinstance(move, tuple) else (middle[0], move)
        return -float(abs(row - middle[0]) + abs(column - middle[1]))

    orders: dict[str, Callable[[OrderedGame, int, Move], float]] = {
        "as given": lambda ordered, ply, move: 0,
        "centre first": lambda ordered, ply, move: measure_nearness(move),
        "killer moves": lambda ordered, ply, move: ordered.killers.get(ply) == move,
        "history heuristic": lambda ordered, ply, move: ordered.history[move],
    }
    for depth in range(1, plies + 1):
        for name, worth in orders.items():
            ordered = OrderedGame(game, game.initial, worth)
            value, _ = module.h_alphabeta_search(
                ordered, game.initial, module.cutoff_depth(depth - 1), ordered.record_heuristic(h)
            )
            ordered.finish()
            yield {
                "plies": depth,
                "order": name,
                "positions": ordered.positions,
                "prunes": ordered.prunes,
                "value": value,
            }


def compare_algorithms(code: StudentCode, game: Game, plies: int, playouts: int) -> Iterator[Row]:
    for name in list_playable_engines(code):
        if explain_unsupported(name, game):
            continue
        result = search(code, Task(name, game, game.initial, plies, playouts))
        value = {"value": result.value} if result.counts else {}
        row = {"algorithm": name, "move": str(result.move), **value, **result.counts}
        yield row | {"seconds": result.seconds}


def measure_win_rates(
    code: StudentCode, game: Game, games: int, X: dict[str, Any], O: dict[str, Any]
) -> Iterator[Row]:
    players = [make_engine_player(code, **side) for side in (X, O)]
    for result in play_series(game, games, *players):
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


def play_series(game: Game, games: int, X: Player, O: Player) -> Iterator[MatchResult]:
    """Yield the result so far after each game. X always moves first."""
    total = MatchResult(0, 0, 0)
    for _ in range(games):
        total = MatchResult(*map(sum, zip(total, play_match(game, X, O, games=1))))
        yield total


def measure_stability(code: StudentCode, game: Game, searches: int, C: float) -> Iterator[Row]:
    for playouts in PLAYOUTS:
        choices: Counter[str] = Counter()
        for count in range(1, searches + 1):
            task = Task("MCTS", game, game.initial, playouts=playouts, C=C)
            choices[str(search(code, task).move)] += 1
            yield {
                "playouts": playouts,
                "searches": count,
                "share": choices.most_common(1)[0][1] / count,
                "moves chosen": " · ".join(f"{move} × {n}" for move, n in choices.most_common()),
            }


def tune_mcts(
    code: StudentCode, game: Game, opponent: str, plies: int, games: int
) -> Iterator[Row]:
    for playouts in PLAYOUTS[:4]:
        for C in CONSTANTS:
            X = make_engine_player(code, opponent, plies=plies)
            O = make_engine_player(code, "MCTS", playouts=playouts, C=C)
            for result in play_series(game, games, X, O):
                row = {"playouts": playouts, "C": C, "games": result.games}
                yield row | {"score": 1 - result.score_rate}


def add_cache(function: Callable[..., Any], cache: dict[Any, Any], key: Key) -> Callable[..., Any]:
    """Return the student's max_value or min_value of minimax with a cache around it."""

    def call(game: Game, state: State, player: str) -> Any:
        name = key(state)
        if name not in cache:
            cache[name] = function(game, state, player)
        return cache[name]

    return call


def compare_caches(code: StudentCode, game: Game) -> Iterator[Row]:
    module, ways = code.module("minimax"), list_symmetries(game)
    if isinstance(game, ConnectFour):
        ways = [keep, mirror]  # stones fall down, and in no other direction
    for name, key in (
        ("your minimax", None),
        ("with a cache", lambda state: state),
        (
            "with a cache and symmetry",
            lambda state: (find_canonical(state.rows, ways), state.to_move),
        ),
    ):
        cache: dict[Any, Any] = {}
        names = ("max_value", "min_value")
        stand_ins = {name: add_cache(getattr(module, name), cache, key) for name in names if key}
        counting, start = CountingGame(game), perf_counter()
        with patch.dict(vars(module), stand_ins):
            value, _ = module.minimax_search(counting, game.initial)
        yield {
            "search": name,
            "positions": len(cache) or counting.generated + 1,
            "seconds": perf_counter() - start,
            "value": value,
        }
