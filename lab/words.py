"""Numbers as the lab writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

ROUNDING = 1e-9


def number(value: float | None) -> str:
    """Write a number as a person does: 0.25, 1,000, -∞."""
    if value is None:
        return ""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def known(bounds: tuple[float, float], v: float | None) -> str:
    """Say what a search knows of a value: v, or a bound if moves that it has skipped leave that
    open.

    bounds: the value lies between these, by all that the search has looked at
    """
    low, high = bounds
    if low == high or (low, high) == (-math.inf, math.inf):
        return number(v)
    if math.isinf(low):
        return f"at most {number(high)}"
    return f"at least {number(low)}" if math.isinf(high) else f"{number(low)} to {number(high)}"


def contains(bounds: Sequence[float], value: float) -> bool:
    """Return whether a value lies between two bounds, rounding errors aside."""
    return bounds[0] - ROUNDING <= value <= bounds[1] + ROUNDING


def signed(value: float) -> str:
    """Write an estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"
