"""The experiments of the page Measure, each a generator of the rows of a table.

The student's functions do all searches, on wrapped games or with some functions replaced.
"""
