"""Tests of the questions about a student's own search."""
