"""Numbers as the lab writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from autograder.diagram import show

ROUNDING = 1e-9


def known(bounds: tuple[float, float], v: float | None) -> str:
    """Say what a search knows of a value: v, or a bound if moves that it has skipped leave that
    open.

    bounds: the value lies between these, by all that the search has looked at
    """
    low, high = bounds
    if low == high or (low, high) == (-math.inf, math.inf):
        return "" if v is None else show(v)
    if math.isinf(low):
        return f"at most {show(high)}"
    return f"at least {show(low)}" if math.isinf(high) else f"{show(low)} to {show(high)}"


def contains(bounds: Sequence[float], value: float) -> bool:
    """Return whether a value lies between two bounds, rounding errors aside."""
    return bounds[0] - ROUNDING <= value <= bounds[1] + ROUNDING


def signed(value: float) -> str:
    """Write an estimate with its sign: +1, 0, -0.25."""
    value = round(value, 2)
    return "0" if value == 0 else f"{value:+.2f}" if value % 1 else f"{value:+.0f}"
