"""Define the experiments, each with its question, its controls and its plot."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import altair as alt
import marimo as mo

from autograder.settings import SETTINGS
from lab import experiments
from lab.boards import BOARDS, SMALL_BOARDS
from lab.engines import ENGINES, list_playable_engines
from lab.jobs import Job
from lab.page import arrange, make_callouts, make_heading, make_slider, make_table
from lab.student import FUNCTIONS, StudentCode

Row = dict[str, Any]
POWERS = [10**power for power in range(9)]  # so that each grid line is ten times the previous one
# The engines that look ahead, and those that can play a match, if their question is on.
LOOK_AHEAD_ENGINES = [
    name for name in ("minimax", "alpha-beta", "heuristic alpha-beta") if name in ENGINES
]
MATCH_ENGINES = [name for name in (*LOOK_AHEAD_ENGINES, "MCTS", "random") if name in ENGINES]


@dataclass(frozen=True)
class Experiment:
    """An experiment that answers a question.

    name:          as the page calls it
    measure:       yields rows, from the student's code and the values of the controls
    make_controls: returns the controls by the arguments of `measure`, from the student's code
    plot:          draws the rows
    key:           the fields that identify a row; a later row with the same values replaces it
    file:          the student's file that it is about, if any
    """

    name: str
    question: str
    measure: Callable[..., Iterator[Row]]
    make_controls: Callable[[StudentCode], dict[str, Any]]
    plot: Callable[[list[Row]], Any] | None = None
    key: tuple[str, ...] | None = None
    file: str = ""


@dataclass(frozen=True)
class Run:
    """One run of an experiment, with the values of its controls."""

    experiment: Experiment
    values: dict[str, Any]
    job: Job

    @property
    def rows(self) -> list[Row]:
        key, rows = self.experiment.key, list(self.job.rows)
        if key is None:
            return rows
        return list({tuple(row[name] for name in key): row for row in rows}.values())

    @property
    def settings(self) -> str:
        """Return the values of the controls in one line."""

        def format_setting(value: Any) -> str:
            if isinstance(value, dict):
                uses = [f"{name} {value[name]}" for name in ENGINES[value["engine"]].uses]
                return " ".join([value["engine"], f"({', '.join(uses)})" * bool(uses)]).strip()
            return " and ".join(value) or "none" if isinstance(value, list) else str(value)

        return ", ".join(f"{name} {format_setting(value)}" for name, value in self.values.items())


def show_run(number: int, run: Run) -> Any:
    """Return the plot and the table of the rows that a run has so far."""
    rows, plot = run.rows, run.experiment.plot
    return mo.vstack(
        [
            make_heading(f"Run {number}: {run.experiment.name}"),
            mo.md(run.settings),
            *make_callouts(run.job.problem),
            *([plot(rows)] if plot and rows else []),
            *([make_table(rows)] if rows else []),
        ],
        align="stretch",
    )


def make_game_menu(boards: dict[str, Any] = BOARDS) -> Any:
    return mo.ui.dropdown(boards, next(iter(boards)), label="game")


def select_playable_engines(code: StudentCode, names: Sequence[str]) -> list[str]:
    """Return those of the named engines that can play now."""
    return [name for name in names if name in list_playable_engines(code)]


def make_side_controls(name: str, engine: str) -> Any:
    return mo.ui.dictionary(
        {
            "engine": mo.ui.dropdown(MATCH_ENGINES, engine, label=name),
            "plies": make_slider(f"{name}'s plies, if it looks ahead", 4, 1, 9),
            "playouts": make_slider(
                f"{name}'s playouts, if it is MCTS", 100, steps=experiments.PLAYOUTS
            ),
            "C": make_slider(f"{name}'s C, if it is MCTS", SETTINGS.C, 0, 4, 0.1),
        }
    )


def arrange_controls(controls: Any) -> list[Any]:
    """Return the controls side by side, and each group of controls in its own row."""
    plain = [part for part in controls.elements.values() if not hasattr(part, "elements")]
    groups = [part.elements.values() for part in controls.elements.values() if part not in plain]
    return [arrange(*part) for part in (plain, *groups)]


def plot_lines(rows: Sequence[Row], x: str, y: str, name: str = "", log: str = "") -> Any:
    """Draw points joined by lines, over the full width, with words for a screen reader.

    name: if given, the field that has one line for each of its values
    log:  if given, the field with a logarithmic scale
    """
    axes: dict[str, Any] = {x: {"axis": alt.Axis(tickMinStep=1)}, y: {}}
    if log:
        axes[log] = {"scale": alt.Scale(type="log"), "axis": alt.Axis(values=POWERS)}
    chart = (
        alt.Chart(alt.Data(values=list(rows)))
        .mark_line(point=True, tooltip=True)
        .encode(alt.X(x, type="quantitative", **axes[x]), alt.Y(y, type="quantitative", **axes[y]))
        .properties(
            width="container",
            description=f"the {y}",
            usermeta={"embedOptions": {"actions": False}},  # no menu
        )
    )
    if name:
        legend = alt.Legend(orient="bottom", columns=2)
        kind: Any = {"type": "nominal", "sort": None, "title": name, "legend": legend}
        chart = chart.encode(alt.Color(name, **kind), alt.StrokeDash(name, **kind))
    return chart


plot_by_plies = partial(plot_lines, x="plies", y="positions", log="positions")
ALL_EXPERIMENTS = (
    Experiment(
        "depth against cost",
        "How many positions does a search visit when it looks further ahead, and how many does "
        "alpha-beta save? The scale is logarithmic: each line is ten times the one below.",
        experiments.measure_cost_by_depth,
        lambda code: {
            "game": make_game_menu(),
            "searches": mo.ui.multiselect(
                LOOK_AHEAD_ENGINES,
                select_playable_engines(code, LOOK_AHEAD_ENGINES),
                label="searches",
            ),
            "plies": make_slider("up to plies", 6, 1, 9),
        },
        partial(plot_by_plies, name="search"),
    ),
    Experiment(
        "playouts against stability",
        "Does MCTS choose the same move each time it searches the first position? The plot shows "
        "the share of the searches that chose the most frequent move.",
        experiments.measure_stability,
        lambda code: {
            "game": make_game_menu(),
            "searches": make_slider("searches", 20, 5, 50, 5),
            "C": make_slider("C", SETTINGS.C, 0, 4, 0.1),
        },
        partial(plot_lines, x="playouts", y="share", log="playouts"),
        ("playouts",),
        "mcts",
    ),
    Experiment(
        "win rates",
        "Who wins more often? A share of wins is worth little without its confidence interval: the "
        "true share lies inside it 95 times in 100. If it contains 50%, these games do not show "
        "who is better. X always moves first.",
        experiments.measure_win_rates,
        lambda code: {
            "game": make_game_menu(),
            "games": make_slider("games", 100, steps=[10, 30, 100, 300, 1000]),
            "X": make_side_controls("X", select_playable_engines(code, MATCH_ENGINES)[0]),
            "O": make_side_controls("O", "random"),
        },
        key=("X", "O"),
    ),
    Experiment(
        "tuning C and playouts",
        "Which C works best with how many playouts? MCTS moves second, so it is hard not to lose. "
        "The figures are its share of the points; a draw is half a point. With few games small "
        "differences mean little.",
        experiments.tune_mcts,
        lambda code: {
            "game": make_game_menu(),
            "opponent": mo.ui.dropdown(
                MATCH_ENGINES,
                select_playable_engines(code, ["alpha-beta", "random"])[0],
                label="opponent",
            ),
            "plies": make_slider("its plies", 6, 1, 9),
            "games": make_slider("games each", 10, 2, 50, 2),
        },
        partial(plot_lines, x="C", y="score", name="playouts"),
        ("playouts", "C"),
        "mcts",
    ),
    Experiment(
        "a cache and symmetry",
        "How many positions does your minimax have to search? A cache uses that a position can be "
        "reached in many ways; symmetry uses that most positions are mirror images or rotations "
        "of others.",
        experiments.compare_caches,
        lambda code: {"game": make_game_menu(SMALL_BOARDS)},
        file="minimax",
    ),
    Experiment(
        "all algorithms side by side",
        "What does each of your algorithms play in the first position, and what does it cost?",
        experiments.compare_algorithms,
        lambda code: {
            "game": make_game_menu(),
            "plies": make_slider("plies, of those that look ahead", 4, 1, 9),
            "playouts": make_slider("playouts of MCTS", 1000, steps=experiments.PLAYOUTS),
        },
    ),
    Experiment(
        "the order of moves",
        "The earlier alpha-beta tries good moves, the more it prunes; its value stays the same. A "
        "killer move is the last that pruned at the same ply; the history heuristic first tries "
        "the moves that have pruned most so far.",
        experiments.compare_move_orders,
        lambda code: {"game": make_game_menu(), "plies": make_slider("up to plies", 5, 1, 8)},
        partial(plot_by_plies, name="order"),
        file="cutoff",
    ),
)
EXPERIMENTS = {one.name: one for one in ALL_EXPERIMENTS if not one.file or one.file in FUNCTIONS}
