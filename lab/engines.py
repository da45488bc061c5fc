"""The algorithms one can play against and measure: the student's own, and a random player."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

from autograder.questions import question_of
from lab.boards import KINDS, kind_of
from lab.heuristics import Heuristic, for_both
from lab.student import NotUsable, Student, checked, read
from lab.watch import Horizon, Watched, replaced
from starter.games import Game, Move, State
from starter.players import Player


class Settings(NamedTuple):
    """How hard an engine thinks. Each engine uses the settings that concern it.

    plies:    how far minimax and alpha-beta look ahead; None for minimax and plain alpha-beta
              means to the end of the game
    playouts: of MCTS
    C:        its exploration constant
    seed:     of random numbers; None for other ones each time
    """

    plies: int | None = None
    playouts: int = 1000
    C: float = 1.4
    seed: int | None = None


class Thought(NamedTuple):
    """What a search found, and what it cost."""

    value: float
    move: Move
    counts: dict[str, int]
    seconds: float
    estimates: Mapping[Move, float] = MappingProxyType({})  # of moves, if the search gives them


Tell = Callable[[str], None]
Search = Callable[[Student, Game, State, Settings, "Tell | None"], Thought]


class Engine(NamedTuple):
    """An algorithm by the name it is chosen by, with the student's functions that it needs."""

    name: str
    file: str
    functions: tuple[str, ...]
    uses: tuple[str, ...]  # the settings that concern it
    search: Search

    def trouble(self, student: Student) -> str:
        """Why it can't play; "" if it can."""
        return student.trouble(self.file, *self.functions) if self.file else ""


def _timed(
    name: str, run: Callable[[Game], Any], watched: Watched, root: State
) -> tuple[float, Move, dict[str, int], float]:
    start = perf_counter()
    answer = run(watched)
    seconds = perf_counter() - start
    value, move = checked(answer, watched.actions(root), name)
    return value, move, {"positions": watched.positions, "cut-offs": watched.cutoffs}, seconds


def _watched(game: Game, tell: Tell | None) -> Watched:
    return Watched(game, tell and (lambda seen: tell(f"{seen.positions:,} positions")))


def _to_the_end(file: str) -> Search:
    search = question_of(file).search

    def think(
        student: Student, game: Game, state: State, settings: Settings, tell: Tell | None = None
    ) -> Thought:
        if settings.plies is not None:
            game = Horizon(game, state, settings.plies)
            state = game.initial
        algorithm = getattr(student.modules[file], search)
        watched = _watched(game, tell)
        return Thought(*_timed(search, lambda seen: algorithm(seen, state), watched, state))

    return think


def heuristic_for(student: Student, game: Game) -> Heuristic | None:
    """The student's heuristic, if it is written and made for this game; or the one provided."""
    kind = kind_of(game)
    if kind is None or not kind.heuristic:
        return for_both(kind.provided, game) if kind and kind.provided else None
    if getattr(game, "k", None) != kind.sizes["k"] or student.trouble("cutoff", kind.heuristic):
        return None
    heuristic: Heuristic = getattr(student.modules["cutoff"], kind.heuristic)
    return heuristic


def _with_cutoff(
    student: Student, game: Game, state: State, settings: Settings, tell: Tell | None = None
) -> Thought:
    module = student.modules["cutoff"]
    heuristic = heuristic_for(student, game)
    evaluations = 0

    def h(state: State, player: str) -> float:
        nonlocal evaluations
        evaluations += 1
        return heuristic(state, player) if heuristic else 0

    # Depth d + 1 is the first that cutoff_depth(d) stops at.
    cutoff = module.cutoff_depth((settings.plies or 4) - 1)
    value, move, counts, seconds = _timed(
        "h_alphabeta_search",
        lambda seen: module.h_alphabeta_search(seen, state, cutoff, h),
        _watched(game, tell),
        state,
    )
    return Thought(value, move, counts | {"evaluations": evaluations}, seconds)


