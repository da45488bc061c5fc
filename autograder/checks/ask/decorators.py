"""Decorate graded tests, besides gradescope-utils' decorators."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

LEAST = 2.0  # seconds of a worker's clock that a graded test gets by default
Test = TypeVar("Test", bound=Callable[..., None])


def attach(name: str, value: object, test: Test) -> Test:
    setattr(test, name, value)
    return test


def limit(seconds: float) -> Callable[[Test], Test]:
    """Decorate a graded test with the time limit for all its cases together.

    After these seconds the worker is stopped. The solution needs less than a tenth.
    """
    return partial(attach, "__limit__", seconds)


def needs(*numbers: str) -> Callable[[Test], Test]:
    """Decorate a graded test that proves little until the tests with these numbers pass.

    If one of them fails, a failure is shown as "after" that one. Points do not depend on it.
    """
    return partial(attach, "__needs__", numbers)


def read_limit(test: Any) -> float:
    return getattr(test, "__limit__", LEAST)


def read_needs(test: Any) -> tuple[str, ...]:
    return getattr(test, "__needs__", ())
