"""Run the engines that one can watch, play against and measure.

These are the student's algorithms, the student's player, and a random player.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial
from math import inf
from time import perf_counter, process_time
from typing import Any, NamedTuple
from unittest.mock import patch

from autograder.diagram import default_side
from autograder.questions import find_question
from autograder.serving.case_files import Cases
from autograder.settings import SETTINGS
from autograder.worker.inside.protocol import PHASES
from lab.boards import MAX_PLIES
from lab.mcts_trace import MAX_PLAYOUTS, MctsTrace
from lab.student import FUNCTIONS, StudentCode, Unusable, check_answer, check_move
from lab.trace import Trace, trace_calls
from lab.visits import SearchStep
from starter.games import BoardState, ConnectFour, Game, Move, State, TicTacToe
from starter.players import CountingGame, Player

HEURISTIC = "connect_four_heuristic"  # the student's


class SearchResult(NamedTuple):
    """What a search found, and what it cost.

    moves: those that were searched, each with what was found of it by name, the best first
    steps: of a recorded search
    """

    value: float
    move: Move
    counts: dict[str, int]
    seconds: float
    moves: Sequence[tuple[Move, dict[str, Any]]] = ()
    steps: Sequence[SearchStep] = ()

    @property
    def is_mcts(self) -> bool:
        return "playouts" in self.counts


class Task(NamedTuple):
    """A search for an engine to run, with limits. Each engine uses those that concern it.

    engine:   its name in ENGINES
    state:    not terminal
    plies:    how far the engine looks ahead
    playouts: of MCTS
    C:        the exploration constant of MCTS
    seed:     of the random numbers; None for different ones each time
    recorded: whether the steps are recorded
    """

    engine: str
    game: Game
    state: Any
    plies: int = MAX_PLIES
    playouts: int = 1000
    C: float = SETTINGS.C
    seed: int | None = None
    recorded: bool = False


class Engine(NamedTuple):
    """An algorithm that one can choose.

    file: the student's file that it is in, if any
    uses: the settings that concern it
    """

    name: str
    file: str
    uses: tuple[str, ...]
    search: Callable[[StudentCode, Task], SearchResult]

    def explain_missing(self, student: StudentCode) -> str:
        """Say why it can't play, or "" if it can. A heuristic may be missing."""
        if not self.file:
            return ""
        needed = [name for name in FUNCTIONS[self.file] if name != HEURISTIC]
        return student.explain_missing(self.file, *needed)


def rate_open_lines(game: TicTacToe, state: BoardState, player: str) -> float:
    """Rate a position by the lines that only one side has stones on, from -1 to 1.

    Each further stone in a line about triples what it counts.
    """
    score = 0
    for line in game.lines:
        x, o = (line & state.x).bit_count(), (line & state.o).bit_count()
        if not (x and o):
            score += 3**x - 3**o
    return (score if player == "X" else -score) / (10 + abs(score))


def find_heuristic(student: StudentCode, game: Game) -> Callable[[State, str], float]:
    """Return the heuristic of a game, which is 0 for all positions if there is none.

    The student writes that of Connect Four with four in a row; the lab has one for tic-tac-toe.
    """
    if type(game) is TicTacToe:
        return partial(rate_open_lines, game)
    is_written = not student.explain_missing("cutoff", HEURISTIC)
    if type(game) is ConnectFour and game.k == 4 and is_written:  # a variant has other rules
        h: Callable[[State, str], float] = getattr(student.modules["cutoff"], HEURISTIC)
        return h
    return lambda state, player: 0


def _look_ahead(student: StudentCode, task: Task) -> SearchResult:
    file, game, state, plies = ENGINES[task.engine].file, task.game, task.state, task.plies
    name, module = find_question(file).search, student.modules[file]
    horizon = inf if file == "cutoff" else plies
    trace = Trace(game, state, file in ("alphabeta", "cutoff"), horizon, task.recorded)
    arguments: tuple[Any, ...] = (trace, state)
    if file == "cutoff":  # cutoff_depth(d) first stops at depth d + 1
        h = trace.record_heuristic(find_heuristic(student, game))
        arguments += (module.cutoff_depth(plies - 1), h)
    start = perf_counter()
    with trace_calls(module, trace):
        answer = getattr(module, name)(*arguments)
    seconds = perf_counter() - start
    legal = (None,) if state.to_move == "chance" else game.actions(state)
    value, move = check_answer(answer, legal, name)
    trace.finish()
    counts = {"positions": trace.positions, "prunes": trace.prunes}
    if file == "cutoff":
        counts["evaluations"] = trace.evaluations
    visits = [(one, visit) for one, visit in trace.moves.items() if visit.v is not None]
    visits.sort(key=lambda item: (item[0] != move, -(item[1].v or 0)))  # ties keep their order
    found = f"value for {state.to_move}"
    moves = [(one, {found: visit.describe_value()}) for one, visit in visits]
    return SearchResult(value, move, counts, seconds, moves, trace.steps)


