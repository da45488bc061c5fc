"""Helpers that the tests share: the banks, and tools around the grader."""

import pytest

from autograder.worker.user import is_root

needs_root = pytest.mark.skipif(not is_root(), reason="only root can take on another user")
