"""Convert the return values of student code to plain data."""

import contextlib
import numbers
from math import inf
from typing import Any

from autograder.worker.inside.protocol import LARGEST, LONGEST_NAME, LONGEST_SHOWN
from autograder.worker.inside.remote_game import ServedState


def describe_odd(value: Any) -> dict[str, Any]:
    """Describe a value of a wrong kind; a number that is too large is marked as that."""
    try:
        text = repr(value)
    except BaseException:
        text = "(no repr)"
    kind = "a state" if isinstance(value, ServedState) else type(value).__name__[:LONGEST_SHOWN]
    odd = {"odd": f"{text[:LONGEST_SHOWN]} ({kind})"}
    return {**odd, "infinite": True} if type(value) is float and abs(value) == inf else odd


def to_number(value: Any) -> Any:
    """Return an int or float, also for a NumPy scalar or a fraction."""
    if type(value) in (int, float) and abs(value) < LARGEST:  # nearly always, and faster
        return value
    if getattr(value, "shape", None) == ():  # NumPy: a scalar, or an array without dimensions
        value = value.item()
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        with contextlib.suppress(OverflowError):  # a fraction too large for a float
            plain = int(value) if isinstance(value, numbers.Integral) else float(value)
            if abs(plain) < LARGEST:  # neither infinite nor NaN
                return plain
    return describe_odd(value)


def find_move_index(value: Any, actions: tuple[Any, ...]) -> Any:
    """Return the index of a move in `actions`, None for no move."""
    if value is None:
        return None
    try:
        return actions.index(value)
    except ValueError:
        return describe_odd(value)


def to_pair(value: Any, actions: tuple[Any, ...]) -> Any:
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return {"value": to_number(value[0]), "move": find_move_index(value[1], actions)}
    return describe_odd(value)


def encode_state(state: Any) -> str:
    """Name a served state by its number, another state by its key."""
    if isinstance(state, ServedState):
        return str(state.number)
    return str(getattr(state, "key", describe_odd(state)["odd"]))[:LONGEST_NAME]
