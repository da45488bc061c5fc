"""Searches step by step, and games against one's own search: the lab, without its processes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from browser.grading import Page, lay_out, read_files
from lab import student
from lab.boards import BY_NAME
from lab.engines import Settings, Task
from lab.jobs import Job
from lab.jobs import Page as LabPage
from lab.pages import play as board
from lab.pages import watch as steps
from lab.pages.positions import POSITIONS, typed_position
from lab.table import Desk, Table


class WaitingJob(Job):
    """Work with the student's functions that waits until `QuietPage` does it, in this Python."""

    def __init__(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        told: Callable[[Any], None],
        done: Callable[[Job], None],
    ) -> None:
        self.function, self.arguments, self.told, self.done = function, arguments, told, done
        self.result: Any = None
        self.problem, self.running = "", True

    def work(self) -> None:
        try:
            self.result = self.function(student.read(), *self.arguments, self.told)
        except (Exception, SystemExit) as problem:
            self.problem = student.explain(problem)
        self.running = False
        self.done(self)

    def stop(self) -> None:
        self.running = False


class QuietPage(LabPage):
    """The lab's page, without threads: what is to be done waits for `work`."""

    def __init__(self) -> None:
        self.waiting: list[WaitingJob] = []

    def start_job(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        told: Callable[[Any], None],
        done: Callable[[Job], None],
    ) -> Job:
        job = WaitingJob(function, arguments, told, done)
        self.waiting.append(job)
        return job

    def work(self) -> None:
        while self.waiting:
            job = self.waiting.pop(0)
            if job.running:
                job.work()


DESK = Desk(QuietPage())  # the search that is watched


def watch(
    page: Page, files: Mapping[str, str], position: str, engine: str, settings: dict[str, Any]
) -> Any:
    """Let one of the searches search a position; say how many steps can be shown, and where one
    stops. Raises ValueError if the position is none."""
    global DESK
    lay_out(read_files(files))
    work = QuietPage()
    DESK = Desk(work, lambda: page.post("news", json.dumps(DESK.progress)))
    game, state = typed_position(position, POSITIONS[position])
    task = Task(engine, game, state, Settings(**settings))
    DESK.ask(task, task)
    work.work()
    name, stops = steps.stops(DESK)
    return {"steps": len(DESK.steps), "next": name, "stops": stops, **show(0)}


def show(step: int) -> Any:
    """Show the search after so many steps."""
    return {
        "words": steps.watched(DESK, step),
        "rows": steps.rows(DESK, step),
        "legend": steps.legend(DESK, step),
    }


def play(
    page: Page,
    files: Mapping[str, str],
    game: str,
    side: str,
    engine: str,
    settings: dict[str, Any],
    played: list[int],
    move: str,
    back: bool,
) -> Any:
    """Go on with a game after these moves: with the human's move, if one is named, or the last one
    taken back; then the engine's."""
    lay_out(read_files(files))
    work, kind = QuietPage(), BY_NAME[game]
    table = Table(work, told=lambda: page.post("news", json.dumps(table.progress)))
    table.configure(engine, Settings(**settings), hints=True)
    table.start(kind.make(*kind.sizes.values()), side, played)
    if move:
        table.play(move)
    if back:
        table.take_back()
    work.work()
    moves = len(table.moves)
    return {
        "columns": board.columns_of(table),
        "row": board.width_of(table),
        "squares": board.squares(table, moves),
        "turn": board.whose_turn(table, moves),
        "behind": board.behind(table),
        "moves": board.names_of(table),
        "played": table.played,
    }
