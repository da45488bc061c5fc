"""Measure the cost of depth in searches that look ahead, and what reduces it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from lab.engines import SearchSettings, Task, find_heuristic, search
from lab.node_status import Visit
from lab.student import NotUsable, StudentCode
from lab.trace import Trace
from starter.games import Game, Move, State

Row = dict[str, Any]


def measure_cost_by_depth(
    code: StudentCode, game: Game, searches: list[str], plies: int
) -> Iterator[Row]:
    if not searches:
        raise NotUsable("choose the searches to be measured, of those that you have written")
    for depth in range(1, plies + 1):
        for name in searches:
            result = search(code, Task(name, game, game.initial, SearchSettings(depth)))
            yield {
                "plies": depth,
                "search": name,
                "positions": result.counts["positions"],
                "prunes": result.counts["prunes"],
                "seconds": result.seconds,
            }


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
        self.history: Counter[Move] = Counter()

    def actions(self, state: State) -> tuple[Move, ...]:
        moves, ply = super().actions(state), len(self.go_to(state).path)
        return tuple(sorted(moves, key=lambda move: -self._worth(self, ply, move)))

    def handle_prune(self, visit: Visit) -> None:
        ply = len(visit.path)
        move = visit.searched_moves[-1]
        self.killers[ply] = move
        self.history[move] += 4 ** (8 - min(ply, 8))  # the nearer to the root, the more


def compare_move_orders(code: StudentCode, game: Game, plies: int) -> Iterator[Row]:
    module = code.module("cutoff", "h_alphabeta_search")
    h = find_heuristic(code, game) or (lambda state, player: 0)
    middle = [(getattr(game, size, 1) - 1) / 2 for size in ("height", "width")]

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
