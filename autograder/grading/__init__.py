"""Grades one submission: the graded tests run in pytest, explanations follow."""
