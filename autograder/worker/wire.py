"""Read a worker's output: lines of strict JSON, within bounds."""

from __future__ import annotations

import json
from typing import Any

from autograder.worker.inside.protocol import DEEPEST, LARGEST


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


STRICT = json.JSONDecoder(parse_constant=refuse)


def strict_json(line: bytes) -> Any:
    """Parse one line of strict JSON. Raises ValueError for anything else.

    The data is nested no deeper than DEEPEST; its numbers are finite and smaller than LARGEST.
    """
    try:
        data = STRICT.decode(line.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    check_bounds(data, 0)
    return data


def check_bounds(value: Any, depth: int) -> None:
    if type(value) is int or type(value) is float:
        if not -LARGEST < value < LARGEST:
            raise ValueError("a number is too large")
    elif type(value) is list or type(value) is dict:
        if depth == DEEPEST:
            raise ValueError("nested too deeply")
        for inner in value.values() if type(value) is dict else value:
            check_bounds(inner, depth + 1)
