"""The experiments of the page Measure, by name. They measure the student's functions, or wrap games
or what these functions ask; nothing here searches."""

from __future__ import annotations

from collections.abc import Callable

from lab.experiments.chance import SqueezingHUnderChance
from lab.experiments.contests import AllAlgorithmsSideBySide, WinRates
from lab.experiments.experiment import Experiment, Row, Values
from lab.experiments.playouts import (
    PlayoutsAgainstStability,
    PlayoutsCutOffByAHeuristic,
    TuningCAndPlayouts,
)
from lab.experiments.search import (
    DeeperUntilTheTimeIsOver,
    DepthAgainstBreadth,
    DepthAgainstCost,
    OrderOfMoves,
    WhyABoundIsNotAValue,
)
from lab.experiments.sizes import HowLargeIsTheGame
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
