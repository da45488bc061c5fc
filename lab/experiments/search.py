"""Searches that look ahead: what depth costs, and what saves it; how large a game is, and what a
cache and symmetry save."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from time import perf_counter
from types import ModuleType
from typing import Any

from autograder.symmetry import all_around, canonical, half_turned, mirrored, same
from lab.boards import cells
from lab.charts import lines
from lab.engines import Settings, Task, available, heuristic_for, search
from lab.experiments.experiment import (
    AHEAD,
    BOARDS,
    SMALL_BOARDS,
    Experiment,
    Row,
    Values,
    board,
    cached,
    seed,
    slider,
)
from lab.student import NotUsable, Student
from lab.trace import Trace, Visit, replaced
from starter.games import ChanceTree, ConnectFour, Game, Hex, Move, State, TicTacToe
from starter.players import CountingGame, play_game, random_player


class DepthAgainstCost(Experiment):
    name = "depth against cost"
    question = (
        "How many positions does a search visit when it looks further ahead, and how many does "
        "alpha-beta save? Mind the scale: each line is ten times the one below."
    )
    key = ("plies", "search")
    plot = partial(lines, x="plies", y="positions", log="positions", name="search")

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        written = [name for name in AHEAD if name in available(code)]
        return {
            "game": board(mo),
            "searches": mo.ui.multiselect(list(AHEAD), written, label="searches"),
            "plies": slider(mo, "up to plies", 6, 1, 9),
        }

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        game = BOARDS[values["game"]]
        if not values["searches"]:
            raise NotUsable("choose the searches to be measured, of those that you have written")
        for plies in range(1, int(values["plies"]) + 1):
            for name in values["searches"]:
                result = search(code, Task(name, game, game.initial, Settings(plies=plies)))
                yield {
                    "plies": plies,
                    "search": name,
                    "positions": result.counts["positions"],
                    "prunes": result.counts["prunes"],
                    "seconds": result.seconds,
                }

    def conclude(self, rows: list[Row]) -> str:
        deepest = [row for row in rows if row["plies"] == rows[-1]["plies"]]
        words = [f"{row['search']} visits {row['positions']:,} positions" for row in deepest]
        most = max(deepest, key=lambda row: row["positions"])
        least = min(deepest, key=lambda row: row["positions"])
        saved = ""
        if least is not most:
            times = most["positions"] / least["positions"]
            saved = f" That is {times:.1f} times fewer for {least['search']}."
        return f"At {rows[-1]['plies']} plies, {', '.join(words)}.{saved}"


class OrderedGame(Trace):
    """A game whose moves come in another order: those first that `worth` rates highest, as it is
    then; it is asked with the game, the ply and the move."""

    def __init__(
        self, game: Game, root: State, worth: Callable[[OrderedGame, int, Move], float]
    ) -> None:
        super().__init__(game, root)
        self._worth = worth
        self.killers: dict[int, Move] = {}  # at each ply, the last move that pruned
        self.history: Counter[Move] = Counter()  # how much each move has pruned

    def actions(self, state: State) -> tuple[Move, ...]:
        moves, ply = super().actions(state), len(self._at(state).path)
        return tuple(sorted(moves, key=lambda move: -self._worth(self, ply, move)))

    def left(self, visit: Visit, pruned: bool) -> None:
        if pruned:
            ply, move = len(visit.path), visit.last
            self.killers[ply] = move
            self.history[move] += 4 ** (8 - min(ply, 8))  # the nearer to the root, the more


class OrderOfMoves(Experiment):
    name = "the order of moves"
    question = (
        "Alpha-beta prunes the more, the earlier it tries good moves. A killer move pruned last at "
        "the same ply; the history heuristic takes those first that have pruned most "
        "so far."
    )
    key = ("plies", "order")
    plot = partial(lines, x="plies", y="positions", log="positions", name="order")
    needs = ("cutoff", "h_alphabeta_search")

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"game": board(mo), "plies": slider(mo, "up to plies", 5, 1, 8)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        module, game = self.module(code), BOARDS[values["game"]]
        h = heuristic_for(code, game) or (lambda state, player: 0)
        for plies in range(1, int(values["plies"]) + 1):
            for name, worth in orders(game).items():
                ordered = OrderedGame(game, game.initial, worth)
                cutoff = module.cutoff_depth(plies - 1)
                value, _ = module.h_alphabeta_search(
                    ordered, game.initial, cutoff, ordered.recording(h)
                )
                ordered.over()
                yield {
                    "plies": plies,
                    "order": name,
                    "positions": ordered.positions,
                    "prunes": ordered.prunes,
                    "value": value,
                }

    def conclude(self, rows: list[Row]) -> str:
        deepest = {row["order"]: row for row in rows if row["plies"] == rows[-1]["plies"]}
        best = min(deepest.values(), key=lambda row: row["positions"])
        same = len({row["value"] for row in deepest.values()}) == 1
        return (
            f"At {best['plies']} plies the fewest positions, {best['positions']:,}, come with "
            f"“{best['order']}”; “as given” has {deepest['as given']['positions']:,}. The value "
            f"is {'the same with each' if same else 'not the same with each, which is wrong'}."
        )


def orders(game: Game) -> dict[str, Callable[[OrderedGame, int, Move], float]]:
    """The orders that are compared, by name."""
    middle = [(getattr(game, size, 1) - 1) / 2 for size in ("height", "width")]

    def near(move: Move) -> float:
        """How near to the centre of the board a move is."""
        if isinstance(move, str):  # a pass
            return 0
        row, column = move if isinstance(move, tuple) else (middle[0], move)
        return -float(abs(row - middle[0]) + abs(column - middle[1]))

    return {
        "as given": lambda ordered, ply, move: 0,
        "centre first": lambda ordered, ply, move: near(move),
        "killer moves": lambda ordered, ply, move: ordered.killers.get(ply) == move,
        "history heuristic": lambda ordered, ply, move: ordered.history[move],
    }


class WhyABoundIsNotAValue(Experiment):
    name = "why a bound is not a value"
    question = (
        "A cache makes minimax faster. What if alpha-beta keeps the values that it returns, on a "
        "board of 3 x 4 with three in a row? The first wrong answer is shown."
    )
    key = ("kept",)
    needs = ("alphabeta",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"seed": seed(mo)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """Positions from random play, until one is answered wrongly; and what each way of keeping
        values answers there."""
        module, rng = self.module(code), random.Random(values["seed"])
        game = TicTacToe(3, 4, 3)
        keys: dict[str, Callable[..., Any]] = {
            "values": lambda state, alpha, beta: state,
            "values with alpha and beta": lambda *key: key,
        }

        def answered(state: State, kept: str) -> Row:
            stand_ins = cached(module, {}, keys[kept]) if kept in keys else {}
            watched = Trace(game, state)
            with replaced(module, **stand_ins):
                value, _ = module.alphabeta_search(watched, state)
            return {
                "kept": kept,
                "value": value,
                "positions": watched.positions,
                "position": state.key,
            }

        for _ in range(200):
            state = game.initial
            for _ in range(3):
                moves = game.actions(state)
                state = game.result(state, rng.choice(moves))
            right = answered(state, "nothing")
            yield right
            wrong = answered(state, "values")
            if wrong["value"] != right["value"]:
                yield wrong
                yield answered(state, "values with alpha and beta")
                return

    def conclude(self, rows: list[Row]) -> str:
        if len(rows) == 1:
            return "Of 200 positions none was answered wrongly: try another seed."
        right, wrong, whole = rows
        return (
            f"The value of this position is {right['value']}; with values kept it comes out as "
            f"{wrong['value']}, for a bound that was good enough under one alpha and beta was "
            f"taken for the value under others. Kept together with alpha and beta: "
            f"{whole['value']}."
        )


class DepthAgainstBreadth(Experiment):
    name = "depth against breadth"
    question = (
        "How far can a search look that visits a million positions? That goes by the number of "
        "moves, b: minimax visits about b^d positions, alpha-beta at best the root of that."
    )
    key = ("game",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"games": slider(mo, "random games", 20, 1, 50), "seed": seed(mo)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """How many moves there are and how long games last, by random games of every kind."""
        for name, game in BOARDS.items():
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
                "the same, if alpha-beta prunes best": 2 * (plies - 1),
            }

    def conclude(self, rows: list[Row]) -> str:
        wide, narrow = (choose(rows, key=lambda row: row["b, mean moves"]) for choose in (max, min))
        return " ".join(
            f"{row['game']} has {row['b, mean moves']:.1f} moves on average, so that a million "
            f"positions reach {row['plies in a million positions']} plies."
            for row in (wide, narrow)
        )


class DeeperUntilTheTimeIsOver(Experiment):
    name = "deeper until the time is over"
    question = (
        "A player with a clock searches to depth 1, 2, 3 ... and plays what the last complete "
        "search says. What does going deeper cost?"
    )
    key = ("plies",)
    plot = partial(lines, x="plies", y="positions", log="positions")
    needs = ("cutoff", "h_alphabeta_search")

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"game": board(mo), "seconds": slider(mo, "seconds", 2, 1, 20)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """Heuristic alpha-beta, one ply deeper each time, until the time is over or the search has
        seen all games to their ends."""
        game = BOARDS[values["game"]]
        start = perf_counter()
        for plies in range(1, 40):
            task = Task("heuristic alpha-beta", game, game.initial, Settings(plies=plies))
            result = search(code, task)
            used = perf_counter() - start
            yield {
                "plies": plies,
                "move": str(result.move),
                "value": result.value,
                "positions": result.counts["positions"],
                "seconds so far": used,
            }
            if used > values["seconds"] or not result.counts["evaluations"]:
                return

    def conclude(self, rows: list[Row]) -> str:
        last = rows[-1]
        before = rows[-2]["seconds so far"] if len(rows) > 1 else 0
        share = 1 - before / last["seconds so far"]
        changes = sum(one["move"] != other["move"] for one, other in pairwise(rows))
        return (
            f"It came to {last['plies']} plies; the last took {share:.0%} of the time. From depth "
            f"to depth the move changed {changes} times."
        )


class SqueezingHUnderChance(Experiment):
    name = "squeezing h under chance"
    question = (
        "A heuristic may be squeezed into (-1, 1), which keeps the order of its values. Does the "
        "best move stay the same? These trees are searched by your expectiminimax."
    )
    key = ()
    needs = ("expectiminimax",)

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        return {"trees": slider(mo, "trees", 100, 10, 500, 10), "seed": seed(mo)}

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """In how many random trees the best move changes when all values are squeezed: with chance
        between the move and the values, and without."""
        module, rng = self.module(code), random.Random(values["seed"])
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

    def conclude(self, rows: list[Row]) -> str:
        row = rows[-1]
        return (
            f"Squeezed values, in the same order as before, have another best move in "
            f"{row['chance below']} of {row['trees']} trees where chance moves next, and in "
            f"{row['MIN below']} where MIN does: a mean goes by how large values are, a minimum by "
            "their order alone."
        )


# --- The size of a game ---------------------------------------------------------------------------


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
    ways = all_around(game)
    if isinstance(game, ConnectFour):
        ways = [same, mirrored]  # stones fall down, and in no other direction
    elif isinstance(game, Hex):
        ways = [same, half_turned]  # any other way would swap the players' sides
    return lambda state: (canonical(tuple(cells(state)), ways), state.to_move)


def state_space(game: Game, symmetric: bool) -> Row:
    """Count the positions, those along all games, and the complete games, ply by ply.

    Each position is held once with the number of ways to reach it, which is a cache; with symmetry
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
