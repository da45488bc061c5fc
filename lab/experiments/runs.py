"""Runs of experiments, in the background."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lab.engines import ENGINES
from lab.experiments import measure
from lab.experiments.experiment import Experiment, Row, Values
from lab.jobs import Job, Session


@dataclass
class Run:
    """One run of an experiment, with the values of its controls; its rows come one by one."""

    experiment: Experiment
    values: Values
    job: Job

    @property
    def rows(self) -> list[Row]:
        """The rows so far. One that agrees with the row before in the key replaces it."""
        rows: list[Row] = []
        for row in list(self.job.news):
            if rows and all(rows[-1][name] == row[name] for name in self.experiment.key):
                rows.pop()
            rows.append(row)
        return rows

    @property
    def settings(self) -> str:
        """The values of the controls in a line."""

        def words(value: Any) -> str:
            if isinstance(value, dict):
                uses = [f"{name} {value[name]}" for name in ENGINES[value["engine"]].uses]
                return " ".join([value["engine"], f"({', '.join(uses)})" if uses else ""]).strip()
            return " and ".join(value) or "none" if isinstance(value, list) else str(value)

        return ", ".join(f"{name} {words(value)}" for name, value in self.values.items())

    @property
    def conclusion(self) -> str:
        """What the figures of a complete run say; "" before that."""
        if self.job.running or self.job.problem or not self.rows:
            return ""
        return self.experiment.conclude(self.rows)


def start(session: Session, experiment: Experiment, values: Values) -> Run:
    """Stop what runs and begin a run."""
    return Run(experiment, values, session.run(measure, experiment.name, values))


def numbered(runs: Sequence[Run]) -> Iterator[tuple[int, Run]]:
    """Give the runs, of which the newest comes first, the numbers of their order in time."""
    return zip(range(len(runs), 0, -1), runs)
