"""The experiments as the page offers them: what they ask, their controls, their pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from types import ModuleType
from typing import Any, NamedTuple

from lab import drawing, experiments
from lab.boards import offered
from lab.drawing import Part, Row
from lab.engines import Settings, ready, usable
from lab.jobs import Runner
from lab.student import NotUsable, Student, explain

BOARDS = offered("measured")
SMALL_BOARDS = offered("counted")
SEARCHES = ("minimax", "alpha-beta", "heuristic alpha-beta")
PLAYOUTS = (10, 30, 100, 300, 1000)
CONSTANTS = (0.0, 0.5, 1.0, 1.4, 2.0)


class Experiment(NamedTuple):
    """One experiment.

    question: what it answers
    controls: given marimo and the student's functions, the controls in a dictionary
    rows:     given their values, the table as it grows
    key:      the fields by which rows of the table differ
    steps:    given the values, how many rows will come in all
    picture:  the plot and the table, each a chart or HTML
    """

    question: str
    controls: Callable[[ModuleType, Student], Any]
    rows: Callable[[dict[str, Any]], Iterator[Row]]
    key: tuple[str, ...]
    steps: Callable[[dict[str, Any]], int]
    picture: Callable[[list[Row]], list[Part]]

    def start(self, runner: Runner, values: dict[str, Any]) -> None:
        runner.start(lambda: self.rows(values), self.key, self.steps(values))


def progress(runner: Runner) -> str:
    """How far an experiment is, or why it could not go on."""
    if runner.problem:
        return f'<div class="kind">{escape(explain(runner.problem))}</div>'
    if not runner.running:
        return ""
    return (
        '<p class="thinking">working …</p>'
        f'<div class="bar"><i style="width:{runner.progress:.0%}"></i></div>'
    )


def _board(mo: ModuleType, boards: dict[str, Any] = BOARDS) -> Any:
    return mo.ui.dropdown(list(boards), next(iter(boards)), label="game")


# --- Depth against cost ---------------------------------------------------------------------------


def _depth_rows(values: dict[str, Any]) -> Iterator[Row]:
    game = BOARDS[values["game"]]()
    names = values["engines"]
    if not names:
        raise NotUsable("choose the searches to be measured, of those that you have written")
    return experiments.depth_and_cost(
        usable(*names), game, game.initial, names, int(values["plies"])
    )


def _depth_picture(rows: list[Row]) -> list[Part]:
    field = ": positions"
    points = [
        {"plies looked ahead": row["plies"], "positions": value, "search": name.removesuffix(field)}
        for row in rows
        for name, value in row.items()
        if field in name
    ]
    shown = [
        {
            name: f"{value:.3f}" if "seconds" in name else value
            for name, value in row.items()
            if name != "minimax: cut-offs"  # there are none
        }
        for row in rows
    ]
    chart = drawing.lines(points, "plies looked ahead", "positions", "search", log="positions")
    return [*chart, drawing.table(shown)]


DEPTH = Experiment(
    "How many positions does a search visit when it looks further ahead, and how many does "
    "alpha-beta save? Mind the scale: each line is ten times the one below.",
    lambda mo, code: mo.ui.dictionary(
        {
            "game": _board(mo),
            "engines": mo.ui.multiselect(
                list(SEARCHES), [name for name in SEARCHES if name in ready(code)], label="searches"
            ),
            "plies": mo.ui.slider(1, 9, value=6, label="up to plies", show_value=True),
        }
    ),
    _depth_rows,
    ("plies",),
    lambda values: int(values["plies"]) * max(1, len(values["engines"])),
    _depth_picture,
)


# --- Playouts against stability -------------------------------------------------------------------


def _stability_rows(values: dict[str, Any]) -> Iterator[Row]:
    game = BOARDS[values["game"]]()
    return experiments.stability(
        usable("MCTS"), game, game.initial, PLAYOUTS, values["repeats"], values["C"]
    )


def _stability_picture(rows: list[Row]) -> list[Part]:
    what = "share of the favourite move"
    points = [{"playouts": row["playouts"], "share": row["share"], "line": what} for row in rows]
    shown = [
        row
        | {
            "favourite": str(row["favourite"]),
            "share": f"{row['share']:.0%}",
            "moves chosen": " · ".join(
                f"{move} × {times}" for move, times in row["moves chosen"].items()
            ),
        }
        for row in rows
    ]
    return [
        *drawing.lines(points, "playouts", "share", "line", log="playouts"),
        drawing.table(shown),
    ]


STABILITY = Experiment(
    "Asked again and again about the empty board, does MCTS choose the same move? The more "
    "playouts, the less chance there is in its choice.",
    lambda mo, code: mo.ui.dictionary(
        {
            "game": _board(mo),
            "repeats": mo.ui.slider(5, 50, step=5, value=20, label="searches", show_value=True),
            "C": mo.ui.slider(0, 3, step=0.1, value=1.4, label="C", show_value=True),
        }
    ),
    _stability_rows,
    ("playouts",),
    lambda values: len(PLAYOUTS) * values["repeats"],
    _stability_picture,
)


# --- Win rates ------------------------------------------------------------------------------------


def _match_rows(values: dict[str, Any]) -> Iterator[Row]:
    names = values["X"], values["O"]
    plies, playouts = int(values["plies"]), int(values["playouts"])
    how = Settings(plies=plies, playouts=playouts)
    game = BOARDS[values["game"]]()
    code = usable(*names)
    for result in experiments.match(code, game, names, (how, how), int(values["games"])):
        low, high = result.win_interval()
        yield {
            "X": names[0],
            "O": names[1],
            "games": result.games,
            "X won": result.wins,
            "drawn": result.draws,
            "O won": result.losses,
            "X's wins": f"{result.wins / result.games:.1%}",
            "95% confidence": f"{low:.1%} to {high:.1%}",
            "X's points": f"{result.score_rate:.1%}",
        }


MATCH = Experiment(
    "Who wins more often? A share of wins is worth little without its confidence interval: "
    "the true share lies inside it 95 times in 100.",
    lambda mo, code: mo.ui.dictionary(
        {
            "game": _board(mo),
            "X": mo.ui.dropdown([*SEARCHES, "MCTS", "random"], ready(code)[0], label="X"),
            "O": mo.ui.dropdown([*SEARCHES, "MCTS", "random"], "random", label="O"),
            "plies": mo.ui.slider(
                1, 9, value=4, label="plies looked ahead (tic-tac-toe has 9)", show_value=True
            ),
            "playouts": mo.ui.slider(
                steps=list(PLAYOUTS), value=100, label="playouts", show_value=True
            ),
            "games": mo.ui.slider(
                steps=[10, 30, 100, 300, 1000], value=100, label="games", show_value=True
            ),
        }
    ),
    _match_rows,
    ("X", "O"),
    lambda values: int(values["games"]),
    lambda rows: [*drawing.shares(rows), drawing.table(rows)],
)


# --- Tuning ---------------------------------------------------------------------------------------


def _tuning_rows(values: dict[str, Any]) -> Iterator[Row]:
    opponent, game = values["opponent"], BOARDS[values["game"]]()
    how = Settings(plies=int(values["plies"]))
    return experiments.tuning(
        usable("MCTS", opponent),
        game,
        (opponent, how),
        PLAYOUTS[:4],
        CONSTANTS,
        int(values["games"]),
    )


TUNING = Experiment(
    "Which C goes with how many playouts? MCTS moves second, so that not losing is an art; the "
    "figures are its share of the points, a draw being half a point.",
    lambda mo, code: mo.ui.dictionary(
        {
            "game": _board(mo),
            "opponent": mo.ui.dropdown(
                ["alpha-beta", "random"],
                "alpha-beta" if "alpha-beta" in ready(code) else "random",
                label="opponent",
            ),
            "plies": mo.ui.slider(1, 9, value=6, label="its plies", show_value=True),
            "games": mo.ui.slider(2, 50, step=2, value=10, label="games each", show_value=True),
        }
    ),
    _tuning_rows,
    ("playouts", "C"),
    lambda values: 4 * len(CONSTANTS) * int(values["games"]),
    lambda rows: drawing.heat_map(rows, "C", "playouts", "score"),
)


# --- State space ----------------------------------------------------------------------------------


def _space_rows(values: dict[str, Any]) -> Iterator[Row]:
    game = SMALL_BOARDS[values["game"]]()
    for symmetric in (False, True):
        for row in experiments.state_space(game, symmetric):
            yield {
                "count": "the game itself" + (", up to symmetry" if symmetric else ""),
                "different positions": row["positions"],
                "positions along all games": row["paths"],
                "complete games": row["games"],
            }
    code = usable("minimax")
    for cached, symmetric, name in (
        (False, False, "your minimax"),
        (True, False, "your minimax with a cache"),
        (True, True, "your minimax with a cache that knows symmetry"),
    ):
        row = experiments.cached_minimax(code, game, cached, symmetric)
        yield {
            "count": name,
            "positions searched": row["calls"],
            "seconds": f"{row['seconds']:.3f}",
            "value": row["value"],
        }


def _space_picture(rows: list[Row]) -> list[Part]:
    timed = [[row for row in rows if ("seconds" in row) == timed] for timed in (False, True)]
    return list(map(drawing.table, timed))


SPACE = Experiment(
    "How large is a game? A position can be reached in many ways, which a cache makes use of, and "
    "most look like others from another side, which symmetry makes use of.",
    lambda mo, code: mo.ui.dictionary({"game": _board(mo, SMALL_BOARDS)}),
    _space_rows,
    ("count",),
    lambda values: 25,
    _space_picture,
)

EXPERIMENTS = {
    "depth against cost": DEPTH,
    "playouts against stability": STABILITY,
    "win rates": MATCH,
    "tuning C and playouts": TUNING,
    "how large is the game": SPACE,
}
