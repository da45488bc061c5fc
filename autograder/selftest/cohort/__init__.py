"""Tests of grading a class and what follows."""
