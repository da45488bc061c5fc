"""The experiments of the page Measure, each a generator of the rows of a table.

Nothing here searches: the student's functions do, on wrapped games or with stand-ins for functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


def measure(
    code: Any,
    experiment: Callable[..., Iterator[dict[str, Any]]],
    values: dict[str, Any],
    report: Callable[[Any], None],
) -> None:
    """Run an experiment as work for a job, and report its rows one by one."""
    for row in experiment(code, **values):
        report(row)
