"""Plot the results of experiments."""

from collections.abc import Sequence
from typing import Any

import altair as alt

Rows = Sequence[dict[str, Any]]

POWERS = [10**power for power in range(9)]  # so that each grid line is ten times the previous one
PARTS = ["#3b82f6", "#94a3b8", "#f97316"]


def make_chart(rows: Rows, **more: Any) -> alt.Chart:
    return alt.Chart(alt.Data(values=list(rows)), **more)


def finish_plot(chart: Any, description: str) -> Any:
    """Return a plot that fills the width, with words for a screen reader."""
    no_menu = {"embedOptions": {"actions": False}}
    return chart.properties(width="container", description=f"the {description}", usermeta=no_menu)


def plot_lines(rows: Rows, x: str, y: str, log: str, name: str = "") -> Any:
    """Draw points joined by lines.

    log:  the field with a logarithmic scale
    name: if given, the field that has one line for each of its values
    """
    axes: dict[str, Any] = {x: {"axis": alt.Axis(tickMinStep=1)}, y: {}}
    axes[log] = {"scale": alt.Scale(type="log"), "axis": alt.Axis(values=POWERS)}
    chart = (
        make_chart(rows)
        .mark_line(point=True, tooltip=True)
        .encode(alt.X(x, type="quantitative", **axes[x]), alt.Y(y, type="quantitative", **axes[y]))
    )
    if name:
        legend = alt.Legend(orient="bottom", columns=2)
        kind: Any = {"type": "nominal", "sort": None, "title": None, "legend": legend}
        chart = chart.encode(alt.Color(name, **kind), alt.StrokeDash(name, **kind))
    return finish_plot(chart, y)


def plot_scores(rows: Rows) -> Any:
    """Draw a grid of scores between 0 and 1 by C and playouts, darker for more."""
    grid = make_chart(rows).encode(alt.X("C:O", axis=alt.Axis(labelAngle=0)), alt.Y("playouts:O"))
    scale = alt.Scale(domain=[0, 1], scheme="blues")
    colour = alt.Color("score:Q", scale=scale, legend=None)
    words = alt.condition(alt.datum.score > 0.6, alt.value("white"), alt.value("black"))
    text = grid.mark_text().encode(alt.Text("score:Q", format=".0%"), color=words)
    return finish_plot(grid.mark_rect().encode(colour) + text, "score")


def plot_results(rows: Rows) -> Any:
    """Draw the games of the last row by their results, end to end."""
    names = ["X won", "drawn", "O won"]
    parts = [{"part": name, "games": rows[-1][name], "place": i} for i, name in enumerate(names)]
    scale, legend = alt.Scale(domain=names, range=PARTS), alt.Legend(orient="bottom")
    chart = make_chart(parts, height=36).mark_bar(tooltip=True)
    chart = chart.encode(
        alt.X("games:Q", stack="zero"),
        alt.Color("part:N", scale=scale, title=None, legend=legend),
        alt.Order("place:O"),
    )
    return finish_plot(chart, "games")
