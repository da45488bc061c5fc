"""Helpers that the tests share: the banks, and tools around the grader."""

from pathlib import Path

import pytest

from autograder.questions import OFF
from autograder.worker.user import is_root

SUPPORT = Path(__file__).resolve().parent
needs_root = pytest.mark.skipif(not is_root(), reason="only root can take on another user")


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test if one of these questions is off."""
    off = [row.name for row in OFF if row.name in names]
    return pytest.mark.skipif(bool(off), reason=f"off: {', '.join(off)}")
