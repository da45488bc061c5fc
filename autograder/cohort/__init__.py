"""Grades a whole class, and says what can be learned from that; for instructors, never shipped."""
