"""Tests of grading a submission, from its files to the results."""
