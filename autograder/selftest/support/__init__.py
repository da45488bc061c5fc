"""What the tests share: the banks, and tools around the grader."""

from pathlib import Path

SUPPORT = Path(__file__).resolve().parent
