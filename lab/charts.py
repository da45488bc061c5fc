"""The plots of experiments, by Altair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair

from lab.experiments.experiment import Bar, HeatMap, Lines, Plot, Row


def chart(plot: Plot, rows: Sequence[Row]) -> Any:
    """A plot of an experiment's rows, as wide as there is room, with words for a screen reader."""
    data = altair.Data(values=list(rows))
    if isinstance(plot, Lines):
        drawn, height, words = lines(plot, data), 260, f"{plot.y} by {plot.x}"
    elif isinstance(plot, HeatMap):
        drawn, height, words = heat_map(plot, data), 200, f"{plot.shade} by {plot.x} and {plot.y}"
    else:
        drawn, height, words = bar(plot, rows[-1]), 36, f"the {plot.unit}"
    return drawn.properties(
        width="container",
        height=height,
        description=words,
        usermeta={"embedOptions": {"actions": False}},  # no menu
    )


def lines(plot: Lines, data: Any) -> Any:
    def axis(kind: type, field: str) -> Any:
        if field != plot.log:
            ticks = altair.Axis(tickMinStep=1) if field == plot.x else altair.Axis()
            return kind(field, type="quantitative", axis=ticks)
        powers = [10**power for power in range(9)]
        ticks = altair.Axis(values=powers)  # so that each line is ten times the one before
        return kind(field, type="quantitative", axis=ticks, scale=altair.Scale(type="log"))

    by_name: dict[str, Any] = {}
    if plot.name:
        legend = altair.Legend(orient="bottom", columns=2)
        as_it_comes: dict[str, Any] = {"type": "nominal", "sort": None, "title": None}
        by_name = {
            "color": altair.Color(plot.name, legend=legend, **as_it_comes),
            "strokeDash": altair.StrokeDash(plot.name, **as_it_comes),
        }
    return (
        altair.Chart(data)
        .mark_line(point=True)
        .encode(
            x=axis(altair.X, plot.x),
            y=axis(altair.Y, plot.y),
            tooltip=[f"{plot.x}:Q", f"{plot.y}:Q", *([f"{plot.name}:N"] if plot.name else [])],
            **by_name,
        )
    )


def heat_map(plot: HeatMap, data: Any) -> Any:
    grid = altair.Chart(data).encode(
        x=altair.X(plot.x, type="ordinal", axis=altair.Axis(labelAngle=0)),
        y=altair.Y(plot.y, type="ordinal"),
    )
    scale = altair.Scale(domain=[0, 1], scheme="blues")
    shade = altair.Color(plot.shade, type="quantitative", scale=scale, legend=None)
    share = altair.Text(plot.shade, type="quantitative", format=".0%")
    dark = altair.datum[plot.shade] > 0.6
    words = altair.condition(dark, altair.value("white"), altair.value("black"))
    return grid.mark_rect().encode(color=shade) + grid.mark_text(fontSize=14).encode(
        text=share, color=words
    )


def bar(plot: Bar, row: Row) -> Any:
    parts = [{"part": name, plot.unit: row[name], "place": i} for i, name in enumerate(plot.fields)]
    colours = altair.Scale(domain=list(plot.fields), range=["#3b82f6", "#94a3b8", "#f97316"])
    legend = altair.Legend(orient="bottom")
    return (
        altair.Chart(altair.Data(values=parts))
        .mark_bar(size=26)
        .encode(
            x=altair.X(plot.unit, type="quantitative", stack="zero"),
            color=altair.Color("part:N", scale=colours, title=None, legend=legend),
            order="place:O",
            tooltip=["part:N", f"{plot.unit}:Q"],
        )
    )
