"""The cases of the graded tests: data with expected answers, read from `tests/cases/`.

One JSON file per question: {"public": true or false, "kinds": {"1.1": "SearchCase", ...},
"cases": {"1.1": [...], ...}}. A kind is a class below; a case holds its fields, except those at
their default. The cases of a test are of one kind and stand from small to large. A public case is
known by its number; any other is shown to its student whole, as text.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cache
from math import inf
from random import Random
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from autograder.diagram import default_side
from autograder.errors import UsageError
from autograder.questions import QUESTIONS
from autograder.serving import schema
from autograder.serving.game_server import MAX_POSITIONS, GameServer
from autograder.serving.schema import between
from autograder.settings import SETTINGS
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import GAMES, BoardGame, Game, GameTree, State

FUNCTIONS = {f"{row.name}.{function}" for row in QUESTIONS for function in row.functions}
MAX_SIDE = 20  # squares of a board
MAX_PARAMETER = 1000  # of any other game
MAX_TOKEN = 30_000  # characters of a case's text
MAX_CASE = 200_000  # bytes of the JSON in it


def is_game(spec: list[Any]) -> None:
    """Raises ValueError unless it names a game, and one that is small enough to be made."""
    game = GAMES.get(spec[0]) if spec and isinstance(spec[0], str) else None
    if game is None:
        raise ValueError(f"{spec!r:.40} is no game")
    if issubclass(game, GameTree):
        return
    most = MAX_SIDE if issubclass(game, BoardGame) else MAX_PARAMETER
    for given in spec[1:]:  # a number, or several, such as Nim's piles
        numbers = given if isinstance(given, list) else [given]
        schema.check(numbers, list[int])
        if min(numbers, default=0) < 0 or sum(numbers) > most:
            raise ValueError(f"{spec!r:.40} is too large")


def is_function(name: str) -> None:
    """Raises ValueError unless it is a function of a question, or none at all."""
    if name and name not in FUNCTIONS:
        raise ValueError(f"{name!r:.40} is no function of a question")


GameSpec = Annotated[list[Any], is_game]
FunctionName = Annotated[str, is_function]
Player = Annotated[str, schema.checker(Literal["X", "O"])]
Seed = Annotated[int, between(0, 1 << 128)]
Depth = Annotated[int, between(0, 100)]
Games = Annotated[int, between(1, 1000)]
Playouts = Annotated[int, between(1, 100_000)]
Option = Playouts | dict[Literal["cutoff"], Depth] | dict[Literal["h"], Literal["own", "zero"]]
Options = Annotated[  # of a search
    dict[str, Any], schema.checker(dict[Literal["playouts", "cutoff", "h"], Option])
]
TreePath = list[int]  # to a node of a search tree: the indices of the moves from the root
ValuedPosition = tuple[str, float, list[int]]  # its rows, its value, the best moves' indices
Statistics = tuple[TreePath, float, int]  # a node of a search tree: its path, U and N


# --- kinds of cases -------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of one graded test: a position of a game.

    index: its number among the public cases, from 1; None for any other
    game:  as `make_game` reads it; `state` as `make_state` does, by default the initial one
    earlier: a game with equal states that are worth something else, which is searched before
    telling: (of the kind) its test looks closely at one search or phase; the others judge whole
             games or many positions, and show the strength of a mistake, not which it is
    """

    diagnosable: ClassVar[bool] = False
    number: str = ""
    index: int | None = None
    game: GameSpec
    state: str | list[int] | None = None
    earlier: GameSpec | None = None

    @property
    def name(self) -> str:
        """What follows `make test CASE=`."""
        return f"{self.number}/{self.index if self.index else self.token}"

    @property
    def token(self) -> str:
        """The whole case as text, so that it can be run again where its file is not."""
        packed = zlib.compress(json.dumps(self.plain(), separators=(",", ":")).encode(), 9)
        return "~" + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def from_name(cls, number: str, token: str) -> Case:
        """Raises UsageError if the token was not copied whole, or is no case of this kind."""
        try:
            data = schema.parse(unpacked(token), MAX_CASE)
        except (ValueError, zlib.error):
            raise UsageError(
                "the case's text is damaged: copy all of it, from ~ to the end"
            ) from None
        try:
            case = cls.from_plain(number, None, data)
            case.make_state()
        except (ArithmeticError, LookupError, TypeError, ValueError):
            raise UsageError(
                f"this is no case of test {number}: copy all of it, number and text"
            ) from None
        return case

    @classmethod
    def from_plain(cls, number: str, index: int | None, data: Any) -> Case:
        """Raises ValueError if a field is missing, unknown to this kind, or not of its type."""
        try:
            case = cls(number=number, index=index, **data)
            for name, value in data.items():
                schema.check(value, types_of_fields(cls.__name__)[name])
        except (TypeError, ValueError) as problem:
            raise ValueError(f"{number}/{index} is no {cls.__name__}: {problem}") from None
        return case

    def plain(self) -> dict[str, Any]:
        """Return what JSON keeps: every field that is not at its default."""
        kept = [f for f in fields(self) if f.name not in ("number", "index")]
        return {f.name: getattr(self, f.name) for f in kept if getattr(self, f.name) != default(f)}

    def drawn_for(self, submission: str) -> Case:
        """Return the case as that submission gets it: by default all get the same."""
        return self

    def make_game(self) -> Game:
        return make_game(self.game)

    def make_state(self) -> State:
        return make_state(self.make_game(), self.state)

    def served(self) -> GameServer:
        """Return the game, to be served from the case's position."""
        return GameServer(self.make_game(), self.make_state())


