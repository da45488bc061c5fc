"""Grades submissions: `python -m autograder --help`."""