def _run_mcts(student: StudentCode, task: Task) -> SearchResult:
    module = student.modules["mcts"]
    trace = MctsTrace(module, task.C, MAX_PLAYOUTS if task.recorded else 0)
    counting = CountingGame(task.game)
    with patch.dict(vars(module), {name: trace.make_stand_in(name) for name in PHASES}):
        start = perf_counter()
        answer = module.monte_carlo_tree_search(
            counting, task.state, task.playouts, task.C, random.Random(task.seed)
        )
        seconds = perf_counter() - start
    value, move = check_answer(answer, task.game.actions(task.state), "monte_carlo_tree_search")
    counts = {"positions": counting.generated + 1, "playouts": trace.playouts}
    children = [] if trace.root is None else list(trace.root.children.items())
    children.sort(key=lambda item: (item[0] != move, -item[1].N))
    moves = [
        (name, {"N": child.N, "U/N": child.U / child.N if child.N else None})
        for name, child in children
    ]
    return SearchResult(value, move, counts, seconds, moves, trace.steps)


def _move_randomly(student: StudentCode, task: Task) -> SearchResult:
    moves = task.game.actions(task.state)
    return SearchResult(0, random.Random(task.seed).choice(moves), {}, 0)


def _play_perfectly(student: StudentCode, task: Task) -> SearchResult:
    value, best = Cases().perfect_play()["/".join(task.state.rows)]
    index = random.Random(task.seed).choice(best)
    move = task.game.actions(task.state)[index]
    return SearchResult(value if task.state.to_move == "X" else 0 - value, move, {}, 0)


def _ask_own_player(student: StudentCode, task: Task) -> SearchResult:
    player = student.modules["player"].Player()
    seed = random.getrandbits(32) if task.seed is None else task.seed
    for method, arguments in (("seed", [seed]), ("reset", [])):
        if hasattr(player, method):
            getattr(player, method)(*arguments)
    start = process_time()
    move = check_move(player.choose(task.game, task.state), task.game.actions(task.state), "choose")
    return SearchResult(0, move, {}, process_time() - start)


CHANCE_ENGINE, OWN_PLAYER = "expectiminimax", "your own player"
PERFECT = "perfect"  # plays from a table, so nothing has to be written
ENGINES = {
    engine.name: engine
    for engine in (
        Engine("minimax", "minimax", ("plies",), _look_ahead),
        Engine("alpha-beta", "alphabeta", ("plies",), _look_ahead),
        Engine("heuristic alpha-beta", "cutoff", ("plies",), _look_ahead),
        Engine("MCTS", "mcts", ("playouts", "C"), _run_mcts),
        Engine(CHANCE_ENGINE, "expectiminimax", ("plies",), _look_ahead),
        Engine(OWN_PLAYER, "player", (), _ask_own_player),
        Engine(PERFECT, "", (), _play_perfectly),
        Engine("random", "", (), _move_randomly),
    )
    if not engine.file or engine.file in FUNCTIONS
}


def list_playable_engines(student: StudentCode) -> list[str]:
    """Return the names of the engines that can play now, with random as the last."""
    return [name for name, engine in ENGINES.items() if not engine.explain_missing(student)]


def explain_unsupported(name: str, game: Game) -> str:
    """Say why an engine can't play a game even if it is written, or "" if it can."""
    if name == OWN_PLAYER and type(game) is not ConnectFour:
        return f"{OWN_PLAYER} plays Connect Four only: choose that game"
    small = type(game) is TicTacToe and (game.height, game.width, game.k) == (3, 3, 3)
    if name == PERFECT and not small:
        return "perfect plays tic-tac-toe with 3 rows only: choose that game"
    if type(game).outcomes is not Game.outcomes and name not in (CHANCE_ENGINE, "random"):
        others = [other for other in (CHANCE_ENGINE, "random") if other in ENGINES]
        return f"{name} knows no chance: choose {' or '.join(others)}"
    return ""


def search(student: StudentCode, task: Task) -> SearchResult:
    """Let an engine search.

    Raises what the student's code raises; Unusable if that code does not return a value and a
    legal move, or if the engine lacks a function or can't play this game.
    """
    if problem := ENGINES[task.engine].explain_missing(student):
        raise Unusable(f"{task.engine}: {problem}")
    if why := explain_unsupported(task.engine, task.game):
        raise Unusable(why)
    return ENGINES[task.engine].search(student, task)


def rate_moves(student: StudentCode, task: Task) -> dict[Move, float]:
    """Return the engine's rating of each move, if it rates moves.

    Ratings are for the player to move. MCTS rates all moves in one search. The other engines search
    every child, one ply less deep.
    """
    game, state = task.game, task.state
    if not ENGINES[task.engine].uses:
        return {}
    if task.engine == "MCTS":
        moves = search(student, task).moves
        return {move: found["U/N"] for move, found in moves if found["U/N"] is not None}
    values: dict[Move, float] = {}
    for move in game.actions(state):
        child = game.result(state, move)
        if game.is_terminal(child):
            values[move] = game.utility(child, state.to_move)
        else:
            # This value is for the player to move in the child.
            shorter = task._replace(state=child, plies=max(1, task.plies - 1))
            value = search(student, shorter).value
            values[move] = value if default_side(child) == state.to_move else 0 - value  # no -0.0
    return values


def make_engine_player(student: StudentCode, engine: str, **limits: Any) -> Player:
    return lambda game, state: search(student, Task(engine, game, state, **limits)).move
