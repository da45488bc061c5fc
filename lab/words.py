"""Numbers as the lab writes them."""

from __future__ import annotations

import math


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
    """Say what is known of a value that lies between two bounds: 3, at most 2; v if nothing is."""
    low, high = bounds
    if low == high or (low, high) == (-math.inf, math.inf):
        return number(v if low != high else low)
    if math.isinf(low):
        return f"at most {number(high)}"
    return f"at least {number(low)}" if math.isinf(high) else f"{number(low)} to {number(high)}"


def signed(value: float) -> str:
    """Write an estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"


def contains(bounds: tuple[float, float], value: float) -> bool:
    """Return whether a value lies between two bounds, rounding errors aside."""
    return bounds[0] - 1e-9 <= value <= bounds[1] + 1e-9
