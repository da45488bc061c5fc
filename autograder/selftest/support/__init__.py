"""What the tests share: the banks, and tools around the grader."""

from pathlib import Path

import pytest

from autograder.questions import OFF

SUPPORT = Path(__file__).resolve().parent


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip a test where one of these questions is off."""
    off = [row.name for row in OFF if row.name in names]
    return pytest.mark.skipif(bool(off), reason=f"off: {', '.join(off)}")
