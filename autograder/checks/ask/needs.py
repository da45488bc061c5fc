"""Tests that prove little until other tests pass."""

from collections.abc import Callable
from typing import Any, TypeVar

Test = TypeVar("Test", bound=Callable[..., None])


def needs(*numbers: str) -> Callable[[Test], Test]:
    """Decorate a graded test that proves little until the tests with these numbers pass.

    If one of them fails, a failure is shown as "after" that one. Points do not depend on it.
    """

    def decorate(test: Test) -> Test:
        setattr(test, "__needs__", numbers)  # noqa: B010
        return test

    return decorate


def read_needs(test: Any) -> tuple[str, ...]:
    return getattr(test, "__needs__", ())
