"""Define the kinds of cases: data with expected answers.

`tests/cases/` has one JSON file per question: {"public": true or false, "kinds": {"1.1":
"SearchCase", ...}, "cases": {"1.1": [...], ...}}. A kind is a class below; a case holds its fields,
except those at their default. The cases of a test are of one kind, ordered from small to large.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from typing import Annotated, Any, Literal

from autograder.diagram import default_side
from autograder.questions import QUESTIONS, SEARCHES
from autograder.serving.case import Case, GameSpec
from autograder.serving.game_server import MAX_NODES, GameServer
from autograder.settings import SETTINGS
from autograder.worker.forms import between, form_of
from starter.games import BoardState, Game, State, other

FUNCTIONS = {f"{row.name}.{function}" for row in QUESTIONS for function in row.functions}
FunctionName = Annotated[str, lambda name: not name or name in FUNCTIONS]
SearchName = Annotated[str, lambda name: name in FUNCTIONS and name.split(".")[1] in SEARCHES]
# Of the game of the heuristic and the player.
BoardSpec = Annotated[GameSpec, lambda spec: spec[0] == "ConnectFour"]
Side = Annotated[str, form_of(Literal["X", "O"])]
Seed = Annotated[int, between(0, 1 << 128)]
Depth = Annotated[int, between(0, 100)]
Games = Annotated[int, between(1, 1000)]
Playouts = Annotated[int, between(1, 100_000)]
Option = Playouts | dict[Literal["cutoff"], Depth] | dict[Literal["h"], Literal["own", "zero"]]
Options = Annotated[  # of a search
    dict[str, Any], form_of(dict[Literal["playouts", "cutoff", "h"], Option])
]
TreePath = list[int]  # to a node of a search tree: the indices of the moves from the root
ValuedPosition = tuple[str, float, list[int]]  # rows, value, indices of the best moves
Statistics = tuple[TreePath, float, int]  # a node of a search tree: its path, U and N


def are_moves(game: Game, state: State, indices: Sequence[int]) -> bool:
    return set(indices) <= set(range(len(game.actions(state))))


def are_tree_nodes(case: Case, nodes: Sequence[Statistics], *paths: TreePath) -> bool:
    """Do the nodes form a search tree, in which these paths lead to nodes?"""
    game, visits = case.make_game(), dict[tuple[int, ...], int]()
    states: dict[tuple[int, ...], State] = {(): case.make_state()}
    for path, _, N in nodes:
        node, above = tuple(path), tuple(path[:-1])
        if node:
            if min(node) < 0 or (N > 0 and visits[above] == 0):
                return False
            states[node] = game.result(states[above], game.actions(states[above])[node[-1]])
        if node in visits or N < 0:
            return False
        visits[node] = N
    return all(tuple(path) in visits for path in paths)


@dataclass(frozen=True, kw_only=True)
class SearchCase(Case):
    """A search with a known value.

    value:    the true value for `player`; `best`: the indices of the best moves
    values:   the true values of inner nodes for the player to move at the root, by key
    player:   MAX; by default the player to move at the root, X if that is chance
    function: the function to call with `alpha` and `beta`, instead of the search
    """

    diagnosable = True
    value: float
    best: list[int]
    values: dict[str, float] = field(default_factory=dict)
    player: Side | None = None
    function: FunctionName = ""
    alpha: float = -inf
    beta: float = inf

    def fits(self) -> bool:
        moves = are_moves(self.make_game(), self.make_state(), self.best)
        return super().fits() and moves and (not self.function or self.player is not None)

    @property
    def max_player(self) -> str:
        return self.player or default_side(self.make_state())

    @property
    def trait(self) -> str:
        return f"{self.max_player} is MAX"

    def make_server(self) -> GameServer:
        server = super().make_server()
        server.max_player = self.max_player
        return server


# A search is stopped at this multiple of the needed nodes. On the empty 3x3 board a search that
# does not prune at equality needs 7.99 times as many; one that needs more does not prune at all.
ABORT_FACTOR = 8


@dataclass(frozen=True, kw_only=True)
class NodeCountCase(SearchCase):
    """A search that may generate `most` nodes, and is stopped far beyond that."""

    diagnosable = False
    most: Annotated[int, between(1, MAX_NODES // ABORT_FACTOR)]

    def make_server(self) -> GameServer:
        server = super().make_server()
        server.max_nodes = ABORT_FACTOR * self.most
        return server


@dataclass(frozen=True, kw_only=True)
class CutoffCase(SearchCase):
    """A depth-limited search.

    depth:   cutoff stops at positions deeper than this; by default at the keys in `cut`
    squares: a heuristic: the worth for X of a stone on each square, in hundredths. The default is
             `h`: values for X by key, 0 elsewhere
    """

    h: dict[str, float] = field(default_factory=dict)
    cut: list[str] = field(default_factory=list)
    depth: Depth | None = None
    squares: list[int] = field(default_factory=list)

    def stops(self, state: State, depth: int) -> bool:
        return state.key in self.cut if self.depth is None else depth > self.depth

    def make_server(self) -> GameServer:
        server = super().make_server()
        server.cutoff, server.h = self.stops, lambda state: self.h.get(state.key, 0)
        if self.squares:
            server.h = make_square_heuristic(self.squares)
        return server


def make_square_heuristic(squares: Sequence[int]) -> Callable[[Any], float]:
    """Return the heuristic for X that counts the stones by their squares."""

    def h(state: BoardState) -> float:
        sign = {"X": 1, "O": -1, ".": 0}
        pairs = zip("".join(state.rows), squares)
        return sum(sign[stone] * worth for stone, worth in pairs) / 100

    return h


@dataclass(frozen=True, kw_only=True)
class PositionsCase(Case):
    """Many positions, each with its value and best moves.

    depth:   a search to this depth finds their values
    watched: one of them, which is also searched on a served game
    """

    positions: Annotated[list[ValuedPosition], bool]
    depth: Depth | None = None
    watched: ValuedPosition | None = None

    def fits(self) -> bool:
        game = self.make_game()
        every = [*self.positions, self.watched] if self.watched else self.positions
        return all(are_moves(game, game.from_key(key), best) for key, _, best in every)


@dataclass(frozen=True, kw_only=True)
class HeuristicCase(Case):
    """Many positions, as rows, to evaluate by the heuristic."""

    game: BoardSpec
    positions: Annotated[list[str], bool]

    def fits(self) -> bool:
        return all(map(self.make_game().from_key, self.positions))


@dataclass(frozen=True, kw_only=True)
class PreferenceCase(Case):
    """Two positions, as rows; the first is better for `side`, with the reason."""

    game: BoardSpec
    better: str
    worse: str
    side: Side
    why: str

    @property
    def trait(self) -> str:
        return self.why

    def fits(self) -> bool:
        return all(map(self.make_game().from_key, (self.better, self.worse)))


@dataclass(frozen=True, kw_only=True)
class SeededCase(Case):
    """A random experiment, with its seed."""

    diagnosable = True
    seed: Seed


@dataclass(frozen=True, kw_only=True)
class GamesCase(SeededCase):
    """A number of games, each after `plies` random plies."""

    diagnosable = False
    games: Games
    plies: Depth


@dataclass(frozen=True, kw_only=True)
class MatchCase(SeededCase):
    """A match: games of a search, called with `options`, until there is a verdict."""

    diagnosable = False
    function: SearchName
    options: Options
    plies: Depth = 0


@dataclass(frozen=True, kw_only=True)
class SolvedCase(SeededCase):
    """Solved positions for a player, by key, with each column's score (None: full).

    least: the number of positions whose value the player's moves have to preserve
    draw:  if `positions` is a pool: (number to draw, length) of each consecutive part of it; [] if
           a submission gets all positions
    """

    diagnosable = False
    positions: list[tuple[str, list[int | None]]]
    least: int
    draw: list[tuple[int, int]] = field(default_factory=list)

    def draw_for(self, submission: str) -> Case:
        """Draw a submission's positions, which depend only on its files and the seed."""
        if not self.draw:
            return self
        rng = Random(f"{self.seed}/{submission}")
        left, drawn = list(self.positions), []
        for count, size in self.draw:
            drawn += rng.sample(left[:size], count)
            left = left[size:]
        drawn.sort(key=lambda one: (one[0].count("."), one[0]))
        return replace(self, seed=rng.getrandbits(128), positions=drawn, draw=[])


