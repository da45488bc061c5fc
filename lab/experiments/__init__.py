"""The experiments of the page Measure, each a generator of the rows of a table.

Nothing here searches: the student's functions do, on wrapped games or with stand-ins for functions.
"""
