"""Check data from a file or a text against the types that its reader expects.

If a type alone allows too much, `Annotated` adds a function that raises ValueError.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

MAX_DEPTH = 100  # of nested data
MAX_ITEMS = 10_000  # of one list or dictionary
MAX_TEXT = 300  # characters of one text
MAX_NUMBER = 1e300

Check = Callable[[Any], None]


def check(value: Any, expected: Any) -> None:
    """Check that a value is of a type. Raises ValueError with the difference.

    A list also stands for a tuple, as in JSON.
    """
    checker(expected)(value)


def between(least: float, most: float) -> Check:
    """Return a check that a number lies between two numbers, inclusive."""

    def check_range(value: float) -> None:
        if not least <= value <= most:
            raise ValueError(f"{value} is not between {least} and {most}")

    return check_range


def parse(text: bytes, max_bytes: int) -> Any:
    """Read JSON of limited length, without Infinity and NaN. Raises ValueError."""
    if len(text) > max_bytes:
        raise ValueError(f"more than {max_bytes:,} bytes")
    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


@cache
def checker(expected: Any) -> Check:
    """Return the check for a type."""
    origin, inner = get_origin(expected), get_args(expected)
    if origin is Annotated:
        return all_of(checker(inner[0]), *inner[1:])
    if origin is Literal:
        return one_of(inner)
    if origin in (Union, UnionType):
        return any_of([checker(option) for option in inner])
    if origin is list:
        return items_of(checker(inner[0]))
    if origin is tuple:
        return fields_of([checker(part) for part in inner])
    if origin is dict:
        return entries_of(checker(inner[0]), checker(inner[1]))
    return plain if expected is Any else exactly(expected)


def all_of(*checks: Check) -> Check:
    def check_all(value: Any) -> None:
        for check in checks:
            check(value)

    return check_all


def one_of(values: tuple[Any, ...]) -> Check:
    def check_one(value: Any) -> None:
        if not any(type(value) is type(one) and value == one for one in values):
            raise ValueError(f"{value!r:.40} is none of {', '.join(map(repr, values))}")

    return check_one


def any_of(checks: list[Check]) -> Check:
    def check_any(value: Any) -> None:
        problems = []
        for check in checks:
            try:
                return check(value)
            except ValueError as problem:
                problems.append(str(problem))
        raise ValueError("; ".join(problems))

    return check_any


def items_of(check: Check) -> Check:
    def check_list(value: Any) -> None:
        expect_size(value, (list,))
        for item in value:
            check(item)

    return check_list


def fields_of(checks: list[Check]) -> Check:
    def check_tuple(value: Any) -> None:
        expect_size(value, (list, tuple))
        if len(value) != len(checks):
            raise ValueError(f"{value!r:.40} has not {len(checks)} items")
        for check, item in zip(checks, value):
            check(item)

    return check_tuple


def entries_of(check_key: Check, check_value: Check) -> Check:
    def check_dict(value: Any) -> None:
        expect_size(value, (dict,))
        for key, item in value.items():
            check_key(key)
            check_value(item)

    return check_dict


def exactly(kind: type) -> Check:
    kinds = (int, float) if kind is float else (kind,)
    numbers = kind in (int, float)

    def check_kind(value: Any) -> None:
        if (
            type(value) not in kinds
            or (numbers and not -MAX_NUMBER <= value <= MAX_NUMBER)
            or (kind is str and len(value) > MAX_TEXT)
        ):
            raise ValueError(f"{value!r:.40} is not {kind.__name__}")

    return check_kind


PLAIN = {kind: exactly(kind) for kind in (str, int, float, bool, NoneType)}


def plain(value: Any, depth: int = 0) -> None:
    """Check that a value is plain data. Raises ValueError."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    kind = type(value)
    if kind is dict or kind is list:
        expect_size(value, (dict, list))
        for item in value.values() if kind is dict else value:
            plain(item, depth + 1)
        for key in value if kind is dict else ():
            PLAIN[str](key)
    elif kind in PLAIN:
        PLAIN[kind](value)
    else:
        raise ValueError(f"{kind.__name__} is no plain data")


def expect_size(value: Collection[Any], kinds: tuple[type, ...]) -> None:
    if type(value) not in kinds:
        raise ValueError(f"{value!r:.40} is not {kinds[0].__name__}")
    if len(value) > MAX_ITEMS:
        raise ValueError(f"more than {MAX_ITEMS:,} items")
