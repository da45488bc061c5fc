"""Measure the cost of depth in searches that look ahead, and what reduces it."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from lab.boards import BOARDS
from lab.engines import SearchSettings, Task, find_heuristic, search
from lab.experiments.caches import add_cache
from lab.node_status import Visit
from lab.student import NotUsable, StudentCode
from lab.trace import Trace, replace_functions
from starter.games import ChanceTree, Game, Move, State, TicTacToe
from starter.players import play_game, random_player

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


def deepen_iteratively(code: StudentCode, game: Game, seconds: int) -> Iterator[Row]:
    """Search one ply deeper each time.

    Stop when the time is over, or when the search reaches the end of every game.
    """
    start = perf_counter()
    for plies in range(1, 40):
        result = search(
            code, Task("heuristic alpha-beta", game, game.initial, SearchSettings(plies))
        )
        elapsed = perf_counter() - start
        yield {
            "plies": plies,
            "move": str(result.move),
            "value": result.value,
            "positions": result.counts["positions"],
            "seconds so far": elapsed,
        }
        if elapsed > seconds or not result.counts["evaluations"]:
            return


def measure_breadth(code: StudentCode, games: int, seed: int) -> Iterator[Row]:
    """Measure the number of moves and the length of random games of every kind."""
    for name, game in BOARDS.items():
        widths: list[int] = []
        lengths: list[int] = []
        for number in range(games):
            X, O = (random_player(seed + 1000 * number + side) for side in (0, 1))
            state, moves = game.initial, play_game(game, {"X": X, "O": O}).moves
            lengths.append(len(moves))
            for move in moves:
                widths.append(len(game.actions(state)))
                state = game.result(state, move)
        b = sum(widths) / len(widths)
        plies = int(math.log(1_000_000, b))
        yield {
            "game": name,
            "b, mean moves": b,
            "m, mean plies": sum(lengths) / len(lengths),
            "plies in a million positions": plies,
            "the same, if alpha-beta prunes best": 2 * plies,
        }


def count_moves_changed_by_squeezing(code: StudentCode, trees: int, seed: int) -> Iterator[Row]:
    """Count the random trees in which squeezed values change the best move.

    The values lie below a MIN node or a chance node, after the move.
    """
    find, rng = code.module("expectiminimax").expectiminimax_search, random.Random(seed)
    below: dict[str, Callable[[Any], Any]] = {
        "MIN below": lambda values: {"O": values},
        "chance below": lambda values: {"chance": [("1/3", value) for value in values]},
    }
    changed = dict.fromkeys(below, 0)
    for number in range(1, trees + 1):
        leaves = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(3)]
        squeezed = [[math.tanh(leaf / 3) for leaf in node] for node in leaves]
        for name, make_child in below.items():
            games = [
                ChanceTree({"X": [make_child(node) for node in tree]})
                for tree in (leaves, squeezed)
            ]
            changed[name] += len({find(game, game.initial)[1] for game in games}) > 1
        yield {"trees": number} | changed


def find_wrong_cached_value(code: StudentCode, seed: int) -> Iterator[Row]:
    """Search random positions until alpha-beta with a cache returns a wrong value."""
    module, rng = code.module("alphabeta"), random.Random(seed)
    game = TicTacToe(3, 4, 3)

    def search_once(state: State, what: str, key: Callable[..., Any] | None = None) -> Row:
        trace = Trace(game, state)
        with replace_functions(module, **(add_cache(module, {}, key) if key else {})):
            value, _ = module.alphabeta_search(trace, state)
        return {"cached": what, "value": value, "positions": trace.positions, "position": state.key}

    for _ in range(200):
        state = game.initial
        for _ in range(3):
            moves = game.actions(state)
            state = game.result(state, rng.choice(moves))
        right = search_once(state, "nothing")
        yield right
        wrong = search_once(state, "values", lambda state, alpha, beta: state)
        if wrong["value"] != right["value"]:
            yield wrong
            yield search_once(state, "values with alpha and beta", lambda *key: key)
            return


# --- The order of moves ---------------------------------------------------------------------------


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
