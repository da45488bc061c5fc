"""Checks for the graded tests. A check that is not met raises `Failed`.

`search_findings.py` judges one served search; the modules that it imports are the parts of that
analysis. The rest serves MCTS, matches and players, heuristics, and many searches on local games.
There is no search algorithm here. The cases store the values of a tree, by the right rule and by
wrong ones, and the checks compare the record of a served game with them. For MCTS, the checks
replay the recorded playouts one by one.
"""
