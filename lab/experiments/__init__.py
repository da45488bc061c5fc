"""The experiments of the page Measure, by name. They measure the student's functions, or wrap games
or what these functions ask; nothing here searches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lab.engines import ENGINES
from lab.experiments.contests import (
    AllAlgorithmsSideBySide,
    PlayoutsAgainstStability,
    PlayoutsCutOffByAHeuristic,
    TuningCAndPlayouts,
    WinRates,
)
from lab.experiments.experiment import Experiment, Row, Values
from lab.experiments.search import (
    DeeperUntilTheTimeIsOver,
    DepthAgainstBreadth,
    DepthAgainstCost,
    HowLargeIsTheGame,
    OrderOfMoves,
    SqueezingHUnderChance,
    WhyABoundIsNotAValue,
)
from lab.jobs import Job
from lab.student import FUNCTIONS, Student

EXPERIMENTS: dict[str, Experiment] = {
    kind.name: kind()
    for kind in (
        DepthAgainstCost,
        PlayoutsAgainstStability,
        WinRates,
        TuningCAndPlayouts,
        HowLargeIsTheGame,
        AllAlgorithmsSideBySide,
        OrderOfMoves,
        WhyABoundIsNotAValue,
        DepthAgainstBreadth,
        DeeperUntilTheTimeIsOver,
        PlayoutsCutOffByAHeuristic,
        SqueezingHUnderChance,
    )
    if not kind.needs or kind.needs[0] in FUNCTIONS
}


def measure(code: Student, name: str, values: Values, report: Callable[[Row], None]) -> None:
    """Run an experiment as work for a job, and report its rows."""
    for row in EXPERIMENTS[name].rows(code, values):
        report(row)


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
