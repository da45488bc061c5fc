"""The expectations that graded tests are made of, by subject. Each raises `Wrong` if it is not met.

No search algorithm stands here: true values come with the cases, and the record of a served game is
held against them.
"""
