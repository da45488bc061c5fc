"""Check that data from outside has the form that its reader expects.

A form is a function from a value to True or False. `form_of` makes one of a type, for the fields of
a case; `replies.py` combines forms for the messages of a worker.
"""

import json
from collections.abc import Callable
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from autograder.worker.inside.protocol import LARGEST

MAX_DEPTH = 100  # of nested data of any form
MAX_ITEMS = 10_000  # of one list or dictionary
MAX_TEXT = 300  # characters of one text
MAX_WHOLE = 10**9

Form = Callable[[Any], bool]


def parse(text: bytes) -> Any:
    """Read JSON, without Infinity and NaN. Raises ValueError."""
    line = text.decode("utf-8")
    try:
        value, end = STRICT.raw_decode(line)  # faster than `decode`
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if line[end:].strip():
        raise json.JSONDecodeError("Extra data", line, end)
    return value


def refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")


STRICT = json.JSONDecoder(parse_constant=refuse_constant)


def text(max_length: int) -> Form:
    """Return the form of a text of at most `max_length` characters."""
    return lambda value: type(value) is str and len(value) <= max_length


def whole(below: int = MAX_WHOLE) -> Form:
    """Return the form of a whole number from 0 on: an index, a count or a line."""
    return lambda value: type(value) is int and 0 <= value < below


def is_number(value: Any) -> bool:
    """Is it a finite number of a reasonable size?"""
    return type(value) in (int, float) and -LARGEST <= value <= LARGEST


def exactly(*values: Any) -> Form:
    """Return the form of one of these plain values, each with its type."""
    kinds, known = set(map(type, values)), {(type(value), value) for value in values}
    return lambda value: type(value) in kinds and (type(value), value) in known


def either(*forms: Form) -> Form:
    return lambda value: any(form(value) for form in forms)


def items(form: Form, least: int = 0, most: int = MAX_ITEMS) -> Form:
    """Return the form of a list of items of one form, with limits on its length."""
    return lambda value: (
        type(value) is list and least <= len(value) <= most and all(map(form, value))
    )


def row(*forms: Form) -> Form:
    """Return the form of a list with one item per form."""
    return lambda value: (
        type(value) is list
        and len(value) == len(forms)
        and all(form(part) for form, part in zip(forms, value))
    )


def record(optional: dict[str, Form] | None = None, /, **forms: Form) -> Form:
    """Return the form of a dictionary with exactly these keys, and optional ones."""
    known = {**forms, **(optional or {})}
    return lambda value: (
        type(value) is dict
        and forms.keys() <= value.keys()
        and all(name in known and known[name](part) for name, part in value.items())
    )


def entries(key: Form, inner: Form) -> Form:
    """Return the form of a dictionary whose keys and values each have a form."""
    return lambda value: (
        type(value) is dict
        and len(value) <= MAX_ITEMS
        and all(map(key, value))
        and all(map(inner, value.values()))
    )


def is_plain(value: Any, depth: int = 0) -> bool:
    """Is it any plain data, within the limits?"""
    if type(value) in (list, dict):
        inner = [*value, *value.values()] if type(value) is dict else value
        return (
            depth < MAX_DEPTH
            and len(value) <= MAX_ITEMS
            and all(is_plain(part, depth + 1) for part in inner)
        )
    return BASIC.get(type(value), NOTHING)(value)


NOTHING = exactly(None)
BASIC: dict[type, Form] = {
    NoneType: NOTHING,
    bool: exactly(True, False),
    int: lambda value: type(value) is int and is_number(value),
    float: is_number,
    str: text(MAX_TEXT),
}


@cache
def form_of(expected: Any) -> Form:
    """Return the form of a type. A list also stands for a tuple, as in JSON.

    If a type alone allows too much, `Annotated` adds forms.
    """
    origin, inner = get_origin(expected), get_args(expected)
    if origin is Annotated:
        forms = [form_of(inner[0]), *inner[1:]]
        return lambda value: all(form(value) for form in forms)
    if origin is Literal:
        return exactly(*inner)
    if origin in (Union, UnionType):
        return either(*map(form_of, inner))
    if origin is list:
        return items(form_of(inner[0]))
    if origin is tuple:
        return row(*map(form_of, inner))
    if origin is dict:
        return entries(form_of(inner[0]), form_of(inner[1]))
    return is_plain if expected is Any else BASIC[expected]


def between(least: float, most: float) -> Form:
    """Return the form of a number between two numbers, inclusive."""
    return lambda value: least <= value <= most
