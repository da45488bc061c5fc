"""The expectations that graded tests are made of. Each raises `Wrong` if it is not met.

What one question alone needs stands under its name; `alphabeta` serves question 3 too, which prunes
as question 2 does. The rest is shared. No search algorithm stands here: true values come with the
cases, and the record of a served game is held against them.
"""
