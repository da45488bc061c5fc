"""Measurements that go on from the assignment: they wrap games, or what the student's functions
ask, and search by the student's functions alone."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

from lab import experiments
from lab.engines import Settings, Task, heuristic_for, ready, think, unfit
from lab.experiments import BOARDS, Row, Values
from lab.student import NotUsable, Student
from lab.watch import Horizon, Visit, Watched, replaced
from starter.games import ChanceTree, Game, Move, State, TicTacToe
from starter.players import Player, play_game, random_player


def needs(code: Student, file: str, *functions: str) -> Any:
    """The student's module. Raises NotUsable if these functions, or any, are not written."""
    if trouble := code.trouble(file, *functions):
        raise NotUsable(trouble)
    return code.modules[file]


def side_by_side(code: Student, values: Values) -> Iterator[Row]:
    """All algorithms on one position."""
    game = BOARDS[values["game"]]()
    settings = Settings(int(values["plies"]), int(values["playouts"]), seed=values["seed"])
    for name in [name for name in ready(code) if not unfit(name, game)]:
        thought = think(code, Task(name, game, game.initial, settings))
        yield {
            "algorithm": name,
            "move": str(thought.move),
            "value": thought.value if thought.counts else None,
            "positions": thought.counts.get("positions"),
            "cut-offs": thought.counts.get("cut-offs"),
            "playouts": thought.counts.get("playouts"),
            "seconds": thought.seconds,
        }


# --- The order of moves ---------------------------------------------------------------------------


class OrderedGame(Watched):
    """A game whose moves come in another order: those first that `worth` rates highest, as it is
    then; it is asked with the game, the ply and the move."""

    def __init__(
        self, game: Game, root: State, worth: Callable[[OrderedGame, int, Move], float]
    ) -> None:
        super().__init__(game, root)
        self._worth = worth
        self.killers: dict[int, Move] = {}  # at each ply, the last move that made a cut-off
        self.history: Counter[Move] = Counter()  # how much each move has cut off

    def actions(self, state: State) -> tuple[Move, ...]:
        moves, ply = super().actions(state), len(self._at(state).path)
        return tuple(sorted(moves, key=lambda move: -self._worth(self, ply, move)))

    def left(self, visit: Visit, cut: bool) -> None:
        if cut:
            ply, move = len(visit.path), visit.last
            self.killers[ply] = move
            self.history[move] += 4 ** (8 - min(ply, 8))  # the nearer to the root, the more


def from_centre(game: Game) -> Callable[[Move], float]:
    """How near to the centre of the board a move is."""
    middle = [(getattr(game, size, 1) - 1) / 2 for size in ("height", "width")]

    def near(move: Move) -> float:
        if isinstance(move, str):  # a pass
            return 0
        row, column = move if isinstance(move, tuple) else (middle[0], move)
        return -float(abs(row - middle[0]) + abs(column - middle[1]))

    return near


def orders(game: Game) -> dict[str, Callable[[OrderedGame, int, Move], float]]:
    """The orders that are compared, by name."""
    near = from_centre(game)
    return {
        "as given": lambda ordered, ply, move: 0,
        "centre first": lambda ordered, ply, move: near(move),
        "killer moves": lambda ordered, ply, move: ordered.killers.get(ply) == move,
        "history heuristic": lambda ordered, ply, move: ordered.history[move],
    }


def order_of_moves(code: Student, values: Values) -> Iterator[Row]:
    """What heuristic alpha-beta saves when it tries the moves in another order."""
    module, game = needs(code, "cutoff", "h_alphabeta_search"), BOARDS[values["game"]]()
    h = heuristic_for(code, game) or (lambda state, player: 0)
    for plies in range(1, int(values["plies"]) + 1):
        for name, worth in orders(game).items():
            ordered = OrderedGame(game, game.initial, worth)
            cutoff = module.cutoff_depth(plies - 1)
            value, _ = module.h_alphabeta_search(ordered, game.initial, cutoff, h)
            ordered.over()
            yield {
                "plies": plies,
                "order": name,
                "positions": ordered.positions,
                "cut-offs": ordered.cutoffs,
                "value": value,
            }


# --- Why a bound is not a value -------------------------------------------------------------------


def remembered(module: Any, known: dict[Any, Any], whole: bool) -> dict[str, Callable[..., Any]]:
    """The student's functions with a memory: of the value of each position, whatever alpha and beta
    were, or (`whole`) of each position with its alpha and beta."""

    def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(game: Game, state: State, player: str, alpha: float, beta: float) -> Any:
            key = (state, player, alpha, beta) if whole else (state, player)
            if key not in known:
                known[key] = function(game, state, player, alpha, beta)
            return known[key]

        return call

    return {name: remembering(getattr(module, name)) for name in ("max_value", "min_value")}


def kept_bounds(code: Student, values: Values) -> Iterator[Row]:
    """Alpha-beta that keeps values, on positions from random play: the first that it answers
    wrongly, and what each way of keeping them answers there."""
    module, rng = needs(code, "alphabeta"), random.Random(values["seed"])
    game = TicTacToe(3, 4, 3)

    def answered(state: State, kept: str) -> Row:
        known: dict[Any, Any] = {}
        stand_ins = {} if kept == "nothing" else remembered(module, known, kept != "values")
        watched = Watched(game, state)
        with replaced(module, **stand_ins):
            value, _ = module.alphabeta_search(watched, state)
        return {"kept": kept, "value": value, "positions": watched.positions}

    for _ in range(200):
        state = game.initial
        for _ in range(3):
            moves = game.actions(state)
            state = game.result(state, rng.choice(moves))
        right = answered(state, "nothing") | {"position": state.key}
        yield right
        wrong = answered(state, "values")
        if wrong["value"] != right["value"]:
            yield wrong
            yield answered(state, "values with alpha and beta")
            return


