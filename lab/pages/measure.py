"""The page Measure: experiments, and what came of each run."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

from lab.drawing import Part
from lab.pages.parts import kindly
from lab.trials import Run


def heading_of(run: Run, number: int) -> str:
    """What a run is, how far it has come, and what its figures say."""
    state = ""
    if run.running:
        state = (
            '<p class="thinking">working …</p>'
            f'<div class="bar"><i style="width:{min(run.progress, 1):.0%}"></i></div>'
        )
    elif run.rows and not run.problem:
        state = f"<p>{escape(run.experiment.says(run.rows))}</p>"
    title = f"<h2>Run {number}: {escape(run.experiment.name)}</h2>"
    return f"{title}<small>{escape(run.settings)}</small>{state}{kindly(run.problem)}"


def picture_of(run: Run) -> list[Part]:
    """The plots and tables of a run, as far as it has come."""
    return run.experiment.picture(run.rows) if run.rows else []


def in_rows(mo: ModuleType, controls: Any) -> list[Any]:
    """Controls side by side; each group of them in a row of its own."""
    plain = [part for part in controls.elements.values() if not hasattr(part, "elements")]
    groups = [part.elements.values() for part in controls.elements.values() if part not in plain]
    return [mo.hstack(list(row), justify="start", gap=2, wrap=True) for row in (plain, *groups)]
