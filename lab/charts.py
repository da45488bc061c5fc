"""The plots of experiments, by Altair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair

from lab.experiments.experiment import Bar, HeatMap, Lines, Plot, Row

POWERS = [10**power for power in range(9)]  # so that each line is ten times the one before


def chart(plot: Plot, rows: Sequence[Row]) -> Any:
    """Return a plot of rows, as wide as there is room, with words for a screen reader."""
    if isinstance(plot, Lines):
        drawn, words = lines(plot, altair.Chart(altair.Data(values=list(rows)))), plot.y
    elif isinstance(plot, HeatMap):
        drawn, words = heat_map(plot, altair.Chart(altair.Data(values=list(rows)))), plot.shade
    else:
        drawn, words = bar(plot, rows[-1]), plot.unit
    no_menu = {"embedOptions": {"actions": False}}
    return drawn.properties(width="container", description=f"the {words}", usermeta=no_menu)


def lines(plot: Lines, data: Any) -> Any:
    scale, ticks = altair.Scale(type="log"), altair.Axis(values=POWERS)
    log: dict[str, Any] = {plot.log: {"scale": scale, "axis": ticks}}
    whole = {plot.x: {"axis": altair.Axis(tickMinStep=1)}} | log
    by_name: dict[str, Any] = {}
    if plot.name:
        kind: Any = {"type": "nominal", "sort": None, "title": None}
        legend = altair.Legend(orient="bottom", columns=2)
        by_name["color"] = altair.Color(plot.name, legend=legend, **kind)
        by_name["strokeDash"] = altair.StrokeDash(plot.name, **kind)
    return data.mark_line(point=True, tooltip=True).encode(
        x=altair.X(plot.x, type="quantitative", **whole[plot.x]),
        y=altair.Y(plot.y, type="quantitative", **log.get(plot.y, {})),
        **by_name,
    )


def heat_map(plot: HeatMap, data: Any) -> Any:
    grid = data.encode(
        x=altair.X(plot.x, type="ordinal", axis=altair.Axis(labelAngle=0)),
        y=altair.Y(plot.y, type="ordinal"),
    )
    scale = altair.Scale(domain=[0, 1], scheme="blues")
    shade = altair.Color(plot.shade, type="quantitative", scale=scale, legend=None)
    share = altair.Text(plot.shade, type="quantitative", format=".0%")
    dark = altair.datum[plot.shade] > 0.6
    words = altair.condition(dark, altair.value("white"), altair.value("black"))
    return grid.mark_rect().encode(color=shade) + grid.mark_text().encode(text=share, color=words)


def bar(plot: Bar, row: Row) -> Any:
    parts = [{"part": name, plot.unit: row[name], "place": i} for i, name in enumerate(plot.fields)]
    colours = altair.Scale(domain=list(plot.fields), range=["#3b82f6", "#94a3b8", "#f97316"])
    legend = altair.Legend(orient="bottom")
    return (
        altair.Chart(altair.Data(values=parts), height=36)
        .mark_bar(tooltip=True)
        .encode(
            x=altair.X(plot.unit, type="quantitative", stack="zero"),
            color=altair.Color("part:N", scale=colours, title=None, legend=legend),
            order="place:O",
        )
    )
