"""Check what the graded tests are about. A check that is not met raises `Failed`.

There is no search algorithm here. The cases store the right values of a tree, and the checks
compare the record of a served game with them. For MCTS, the checks replay the recorded playouts.
Imports go from `mcts` and `search` over `play` to `ask`.
"""
