"""Helpers that the tests share: the banks, and tools around the grader."""

from pathlib import Path

import pytest

from autograder.worker.user import is_root

SUPPORT = Path(__file__).resolve().parent
needs_root = pytest.mark.skipif(not is_root(), reason="only root can take on another user")