def unpacked(token: str) -> bytes:
    """Return the JSON in a case's text. Raises ValueError, zlib.error."""
    if len(token) > MAX_TOKEN:
        raise ValueError("too long")
    packed = base64.urlsafe_b64decode(token[1:] + "=" * (-len(token[1:]) % 4))
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(packed, MAX_CASE + 1)
    if not unpacking.eof:
        raise ValueError("not whole, or too long")
    return data


def default(of: Any) -> Any:
    """Return a dataclass field's default."""
    return of.default if of.default_factory is MISSING else of.default_factory()


@dataclass(frozen=True, kw_only=True)
class SearchCase(Case):
    """A search to be judged.

    value:    the true value, seen by `player`, and `best` the indices of the best moves
    values:   the true values of inner nodes or positions for who is to move at the root, by key
    player:   MAX; by default who is to move at the root, X if that is chance
    function: what is called, with `alpha` and `beta`, instead of the search
    """

    diagnosable = True
    value: float
    best: list[int]
    values: dict[str, float] = field(default_factory=dict)
    player: Player | None = None
    function: FunctionName = ""
    alpha: float = -inf
    beta: float = inf

    @property
    def max_player(self) -> str:
        return self.player or default_side(self.make_state())


# Times as many positions as needed, then a search is stopped. On the empty 3x3 board one in which
# equality does not prune needs 7.99 times as many: whatever needs more does not prune at all.
ABORT_FACTOR = 8


