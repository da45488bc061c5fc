"""The graded tests, one file per question.

Each test is run once for every case of its number.
"""
