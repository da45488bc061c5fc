"""What an experiment is: a question, controls, a measurement, a plot, and what the figures say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from lab.engines import ENGINES, available
from lab.student import NotUsable, Student
from starter.games import ConnectFour, Game, Hex, Othello, State, TicTacToe

Row = dict[str, Any]
Values = dict[str, Any]  # of the controls, by name

BOARDS: dict[str, Game] = {
    "tic-tac-toe": TicTacToe(),
    "tic-tac-toe 4 x 4": TicTacToe(4, 4, 4),
    "Connect Four": ConnectFour(),
    "Othello": Othello(),
    "Othello 4 x 4": Othello(4),
    "Hex 4 x 4": Hex(4),
    "Hex 7 x 7": Hex(7),
}
SMALL_BOARDS: dict[str, Game] = {  # whose positions can all be counted
    "tic-tac-toe 3 x 3": TicTacToe(),
    "tic-tac-toe 2 x 3, 2 in a row": TicTacToe(2, 3, 2),
    "tic-tac-toe 2 x 4, 3 in a row": TicTacToe(2, 4, 3),
    "Connect Four 3 x 4, 3 in a row": ConnectFour(3, 4, 3),
    "Othello 4 x 4": Othello(4),
    "Hex 3 x 3": Hex(3),
}
PLAYOUTS = (10, 30, 100, 300, 1000)
# The engines that look ahead, of the questions that are on.
AHEAD = tuple(name for name in ("minimax", "alpha-beta", "heuristic alpha-beta") if name in ENGINES)


class Experiment:
    """One experiment.

    question: what it answers
    key:      the fields by which rows of the table differ
    plot:     draws the rows (see `charts.py`)
    needs:    the question file that it is about and the functions of it (none: all), if any
    """

    name: str
    question: str
    key: tuple[str, ...]
    plot: Callable[[list[Row]], Any] | None = None
    needs: tuple[str, ...] = ()

    def controls(self, mo: ModuleType, code: Student) -> dict[str, Any]:
        """The controls by name, as marimo has them; they may go by what is written."""
        raise NotImplementedError

    def rows(self, code: Student, values: Values) -> Iterator[Row]:
        """Measure. What has been measured so far comes after every step, so that progress shows: a
        row that agrees with the last one in the key takes its place."""
        raise NotImplementedError

    def conclude(self, rows: list[Row]) -> str:
        """Say in words what the figures of a complete run tell."""
        raise NotImplementedError

    def module(self, code: Student) -> Any:
        """The student's module that this is about. Raises NotUsable if it is not written."""
        file, *functions = self.needs
        if problem := code.missing_reason(file, *functions):
            raise NotUsable(problem)
        return code.modules[file]


# --- Controls that several experiments have -------------------------------------------------------


def board(mo: ModuleType, boards: dict[str, Any] = BOARDS) -> Any:
    return mo.ui.dropdown(list(boards), next(iter(boards)), label="game")


def slider(mo: ModuleType, label: str, value: float, *range_: float, **more: Any) -> Any:
    return mo.ui.slider(*range_, value=value, label=label, show_value=True, **more)


def seed(mo: ModuleType) -> Any:
    return mo.ui.dropdown(list(range(1, 21)), 1, label="seed")


def first_available(code: Student, names: tuple[str, ...]) -> str:
    """The first of these engines that can play now."""
    return next(name for name in names if name in available(code))


# --- Stand-ins for the student's functions --------------------------------------------------------


def cached(
    module: Any, known: dict[Any, Any], key: Callable[[State, Any, Any], Any]
) -> dict[str, Callable[..., Any]]:
    """The student's max_value and min_value with the cache `known`; `key` makes its keys of a
    state, and of alpha and beta, which are None in minimax."""

    def with_cache(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(game: Game, state: State, player: str, alpha: Any = None, beta: Any = None) -> Any:
            name = key(state, alpha, beta)
            if name not in known:
                window = () if alpha is None else (alpha, beta)
                known[name] = function(game, state, player, *window)
            return known[name]

        return call

    return {name: with_cache(getattr(module, name)) for name in ("max_value", "min_value")}