def _playouts(
    student: Student, game: Game, state: State, settings: Settings, tell: Tell | None = None
) -> Thought:
    module = student.modules["mcts"]
    nodes: list[Any] = []
    played = 0

    class Counted(module.Node):  # type: ignore[misc, name-defined]
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            nodes.append(self)

    def simulate(*args: Any, **named: Any) -> float:
        nonlocal played
        played += 1
        if tell and not played & 63:
            tell(f"{played:,} of {settings.playouts:,} playouts")
        return original(*args, **named)

    original: Callable[..., float] = module.simulate
    watched = Watched(game)
    with replaced(module, Node=Counted, simulate=simulate):
        rng = random.Random(settings.seed)
        value, move, counts, seconds = _timed(
            "monte_carlo_tree_search",
            lambda seen: module.monte_carlo_tree_search(
                seen, state, settings.playouts, settings.C, rng
            ),
            watched,
            state,
        )
    del counts["cut-offs"]  # playouts turn away from positions all the time
    counts |= {"playouts": played, "tree nodes": len(nodes)}
    children = nodes[0].children if nodes else {}
    estimates = {name: child.U / child.N for name, child in children.items() if child.N}
    return Thought(value, move, counts, seconds, estimates)


def _random(
    student: Student, game: Game, state: State, settings: Settings, tell: Tell | None = None
) -> Thought:
    move = random.Random(settings.seed).choice(game.actions(state))
    return Thought(0, move, {}, 0)


def _engine(name: str, question: str, uses: tuple[str, ...], search: Search) -> Engine:
    """The engine of a question; its search needs all of the file but a heuristic."""
    needed = question_of(question).functions
    return Engine(name, question, tuple(f for f in needed if f not in HEURISTICS), uses, search)


HEURISTICS = {kind.heuristic for kind in KINDS}
ENGINES = {
    engine.name: engine
    for engine in (
        _engine("minimax", "minimax", ("plies",), _to_the_end("minimax")),
        _engine("alpha-beta", "alphabeta", ("plies",), _to_the_end("alphabeta")),
        _engine("heuristic alpha-beta", "cutoff", ("plies",), _with_cutoff),
        _engine("MCTS", "mcts", ("playouts", "C"), _playouts),
        Engine("random", "", (), (), _random),
    )
}


def ready(student: Student) -> list[str]:
    """The names of the engines that can play now, the student's own first."""
    return [name for name, engine in ENGINES.items() if not engine.trouble(student)]


def usable(*names: str) -> Student:
    """The student's functions as they are on the disk now. Raises NotUsable when one of these
    engines lacks something."""
    code = read()
    for name in names:
        if trouble := ENGINES[name].trouble(code):
            raise NotUsable(f"{name}: {trouble}")
    return code


def think(
    name: str,
    student: Student,
    game: Game,
    state: State,
    settings: Settings = Settings(),
    tell: Tell | None = None,
) -> Thought:
    """Let an engine search a position that is not terminal. `tell` is told of its progress.

    Raises what the student's code raises, and BadAnswer if that returns no value and legal move.
    """
    return ENGINES[name].search(student, game, state, settings, tell)


def estimates(
    name: str,
    student: Student,
    game: Game,
    state: State,
    settings: Settings = Settings(),
    tell: Tell | None = None,
) -> Mapping[Move, float]:
    """What the engine thinks of each move of the player to move; nothing, if it has no opinion.

    MCTS knows it from one search. The others search once after every move, where it is the
    opponent's turn, so the sign changes.
    """
    if name == "random":
        return {}
    if name == "MCTS":
        return think(name, student, game, state, settings, tell).estimates
    values: dict[Move, float] = {}
    fewer = settings._replace(plies=None if settings.plies is None else settings.plies - 1)
    for move in game.actions(state):
        child = game.result(state, move)
        if game.is_terminal(child):
            values[move] = game.utility(child, state.to_move)
        elif fewer.plies == 0:
            heuristic = heuristic_for(student, game) if name == "heuristic alpha-beta" else None
            values[move] = heuristic(child, state.to_move) if heuristic else 0
        else:
            values[move] = 0 - think(name, student, game, child, fewer, tell).value  # no -0.0
    return values


class EnginePlayer:
    """An engine as a player for `play_game` and `play_match`, with random numbers of its own."""

    def __init__(self, name: str, student: Student, settings: Settings) -> None:
        self._name, self._student, self._settings = name, student, settings
        self._rng = random.Random(settings.seed)

    def seed(self, number: int) -> None:
        self._rng.seed(number)

    def __call__(self, game: Game, state: State) -> Move:
        settings = self._settings._replace(seed=self._rng.getrandbits(32))
        return think(self._name, self._student, game, state, settings).move


def player(name: str, student: Student, settings: Settings = Settings()) -> Player:
    """The engine as a player."""
    return EnginePlayer(name, student, settings)
