"""What the tests share: the banks, and tools around the grader."""
