"""Checks for the graded tests. A check that is not met raises `Failed`.

A module named after a question serves that question only. The exception is `alphabeta`: question 3
uses its pruning checks, and question 5 its checks for unnecessary work. The rest is shared. There
is no search algorithm here. The cases store the values of a tree, by the right rule and by wrong
ones, and the checks compare the record of a served game with them. For MCTS, the checks replay the
recorded playouts one by one.
"""
