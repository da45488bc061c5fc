"""The experiments as the page offers them: what they ask, their controls, their pictures, and what
the figures say."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from types import ModuleType
from typing import Any, NamedTuple

from lab import drawing
from lab.drawing import Part, Row
from lab.engines import ENGINES, ready
from lab.experiments import BOARDS, CONSTANTS, PLAYOUTS, SMALL_BOARDS, Values
from lab.explorations import measure
from lab.jobs import Job, Page
from lab.student import FUNCTIONS, Student

AHEAD = ("minimax", "alpha-beta", "heuristic alpha-beta")  # those that look ahead
SIDES = (*AHEAD, "MCTS", "random")  # those that play a match


class Experiment(NamedTuple):
    """One experiment.

    name:     of its measurement, too
    question: what it answers
    controls: given marimo and the student's functions, the controls by name
    key:      the fields by which rows of the table differ
    steps:    given the values of the controls, how many rows will come in all
    says:     what the figures of a complete run say, in words
    picture:  the plots and tables of a run's rows, each a chart or HTML
    """

    name: str
    question: str
    controls: Callable[[ModuleType, Student], dict[str, Any]]
    key: tuple[str, ...]
    steps: Callable[[Values], int]
    says: Callable[[list[Row]], str]
    picture: Callable[[list[Row]], list[Part]] = lambda rows: [drawing.table(rows)]


@dataclass
class Run:
    """One run of an experiment, with the values of its controls; its rows come one by one."""

    experiment: Experiment
    values: Values
    rows: list[Row] = field(default_factory=list)
    progress: float = 0.0  # from 0 to 1
    problem: str = ""
    running: bool = True

    @property
    def settings(self) -> str:
        """With what it was made, in a line."""

        def said(value: Any) -> str:
            if isinstance(value, dict):
                uses = [f"{name} {value[name]}" for name in ENGINES[value["engine"]].uses]
                return " ".join([value["engine"], f"({', '.join(uses)})" if uses else ""]).strip()
            return " and ".join(value) if isinstance(value, list) else str(value)

        return ", ".join(f"{name} {said(value)}" for name, value in self.values.items())

    def add(self, row: Row) -> None:
        """The next row; if it agrees with the last one in the key, it replaces that."""
        if self.rows and all(self.rows[-1][name] == row[name] for name in self.experiment.key):
            self.rows.pop()
        self.rows.append(row)
        self.progress += 1 / self.experiment.steps(self.values)


class Runner:
    """Runs experiments in the background, one after the other. What has been run stays, side by
    side, until it is cleared.

    changed: called, from any thread, when there is something new to show (a few times a second)
    """

    def __init__(self, page: Page, changed: Callable[[], None]) -> None:
        self.runs: list[Run] = []
        self._page, self._changed = page, changed
        self._job: Job | None = None

    @property
    def running(self) -> bool:
        return self._job is not None and self._job.running

    def start(self, experiment: Experiment, values: Values) -> None:
        """Stop what runs, and begin another run."""
        self.stop()
        values = {name: 0 if value is None else value for name, value in values.items()}  # cleared
        run = Run(experiment, values)
        self.runs.append(run)
        shown = 0.0

        def told(row: Row) -> None:
            nonlocal shown
            run.add(row)
            if time.monotonic() > shown + 0.4:
                shown = time.monotonic()
                self._changed()

        def done(job: Job) -> None:
            run.problem, run.running = job.problem, False
            self._changed()

        self._job = Job(self._page, measure, (experiment.name, values), told, done)
        self._changed()

    def stop(self) -> None:
        if self._job and self.running:
            self._job.stop()
            self.runs[-1].running, self.runs[-1].problem = False, "stopped"
            self._changed()

    def clear(self) -> None:
        """Forget what has been run."""
        self.stop()
        self.runs.clear()
        self._changed()


# --- Controls -------------------------------------------------------------------------------------


def _board(mo: ModuleType, boards: dict[str, Any] = BOARDS) -> Any:
    return mo.ui.dropdown(list(boards), next(iter(boards)), label="game")


def _slider(mo: ModuleType, label: str, value: float, *range_: float, **more: Any) -> Any:
    return mo.ui.slider(*range_, value=value, label=label, show_value=True, **more)


def _seed(mo: ModuleType) -> Any:
    return mo.ui.number(0, 999, value=1, label="seed")


def _side(mo: ModuleType, side: str, engine: str) -> Any:
    return mo.ui.dictionary(
        {
            "engine": mo.ui.dropdown(list(SIDES), engine, label=side),
            "plies": _slider(mo, f"{side}'s plies, if it looks ahead", 4, 1, 9),
            "playouts": _slider(mo, f"{side}'s playouts, if it is MCTS", 100, steps=list(PLAYOUTS)),
            "C": _slider(mo, f"{side}'s C, likewise", 1.4, 0, 3, 0.1),
        }
    )


def _plotted(x: str, y: str, name: str = "") -> Callable[[list[Row]], list[Part]]:
    """A plot, `y` on a logarithmic scale, over the table."""
    return lambda rows: [*drawing.lines(rows, x, y, name, log=y), drawing.table(rows)]


# --- What figures say -----------------------------------------------------------------------------


def _depth_says(rows: list[Row]) -> str:
    deepest = [row for row in rows if row["plies"] == rows[-1]["plies"]]
    words = [f"{row['search']} visits {row['positions']:,} positions" for row in deepest]
    most = max(deepest, key=lambda row: row["positions"])
    least = min(deepest, key=lambda row: row["positions"])
    saved = ""
    if least is not most:
        times = most["positions"] / least["positions"]
        saved = f" That is {times:.1f} times fewer for {least['search']}."
    return f"At {rows[-1]['plies']} plies, {', '.join(words)}.{saved}"


def _stability_says(rows: list[Row]) -> str:
    first, last = rows[0], rows[-1]
    return (
        f"With {first['playouts']} playouts {first['share']:.0%} of {first['searches']} searches "
        f"chose the favourite, {first['favourite']}; with {last['playouts']:,} it was "
        f"{last['share']:.0%}, and the favourite {last['favourite']}."
    )


def _match_picture(rows: list[Row]) -> list[Part]:
    spans = [f"{low:.1%} to {high:.1%}" for low, high in (row["X's wins"] for row in rows)]
    shown = [row | {"X's wins": span} for row, span in zip(rows, spans)]
    return [*drawing.shares(rows), drawing.table(shown)]


def _match_says(rows: list[Row]) -> str:
    row = rows[-1]
    low, high = row["X's wins"]
    sure = "these games don't tell whether that is more than half"
    if low > 0.5 or high < 0.5:
        sure = f"most likely {'more' if low > 0.5 else 'less'} than half"
    return (
        f"{row['X']}, as X, won {row['X won']} of {row['games']} games. Its true share of wins "
        f"lies between {low:.1%} and {high:.1%}, 95 times in 100: {sure}."
    )


def _tuning_says(rows: list[Row]) -> str:
    best, worst = (choose(rows, key=lambda row: row["score"]) for choose in (max, min))
    words = [
        f"the {word} score, {row['score']:.0%}, came with C = {row['C']:g} and "
        f"{row['playouts']} playouts"
        for word, row in (("best", best), ("worst", worst))
    ]
    return (
        f"Of {len(rows)} settings {' and '.join(words)}. Each played {best['games']} games, so "
        "that small differences mean little."
    )


def _size_says(rows: list[Row]) -> str:
    plain, symmetric = rows[0], rows[1]
    positions, paths = plain["different positions"], plain["positions along all games"]
    return (
        f"A search without a cache visits {paths:,} positions where there are {positions:,}, "
        f"{paths / positions:.0f} times as many; symmetry leaves "
        f"{symmetric['different positions']:,} of them."
    )


def _size_picture(rows: list[Row]) -> list[Part]:
    timed = [[row for row in rows if ("seconds" in row) == timed] for timed in (False, True)]
    return list(map(drawing.table, timed))


def _compared_says(rows: list[Row]) -> str:
    cost = {row["algorithm"]: row["positions"] for row in rows}
    moves = [row["move"] for row in rows if row["algorithm"] != "random"]
    words = "They agree."
    if len(moves) < 2:
        words = "Write more of your algorithms, and you can compare them."
    elif len(set(moves)) > 1:
        words = f"They play {len(set(moves))} different moves."
    if {"minimax", "alpha-beta"} <= set(cost):
        share = cost["alpha-beta"] / cost["minimax"]
        words += f" alpha-beta visits {share:.1%} of minimax's positions."
    return words


def _order_says(rows: list[Row]) -> str:
    deepest = {row["order"]: row["positions"] for row in rows if row["plies"] == rows[-1]["plies"]}
    best = min(deepest, key=lambda order: deepest[order])
    values = {row["value"] for row in rows if row["plies"] == rows[-1]["plies"]}
    return (
        f"At {rows[-1]['plies']} plies the fewest positions, {deepest[best]:,}, come with "
        f"“{best}”; “as given” has {deepest['as given']:,}. The value is "
        f"{'the same with each' if len(values) == 1 else 'not the same with each, which is wrong'}."
    )


def _kept_says(rows: list[Row]) -> str:
    if len(rows) == 1:
        return "Of 200 positions none was answered wrongly: try another seed."
    right, wrong, whole = rows
    return (
        f"The value of this position is {right['value']}; with values kept it comes out as "
        f"{wrong['value']}, for a bound that was good enough under one alpha and beta was taken "
        f"for the value under others. Kept together with alpha and beta: {whole['value']}."
    )


def _breadth_says(rows: list[Row]) -> str:
    wide, narrow = (choose(rows, key=lambda row: row["b, mean moves"]) for choose in (max, min))
    return " ".join(
        f"{row['game']} has {row['b, mean moves']:.1f} moves on average, so that a million "
        f"positions reach {row['plies in a million positions']} plies."
        for row in (wide, narrow)
    )


def _deepening_says(rows: list[Row]) -> str:
    last = rows[-1]
    before = rows[-2]["seconds so far"] if len(rows) > 1 else 0
    share = 1 - before / last["seconds so far"]
    changes = sum(one["move"] != other["move"] for one, other in pairwise(rows))
    return (
        f"It came to {last['plies']} plies; the last took {share:.0%} of the time. From depth to "
        f"depth the move changed {changes} times."
    )


def _short_says(rows: list[Row]) -> str:
    return (
        "; ".join(
            f"cut off after {row['cut off after']} plies it made {row['points']:g} points of "
            f"{row['games']}"
            for row in rows
        ).capitalize()
        + " against whole playouts. Few games tell little."
    )


def _squeezing_says(rows: list[Row]) -> str:
    row = rows[-1]
    return (
        f"Squeezed values, in the same order as before, have another best move in "
        f"{row['chance below']} of {row['trees']} trees where chance moves next, and in "
        f"{row['MIN below']} where MIN does: a mean goes by how large values are, a minimum by "
        "their order alone."
    )


EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        Experiment(
            "depth against cost",
            "How many positions does a search visit when it looks further ahead, and how many does "
            "alpha-beta save? Mind the scale: each line is ten times the one below.",
            lambda mo, code: {
                "game": _board(mo),
                "searches": mo.ui.multiselect(
                    list(AHEAD), [name for name in AHEAD if name in ready(code)], label="searches"
                ),
                "plies": _slider(mo, "up to plies", 6, 1, 9),
            },
            ("plies", "search"),
            lambda values: int(values["plies"]) * max(1, len(values["searches"])),
            _depth_says,
            _plotted("plies", "positions", "search"),
        ),
        Experiment(
            "playouts against stability",
            "Asked again and again about the empty board, does MCTS choose the same move?",
            lambda mo, code: {
                "game": _board(mo),
                "searches": _slider(mo, "searches", 20, 5, 50, 5),
                "C": _slider(mo, "C", 1.4, 0, 3, 0.1),
                "seed": _seed(mo),
            },
            ("playouts",),
            lambda values: len(PLAYOUTS) * values["searches"],
            _stability_says,
            lambda rows: [
                *drawing.lines(rows, "playouts", "share", "", log="playouts"),
                drawing.table([row | {"share": f"{row['share']:.0%}"} for row in rows]),
            ],
        ),
        Experiment(
            "win rates",
            "Who wins more often? A share of wins is worth little without its confidence interval: "
            "the true share lies inside it 95 times in 100. X always moves first.",
            lambda mo, code: {
                "game": _board(mo),
                "games": _slider(mo, "games", 100, steps=[10, 30, 100, 300, 1000]),
                "seed": _seed(mo),
                "X": _side(mo, "X", next(name for name in ready(code) if name in SIDES)),
                "O": _side(mo, "O", "random"),
            },
            ("X", "O"),
            lambda values: int(values["games"]),
            _match_says,
            _match_picture,
        ),
        Experiment(
            "tuning C and playouts",
            "Which C goes with how many playouts? MCTS moves second, so that not losing is an art; "
            "the figures are its share of the points, a draw being half a point.",
            lambda mo, code: {
                "game": _board(mo),
                "opponent": mo.ui.dropdown(
                    ["alpha-beta", "random"],
                    "alpha-beta" if "alpha-beta" in ready(code) else "random",
                    label="opponent",
                ),
                "plies": _slider(mo, "its plies", 6, 1, 9),
                "games": _slider(mo, "games each", 10, 2, 50, 2),
                "seed": _seed(mo),
            },
            ("playouts", "C"),
            lambda values: 4 * len(CONSTANTS) * int(values["games"]),
            _tuning_says,
            lambda rows: drawing.heat_map(rows, "C", "playouts", "score"),
        ),
        Experiment(
            "how large is the game",
            "How large is a game? A position can be reached in many ways, which a cache makes use "
            "of, and most look like others from another side, which symmetry makes use of.",
            lambda mo, code: {"game": _board(mo, SMALL_BOARDS)},
            ("count",),
            lambda values: 5,
            _size_says,
            _size_picture,
        ),
        Experiment(
            "all algorithms side by side",
            "What does each of your algorithms play in the first position, and what does it cost?",
            lambda mo, code: {
                "game": _board(mo),
                "plies": _slider(mo, "plies, of those that look ahead", 4, 1, 9),
                "playouts": _slider(mo, "playouts of MCTS", 1000, steps=list(PLAYOUTS)),
                "seed": _seed(mo),
            },
            ("algorithm",),
            lambda values: len(ENGINES),
            _compared_says,
        ),
        Experiment(
            "the order of moves",
            "Alpha-beta cuts the more, the earlier it tries good moves. A killer move made the "
            "last cut-off at the same ply; the history heuristic takes those first that have cut "
            "off most so far.",
            lambda mo, code: {"game": _board(mo), "plies": _slider(mo, "up to plies", 5, 1, 8)},
            ("plies", "order"),
            lambda values: 4 * int(values["plies"]),
            _order_says,
            _plotted("plies", "positions", "order"),
        ),
        Experiment(
            "why a bound is not a value",
            "A cache makes minimax faster. What if alpha-beta keeps the values that it returns, on "
            "a board of 3 x 4 with three in a row? The first wrong answer is shown.",
            lambda mo, code: {"seed": _seed(mo)},
            ("kept",),
            lambda values: 202,
            _kept_says,
        ),
        Experiment(
            "depth against breadth",
            "How far can a search look that visits a million positions? That goes by the number of "
            "moves, b: minimax visits about b^d positions, alpha-beta at best the root of that.",
            lambda mo, code: {"games": _slider(mo, "random games", 20, 1, 50), "seed": _seed(mo)},
            ("game",),
            lambda values: len(BOARDS),
            _breadth_says,
        ),
        Experiment(
            "deeper until the time is over",
            "A player with a clock searches to depth 1, 2, 3 ... and plays what the last complete "
            "search says. What does going deeper cost?",
            lambda mo, code: {"game": _board(mo), "seconds": _slider(mo, "seconds", 2, 1, 20)},
            ("plies",),
            lambda values: 8,
            _deepening_says,
            _plotted("plies", "positions"),
        ),
        Experiment(
            "playouts cut off by a heuristic",
            "Random play to the end says little about a long game. Here a playout of MCTS ends "
            "after a few plies, and a heuristic judges; whole playouts are the opponent.",
            lambda mo, code: {
                "game": _board(mo),
                "playouts": _slider(mo, "playouts", 100, steps=list(PLAYOUTS[:4])),
                "games": _slider(mo, "games each", 6, 2, 40, 2),
                "seed": _seed(mo),
            },
            ("cut off after",),
            lambda values: 4 * int(values["games"]),
            _short_says,
        ),
        Experiment(
            "squeezing h under chance",
            "A heuristic may be squeezed into (-1, 1), which keeps the order of its values. Does "
            "the best move stay the same? These trees are searched by your expectiminimax.",
            lambda mo, code: {"trees": _slider(mo, "trees", 100, 10, 500, 10), "seed": _seed(mo)},
            (),
            lambda values: int(values["trees"]),
            _squeezing_says,
        ),
    )
    if experiment.name != "squeezing h under chance" or "expectiminimax" in FUNCTIONS
}