@dataclass(frozen=True, kw_only=True)
class NodeCountCase(SearchCase):
    """A search that may generate `most` positions, and is stopped where it is far beyond that."""

    diagnosable = False
    most: Annotated[int, between(1, MAX_POSITIONS // ABORT_FACTOR)]

    def served(self) -> GameServer:
        served = super().served()
        served.max_positions = ABORT_FACTOR * self.most
        return served


@dataclass(frozen=True, kw_only=True)
class CutoffCase(SearchCase):
    """A depth-limited search.

    depth:   positions deeper than this are cut off; by default those whose key is in `cut`
    squares: what a stone counts for X on each square of a board, in hundredths: that is the
             heuristic; by default `h`, the values for X by key, and 0 elsewhere
    """

    h: dict[str, float] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    depth: Depth | None = None
    squares: list[int] = field(default_factory=list)

    def stops(self, state: State, depth: int) -> bool:
        return state.key in self.cut if self.depth is None else depth > self.depth

    def served(self) -> GameServer:
        h = by_squares(self.squares) if self.squares else lambda state: self.h.get(state.key, 0)
        return GameServer(self.make_game(), self.make_state(), self.stops, h)


def by_squares(squares: Sequence[int]) -> Callable[[State], float]:
    """Return the heuristic for X that counts the stones by their squares."""

    def h(state: State) -> float:
        sign = {"X": 1, "O": -1, ".": 0}
        pairs = zip("".join(state.rows), squares)
        return sum(sign[stone] * worth for stone, worth in pairs) / 100

    return h


@dataclass(frozen=True, kw_only=True)
class PositionsCase(Case):
    """Many positions, each with its value and best moves.

    depth:   a search to this depth sees their values
    watched: one of them, whose search is served besides
    """

    positions: list[ValuedPosition]
    depth: Depth | None = None
    watched: ValuedPosition | None = None


@dataclass(frozen=True, kw_only=True)
class HeuristicCase(Case):
    """Many positions, as rows, for the heuristic."""

    positions: list[str]


@dataclass(frozen=True, kw_only=True)
class PreferenceCase(Case):
    """Two positions, as rows, the first of which looks better for `side`, and why."""

    better: str
    worse: str
    side: Player
    why: str


@dataclass(frozen=True, kw_only=True)
class SeededCase(Case):
    """Something random, from one seed."""

    diagnosable = True
    seed: Seed


@dataclass(frozen=True, kw_only=True)
class GamesCase(SeededCase):
    """So many games, each after so many random plies."""

    diagnosable = False
    games: Games
    plies: Depth


@dataclass(frozen=True, kw_only=True)
class MatchCase(SeededCase):
    """As many games of a search, called with `options`, as it takes to judge it."""

    diagnosable = False
    function: FunctionName
    options: Options
    plies: Depth = 0


@dataclass(frozen=True, kw_only=True)
class SolvedCase(SeededCase):
    """Solved positions, by key, with the score of each column (None: full), for a player.

    least: in so many of them its move has to keep what the position is worth
    draw:  where `positions` is a pool, from which each submission gets a few: of each run of
           positions how many are drawn, and how long it is; [] if it gets all positions
    """

    diagnosable = False
    positions: list[tuple[str, list[int | None]]]
    least: int
    draw: list[tuple[int, int]] = field(default_factory=list)

    def drawn_for(self, submission: str) -> Case:
        """Draw the positions of one submission, which depend on its files and the seed alone."""
        if not self.draw:
            return self
        rng = Random(f"{self.seed}/{submission}")
        left, drawn = list(self.positions), []
        for count, size in self.draw:
            drawn += rng.sample(left[:size], count)
            left = left[size:]
        drawn.sort(key=lambda one: (one[0].count("."), one[0]))
        return replace(self, seed=rng.getrandbits(128), positions=drawn, draw=[])


HALF = 22  # on 6x7 a score is the winner's stones at the end less than these


def stones_to_the_end(plies: int, score: int) -> int:
    """How many stones the winner still puts, the last one included.

    plies: that were played so far
    score: of the move that is made now, for who makes it; 0 is a draw, which nobody wins
    """
    mine, theirs = plies // 2, (plies + 1) // 2
    return HALF - abs(score) - (mine if score > 0 else theirs)


@dataclass(frozen=True, kw_only=True)
class PlayoutsCase(SeededCase):
    """A run of playouts; where they are not `told`, neither their number nor rng is handed over."""

    diagnosable = False
    playouts: Playouts
    C: float = SETTINGS.C
    explicit: bool = True


@dataclass(frozen=True, kw_only=True)
class TreeGrowthCase(PlayoutsCase):
    """A run of playouts whose tree is looked at."""

    diagnosable = True


@dataclass(frozen=True, kw_only=True)
class UniformCase(PlayoutsCase):
    """Playouts whose moves are counted; chi-square may be `most`.

    least:  what it may be, for who takes turns is more even than chance ever is
    second: the second move is counted, by its place after the first one's; otherwise the first at
            which there is a choice
    """

    most: float
    least: float = 0.0
    second: bool = False


@dataclass(frozen=True, kw_only=True)
class ForcedMoveCase(PlayoutsCase):
    """A position with one right move, `best`, and why."""

    best: list[int]
    why: str


@dataclass(frozen=True, kw_only=True)
class FinalMoveCase(PlayoutsCase):
    """A search tree at whose end the search has to choose."""

    diagnosable = True
    nodes: list[Statistics]


@dataclass(frozen=True, kw_only=True)
class PhaseCase(Case):
    """A search tree, and the node at which one phase of the search is called."""

    diagnosable = True
    nodes: list[Statistics]
    at: TreePath = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class SelectCase(PhaseCase):
    """A search tree to descend.

    C:    what select is called with besides the node
    leaf: where it should end
    ucbs: the children on the way, each with its UCB (1e300 for infinity)
    """

    leaf: TreePath
    ucbs: list[tuple[TreePath, float]]
    C: float


@dataclass(frozen=True, kw_only=True)
class BackpropCase(PhaseCase):
    """A search tree in which a result is recorded; `after`: what it should hold then."""

    utility: float
    after: list[Statistics]


def kinds_from(kind: type[Case]) -> dict[str, type[Case]]:
    """Return a kind of case and all that it is the base of, by name."""
    found = {kind.__name__: kind}
    for below in kind.__subclasses__():
        found |= kinds_from(below)
    return found


KINDS = kinds_from(Case)


@cache
def types_of_fields(kind: str) -> dict[str, Any]:
    return get_type_hints(KINDS[kind], include_extras=True)


# --- reading them ---------------------------------------------------------------------------------


PerfectPlay = dict[str, tuple[int, list[int]]]
