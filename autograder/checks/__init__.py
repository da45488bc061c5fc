"""The checks that graded tests are made of. Each raises `Failed` with a finding if it is not met.

A module named after a question holds what only that question needs; `alphabeta` serves others too:
question 3 prunes as question 2 does, and 5 asks for nothing needless either. The rest is shared.
There is no search algorithm here: what a tree is worth, by the right rule and by others, comes with
the cases, and the record of a served game is compared with it. Of MCTS the playouts of a record are
counted again, one by one.
"""