@dataclass(frozen=True, kw_only=True)
class PlayoutsCase(SeededCase):
    """A run of playouts; unless `explicit`, neither `playouts` nor `rng` is passed."""

    diagnosable = False
    playouts: Playouts
    C: float = SETTINGS.C
    explicit: bool = True

    def fits(self) -> bool:
        return super().fits() and not self.make_game().is_terminal(self.make_state())


@dataclass(frozen=True, kw_only=True)
class TreeGrowthCase(PlayoutsCase):
    """A run of playouts whose tree is checked."""

    diagnosable = True


@dataclass(frozen=True, kw_only=True)
class UniformCase(PlayoutsCase):
    """Playouts whose moves are counted; chi-square may be at most `most`.

    least:  the lowest chi-square, because cycling through the moves is more even than random
    second: count the second move, by its distance from the first one's index; otherwise count the
            first move with a choice
    """

    most: float
    least: float = 0.0
    second: bool = False


@dataclass(frozen=True, kw_only=True)
class ForcedMoveCase(PlayoutsCase):
    """A position with one right move, `best`, and the reason."""

    best: list[int]
    why: str

    def fits(self) -> bool:
        return super().fits() and are_moves(self.make_game(), self.make_state(), self.best)


@dataclass(frozen=True, kw_only=True)
class FinalMoveCase(PlayoutsCase):
    """A finished search tree from which the search makes its final choice."""

    diagnosable = True
    nodes: list[Statistics]

    def fits(self) -> bool:
        return super().fits() and are_tree_nodes(self, self.nodes)


@dataclass(frozen=True, kw_only=True)
class PhaseCase(Case):
    """A search tree, and the node at which one phase of the search is called."""

    diagnosable = True
    nodes: list[Statistics]
    at: TreePath = field(default_factory=list)

    def fits(self) -> bool:
        return are_tree_nodes(self, self.nodes, self.at)


@dataclass(frozen=True, kw_only=True)
class SelectCase(PhaseCase):
    """A search tree to descend.

    C:    the exploration constant for select
    leaf: the node that select should return
    """

    leaf: TreePath
    C: float

    @property
    def trait(self) -> str:
        return f"C = {self.C:g}"

    def fits(self) -> bool:
        return are_tree_nodes(self, self.nodes, self.at, self.leaf)


@dataclass(frozen=True, kw_only=True)
class BackpropCase(PhaseCase):
    """A search tree for backprop; `after`: its expected statistics afterwards."""

    utility: float
    after: list[Statistics]

    @property
    def trait(self) -> str:
        """Who made the move into the node where backprop begins."""
        game, state = self.make_game(), self.make_state()
        for index in self.at:
            state = game.result(state, game.actions(state)[index])
        return f"{other(state.to_move)} made the move into that node"

    def fits(self) -> bool:
        return super().fits() and are_tree_nodes(
            self, self.after, *(path for path, *_ in self.nodes)
        )


KINDS: dict[str, type[Case]] = {
    name: kind
    for name, kind in globals().items()
    if isinstance(kind, type) and issubclass(kind, Case)
}