# --- Depth, breadth, time -------------------------------------------------------------------------


def breadth(code: Student, values: Values) -> Iterator[Row]:
    """How many moves there are and how long games last, by random games of every kind."""
    for name, make in BOARDS.items():
        game = make()
        widths: list[int] = []
        lengths: list[int] = []
        for number in range(int(values["games"])):
            X, O = (random_player(values["seed"] + 1000 * number + side) for side in (0, 1))
            state, moves = game.initial, play_game(game, {"X": X, "O": O}).moves
            lengths.append(len(moves))
            for move in moves:
                widths.append(len(game.actions(state)))
                state = game.result(state, move)
        b, m = sum(widths) / len(widths), sum(lengths) / len(lengths)
        plies = next(plies for plies in range(1, 99) if b**plies > 1_000_000)
        yield {
            "game": name,
            "moves at the start": len(game.actions(game.initial)),
            "b, mean moves": b,
            "m, mean plies": m,
            "plies in a million positions": plies - 1,
            "the same, if alpha-beta cuts best": 2 * (plies - 1),
        }


def deepening(code: Student, values: Values) -> Iterator[Row]:
    """Heuristic alpha-beta, one ply deeper each time, until the time is over or the search has seen
    all games to their ends."""
    game = BOARDS[values["game"]]()
    start = perf_counter()
    for plies in range(1, 40):
        thought = think(
            code, Task("heuristic alpha-beta", game, game.initial, Settings(plies=plies))
        )
        used = perf_counter() - start
        yield {
            "plies": plies,
            "move": str(thought.move),
            "value": thought.value,
            "positions": thought.counts["positions"],
            "seconds so far": used,
        }
        if used > values["seconds"] or not thought.counts["evaluations"]:
            return


# --- MCTS with a heuristic ------------------------------------------------------------------------


class Judged(Horizon):
    """A game that ends after so many plies, with what a heuristic says of the position."""

    def __init__(self, game: Game, root: State, plies: int, h: Callable[..., float]) -> None:
        super().__init__(game, root, plies)
        self._h = h

    def utility(self, state: Any, player: str) -> float:
        if self._game.is_terminal(state.state):
            return self._game.utility(state.state, player)
        return self._h(state.state, player)


def short_playouts(code: Student, values: Values) -> Iterator[Row]:
    """MCTS whose playouts are cut off after so many plies and judged by the heuristic, as X and O
    in turn against MCTS as it is."""
    module, game = needs(code, "mcts"), BOARDS[values["game"]]()
    h = heuristic_for(code, game)
    if h is None:
        raise NotUsable("there is no heuristic for this game: write connect_four_heuristic")
    simulate, search = module.simulate, module.monte_carlo_tree_search
    rng = random.Random(values["seed"])
    for plies in (0, 2, 4, 8):

        def short(game: Game, state: State, rng: random.Random, plies: int = plies) -> float:
            judged = Judged(game, state, plies, h)
            result: float = simulate(judged, judged.initial, rng)
            return result

        def with_h(game: Game, state: State, short: Any = short) -> Move:
            with replaced(module, simulate=short):
                return search(game, state, int(values["playouts"]), rng=rng)[1]

        def plain(game: Game, state: State) -> Move:
            return search(game, state, int(values["playouts"]), rng=rng)[1]

        points = 0.0
        for number in range(1, int(values["games"]) + 1):
            side = "XO"[number % 2]
            players: dict[str, Player] = {"X": plain, "O": plain} | {side: with_h}
            points += (1 + game.utility(play_game(game, players).state, side)) / 2
            yield {"cut off after": plies, "games": number, "points": points}


# --- Chance ---------------------------------------------------------------------------------------


def squeezing(code: Student, values: Values) -> Iterator[Row]:
    """In how many random trees the best move changes when all values are squeezed, which keeps
    their order: with chance between the move and the values, and without."""
    module, rng = needs(code, "expectiminimax"), random.Random(values["seed"])
    changed = {"MIN below": 0, "chance below": 0}
    for number in range(1, int(values["trees"]) + 1):
        leaves = [[rng.randint(-9, 9) for _ in range(3)] for _ in range(3)]
        squeezed = [[math.tanh(leaf / 3) for leaf in node] for node in leaves]
        for below, made in (
            ("MIN below", lambda node: {"O": node}),
            ("chance below", lambda node: {"chance": [("1/3", leaf) for leaf in node]}),
        ):
            games = [ChanceTree({"X": list(map(made, tree))}) for tree in (leaves, squeezed)]
            moves = {module.expectiminimax_search(game, game.initial)[1] for game in games}
            changed[below] += len(moves) > 1
        yield {"trees": number} | changed


MEASURES: dict[str, Callable[[Student, Values], Iterator[Row]]] = experiments.MEASURES | {
    "all algorithms side by side": side_by_side,
    "the order of moves": order_of_moves,
    "why a bound is not a value": kept_bounds,
    "depth against breadth": breadth,
    "deeper until the time is over": deepening,
    "playouts cut off by a heuristic": short_playouts,
    "squeezing h under chance": squeezing,
}


def measure(code: Student, name: str, values: Values, tell: Callable[[Row], None]) -> None:
    """Make a measurement as work for a job: all its rows are told."""
    for row in MEASURES[name](code, values):
        tell(row)
