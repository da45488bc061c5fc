"""Runs of experiments, in the background."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lab.engines import ENGINES
from lab.experiments import measure
from lab.experiments.experiment import Experiment, Row, Values
from lab.jobs import Job, Page


@dataclass
class Run:
    """One run of an experiment, with the values of its controls; its rows come one by one."""

    experiment: Experiment
    values: Values
    rows: list[Row] = field(default_factory=list)
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


class Runner:
    """Runs experiments, one after the other. What has been run stays, side by side, until it is
    cleared.

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
