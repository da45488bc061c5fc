"""Define the experiments, each with its question, its controls and its plot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import marimo as mo

from autograder.settings import SETTINGS
from lab.boards import BOARDS, SMALL_BOARDS
from lab.charts import lines, results, scores_by_C
from lab.engines import ENGINES, available
from lab.experiments import caches, contests, look_ahead
from lab.jobs import Job
from lab.page import callouts, heading, row, slider, table
from lab.student import FUNCTIONS, Student

Row = dict[str, Any]
# The engines that look ahead, and those that can play a match, if their question is on.
AHEAD = [name for name in ("minimax", "alpha-beta", "heuristic alpha-beta") if name in ENGINES]
SIDES = [name for name in (*AHEAD, "MCTS", "random") if name in ENGINES]


@dataclass(frozen=True)
class Experiment:
    """An experiment that answers a question.

    rows:     yields what it measures, from the student's code and the values of the controls
    controls: returns the controls by their arguments of `rows`, from the student's code
    plot:     draws the rows
    key:      the fields that identify a row; a later row with the same values replaces it
    file:     the student's file that it is about, if any
    """

    question: str
    rows: Callable[..., Iterator[Row]]
    controls: Callable[[Student], dict[str, Any]]
    plot: Callable[[list[Row]], Any] | None = None
    key: tuple[str, ...] | None = None
    file: str = ""

    @property
    def name(self) -> str:
        return self.rows.__name__.replace("_", " ")


@dataclass(frozen=True)
class Run:
    """One run of an experiment, with the values of its controls."""

    experiment: Experiment
    values: dict[str, Any]
    job: Job

    @property
    def rows(self) -> list[Row]:
        """Return the rows so far."""
        key, found = self.experiment.key, list(self.job.rows)
        if key is None:
            return found
        return list({tuple(row[name] for name in key): row for row in found}.values())

    @property
    def settings(self) -> str:
        """Return the values of the controls in one line."""

        def words(value: Any) -> str:
            if isinstance(value, dict):
                uses = [f"{name} {value[name]}" for name in ENGINES[value["engine"]].uses]
                return " ".join([value["engine"], f"({', '.join(uses)})" * bool(uses)]).strip()
            return " and ".join(value) or "none" if isinstance(value, list) else str(value)

        return ", ".join(f"{name} {words(value)}" for name, value in self.values.items())


def show_run(number: int, run: Run) -> Any:
    """Return the plot and the table of the rows that a run has so far."""
    rows, plot = run.rows, run.experiment.plot
    return mo.vstack(
        [
            heading(f"Run {number}: {run.experiment.name}"),
            mo.md(run.settings),
            *callouts(run.job.problem),
            *([plot(rows)] if plot and rows else []),
            *([table(rows)] if rows else []),
        ],
        align="stretch",
    )


# --- Controls -------------------------------------------------------------------------------------


def board(boards: dict[str, Any] = BOARDS) -> Any:
    return mo.ui.dropdown(boards, next(iter(boards)), label="game")


def seed() -> Any:
    return mo.ui.dropdown(list(range(1, 21)), 1, label="seed")


def written(code: Student, names: Sequence[str]) -> list[str]:
    """Return those of the named engines that can play now."""
    return [name for name in names if name in available(code)]


def side(name: str, engine: str) -> Any:
    return mo.ui.dictionary(
        {
            "engine": mo.ui.dropdown(SIDES, engine, label=name),
            "plies": slider(f"{name}'s plies, if it looks ahead", 4, 1, 9),
            "playouts": slider(f"{name}'s playouts, if it is MCTS", 100, steps=contests.PLAYOUTS),
            "C": slider(f"{name}'s C, if it is MCTS", SETTINGS.C, 0, 4, 0.1),
        }
    )


def control_rows(controls: Any) -> list[Any]:
    """Return the controls side by side, and each group of controls in its own row."""
    plain = [part for part in controls.elements.values() if not hasattr(part, "elements")]
    groups = [part.elements.values() for part in controls.elements.values() if part not in plain]
    return [row(*part) for part in (plain, *groups)]


# --- Experiments ----------------------------------------------------------------------------------

by_plies = partial(lines, x="plies", y="positions", log="positions")
ALL = (
    Experiment(
        "How many positions does a search visit when it looks further ahead, and how many does "
        "alpha-beta save? The scale is logarithmic: each line is ten times the one below.",
        look_ahead.depth_against_cost,
        lambda code: {
            "game": board(),
            "searches": mo.ui.multiselect(AHEAD, written(code, AHEAD), label="searches"),
            "plies": slider("up to plies", 6, 1, 9),
        },
        partial(by_plies, name="search"),
    ),
    Experiment(
        "Does MCTS choose the same move each time it searches the first position? The plot shows "
        "the share of the searches that chose the most frequent move.",
        contests.playouts_against_stability,
        lambda code: {
            "game": board(),
            "searches": slider("searches", 20, 5, 50, 5),
            "C": slider("C", SETTINGS.C, 0, 4, 0.1),
            "seed": seed(),
        },
        partial(lines, x="playouts", y="share", log="playouts"),
        ("playouts",),
        "mcts",
    ),
    Experiment(
        "Who wins more often? A share of wins is worth little without its confidence interval: the "
        "true share lies inside it 95 times in 100. If it contains 50%, these games do not show "
        "who is better. X always moves first.",
        contests.win_rates,
        lambda code: {
            "game": board(),
            "games": slider("games", 100, steps=[10, 30, 100, 300, 1000]),
            "seed": seed(),
            "X": side("X", written(code, SIDES)[0]),
            "O": side("O", "random"),
        },
        results,
        ("X", "O"),
    ),
    Experiment(
        "Which C works best with how many playouts? MCTS moves second, so it is hard not to lose. "
        "The figures are its share of the points; a draw is half a point. With few games small "
        "differences mean little.",
        contests.tuning_C_and_playouts,
        lambda code: {
            "game": board(),
            "opponent": mo.ui.dropdown(
                SIDES, written(code, ["alpha-beta", "random"])[0], label="opponent"
            ),
            "plies": slider("its plies", 6, 1, 9),
            "games": slider("games each", 10, 2, 50, 2),
            "seed": seed(),
        },
        scores_by_C,
        ("playouts", "C"),
        "mcts",
    ),
    Experiment(
        "How large is a game? A cache uses that a position can be reached in many ways; symmetry "
        "uses that most positions are mirror images or rotations of others.",
        caches.how_large_is_the_game,
        lambda code: {"game": board(SMALL_BOARDS)},
        file="minimax",
    ),
    Experiment(
        "What does each of your algorithms play in the first position, and what does it cost?",
        contests.all_algorithms_side_by_side,
        lambda code: {
            "game": board(),
            "plies": slider("plies, of those that look ahead", 4, 1, 9),
            "playouts": slider("playouts of MCTS", 1000, steps=contests.PLAYOUTS),
            "seed": seed(),
        },
    ),
    Experiment(
        "The earlier alpha-beta tries good moves, the more it prunes; its value stays the same. A "
        "killer move is the last that pruned at the same ply; the history heuristic first tries "
        "the moves that have pruned most so far.",
        look_ahead.the_order_of_moves,
        lambda code: {"game": board(), "plies": slider("up to plies", 5, 1, 8)},
        partial(by_plies, name="order"),
        file="cutoff",
    ),
    Experiment(
        "A cache makes minimax faster. What if alpha-beta keeps the values that it returns, on a "
        "board of 3 x 4 with three in a row? A bound that was good enough under one alpha and beta "
        "is then taken for the value under others. The first wrong answer is shown.",
        look_ahead.why_a_bound_is_not_a_value,
        lambda code: {"seed": seed()},
        key=("cached",),
        file="alphabeta",
    ),
    Experiment(
        "How far ahead can a search look with a million positions? That depends on the number of "
        "moves, b: minimax visits about b^d, alpha-beta at best the square root of that.",
        look_ahead.depth_against_breadth,
        lambda code: {"games": slider("random games", 20, 1, 50), "seed": seed()},
    ),
    Experiment(
        "A player with a clock searches to depth 1, 2, 3 ... and plays what the last complete "
        "search says. What does going deeper cost, and how often does the move change?",
        look_ahead.deeper_until_the_time_is_over,
        lambda code: {"game": board(), "seconds": slider("seconds", 2, 1, 20)},
        by_plies,
        file="cutoff",
    ),
    Experiment(
        "Random play to the end says little about a long game. Here a playout of MCTS ends after a "
        "few plies, and a heuristic judges; the opponent uses whole playouts. With few games small "
        "differences mean little.",
        contests.playouts_cut_off_by_a_heuristic,
        lambda code: {
            "game": board(),
            "playouts": slider("playouts", 100, steps=contests.PLAYOUTS[:4]),
            "games": slider("games each", 6, 2, 40, 2),
            "seed": seed(),
        },
        key=("cut off after",),
        file="mcts",
    ),
    Experiment(
        "A heuristic may be squeezed into (-1, 1), which keeps the order of its values. In how "
        "many random trees does the best move of your expectiminimax change? A mean depends on how "
        "large the values are, a minimum on their order alone.",
        look_ahead.squeezing_h_under_chance,
        lambda code: {"trees": slider("trees", 100, 10, 500, 10), "seed": seed()},
        key=(),
        file="expectiminimax",
    ),
)
EXPERIMENTS = {one.name: one for one in ALL if not one.file or one.file in FUNCTIONS}
