"""The graded tests as they are written, without running them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from autograder.questions import QUESTIONS
from autograder.results import sort_key


def graded_tests(question: str | None = None) -> dict[str, Callable[..., None]]:
    """Return the graded tests by number, of one question or of all."""
    found: dict[str, Any] = {}
    for row in QUESTIONS:
        if question in (None, row.number):
            module = importlib.import_module(f"tests.test_{row.number}_{row.name}")
            tests = (test for test in vars(module).values() if hasattr(test, "__number__"))
            found.update({test.__number__: test for test in tests})
    return dict(sorted(found.items(), key=lambda entry: sort_key(entry[0])))


def points(question: str | None = None) -> float:
    """What they are worth together."""
    return sum(getattr(test, "__weight__", 0) for test in graded_tests(question).values())
