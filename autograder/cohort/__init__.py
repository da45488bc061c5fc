"""Grades a whole class and analyses the results; for instructors, never shipped."""
