"""The plots of experiments, by Altair, which is imported late: a worker knows the experiments, but
draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

POWERS = [10**power for power in range(9)]  # so that each line is ten times the one before


def plot(drawn: Any, words: str) -> Any:
    """Return a plot as wide as there is room, with words for a screen reader."""
    no_menu = {"embedOptions": {"actions": False}}
    return drawn.properties(width="container", description=f"the {words}", usermeta=no_menu)


def lines(rows: Sequence[dict[str, Any]], x: str, y: str, log: str, name: str = "") -> Any:
    """Draw points joined by lines, one for each value of the field `name`, if that is given.

    log: the field with a logarithmic scale
    """
    import altair

    scale, ticks = altair.Scale(type="log"), altair.Axis(values=POWERS)
    axes: dict[str, Any] = {x: {"axis": altair.Axis(tickMinStep=1)}, y: {}}
    axes[log] = {"scale": scale, "axis": ticks}
    by_name: dict[str, Any] = {}
    if name:
        kind: Any = {"type": "nominal", "sort": None, "title": None}
        legend = altair.Legend(orient="bottom", columns=2)
        by_name["color"] = altair.Color(name, legend=legend, **kind)
        by_name["strokeDash"] = altair.StrokeDash(name, **kind)
    chart = altair.Chart(altair.Data(values=list(rows))).mark_line(point=True, tooltip=True)
    drawn = chart.encode(
        x=altair.X(x, type="quantitative", **axes[x]),
        y=altair.Y(y, type="quantitative", **axes[y]),
        **by_name,
    )
    return plot(drawn, y)


def heat_map(rows: Sequence[dict[str, Any]], x: str, y: str, shade: str) -> Any:
    """Draw a grid of shares between 0 and 1, darker for more."""
    import altair

    grid = altair.Chart(altair.Data(values=list(rows))).encode(
        x=altair.X(x, type="ordinal", axis=altair.Axis(labelAngle=0)),
        y=altair.Y(y, type="ordinal"),
    )
    scale = altair.Scale(domain=[0, 1], scheme="blues")
    colour = altair.Color(shade, type="quantitative", scale=scale, legend=None)
    share = altair.Text(shade, type="quantitative", format=".0%")
    dark = altair.datum[shade] > 0.6
    words = altair.condition(dark, altair.value("white"), altair.value("black"))
    drawn = grid.mark_rect().encode(color=colour) + grid.mark_text().encode(text=share, color=words)
    return plot(drawn, shade)


def bar(rows: Sequence[dict[str, Any]], fields: Sequence[str], unit: str) -> Any:
    """Draw the last row's fields end to end."""
    import altair

    parts = [{"part": name, unit: rows[-1][name], "place": i} for i, name in enumerate(fields)]
    colours = altair.Scale(domain=list(fields), range=["#3b82f6", "#94a3b8", "#f97316"])
    legend = altair.Legend(orient="bottom")
    drawn = (
        altair.Chart(altair.Data(values=parts), height=36)
        .mark_bar(tooltip=True)
        .encode(
            x=altair.X(unit, type="quantitative", stack="zero"),
            color=altair.Color("part:N", scale=colours, title=None, legend=legend),
            order="place:O",
        )
    )
    return plot(drawn, unit)
