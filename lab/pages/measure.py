"""The page Measure: experiments, and what came of each run."""

from __future__ import annotations

from html import escape
from types import ModuleType
from typing import Any

from lab import drawing
from lab.experiments.runs import Run
from lab.pages.parts import kindly


def heading_of(run: Run, number: int) -> str:
    """What a run is, whether it is at work, and what its figures say."""
    state = ""
    if run.running:
        state = '<p class="thinking">working …</p>'
    elif run.rows and not run.problem:
        state = f"<p>{escape(run.experiment.says(run.rows))}</p>"
    title = f"<h2>Run {number}: {escape(run.experiment.name)}</h2>"
    return f"{title}<small>{escape(run.settings)}</small>{state}{kindly(run.problem)}"


def shown(mo: ModuleType, number: int, run: Run) -> str:
    """A run, as far as it has come: its heading, plot and tables."""
    from lab import charts  # here, for a page without altair

    parts: list[Any] = [mo.Html(heading_of(run, number))]
    if run.rows:
        plot = run.experiment.plot
        parts += [charts.chart(plot, run.rows)] if plot else []
        parts.append(mo.Html(drawing.tables(run.rows)))
    html: str = mo.vstack(parts, align="stretch").text
    return f"<section>{html}</section>"


def in_rows(mo: ModuleType, controls: Any) -> list[Any]:
    """Controls side by side; each group of them in a row of its own."""
    plain = [part for part in controls.elements.values() if not hasattr(part, "elements")]
    groups = [part.elements.values() for part in controls.elements.values() if part not in plain]
    return [mo.hstack(list(row), justify="start", gap=2, wrap=True) for row in (plain, *groups)]
