"""A leaf worth 1, -1 or 0 is no win, loss or draw to any search, in no set of cases."""

from itertools import product

import pytest

from autograder.author.cases.registry import make_cases
from autograder.author.programs import Program
from autograder.questions import find_question
from autograder.selftest.support.banks import SOLUTION_FILES
from autograder.serving.case_files import Cases
from autograder.submission import Submission

TESTS = {
    "1.2": "minimax_search",
    "2.1": "alphabeta_search",
    "3.5": "h_alphabeta_search",
    "5.1": "expectiminimax_search",
}
# The player to move at the root is MAX. A search with this game sees only some of the moves.
WITH_SHORTCUT = """

class _Shortcut:
    def __init__(self, game, root):
        self.game, self.root, self.player = game, root, "O" if root.to_move == "O" else "X"

    def __getattr__(self, name):
        return getattr(self.game, name)

    def actions(self, state):
        moves = self.game.actions(state)
        side = "max" if state.to_move == self.player else "min"
        if state.to_move == "chance" or "{where}" not in ("all", side):
            if not ("{where}" == "root" and state == self.root):
                return moves
        special = []
        for move in moves:
            child = self.game.result(state, move)
            if self.game.is_terminal(child) and self.game.utility(child, self.player) == {leaf}:
                special.append(move)
        others = tuple(move for move in moves if move not in special)
        {action}
        return moves

_search = {search}
def {search}(game, state, *args, **options):
    return _search(_Shortcut(game, state), state, *args, **options)
"""
TAKEN = "if special: return (special[0],)"
STRUCK_OUT = "if others: return others"
ONE_LEFT = "if len(others) == 1: return others"
SHORTCUTS = [
    *product((1, -1, 0), ("root", "max", "min", "all"), (TAKEN,)),
    *product((-1, 0), ("root", "max"), (STRUCK_OUT, ONE_LEFT)),
    *product((1, 0), ("min",), (STRUCK_OUT, ONE_LEFT)),
]

SECRET = [pytest.param(seed, marks=pytest.mark.nightly) for seed in range(3)]


@pytest.mark.parametrize("seed", [pytest.param(None, marks=pytest.mark.slow), *SECRET])
@pytest.mark.parametrize("number", TESTS)
def test_no_shortcut_at_a_special_leaf_passes(number, seed):
    """Without a seed the cases are the public ones."""
    cases = Cases().load(number) if seed is None else make_cases(number, seed, secret=True)
    name, search = find_question(number).name, TESTS[number]
    passing = []
    for leaf, where, action in SHORTCUTS:
        added = WITH_SHORTCUT.format(leaf=leaf, where=where, action=action, search=search)
        wrong = SOLUTION_FILES | {f"{name}.py": SOLUTION_FILES[f"{name}.py"] + added.encode()}
        outcomes = Program(Submission(wrong), name).run_cases(cases)
        if not any(outcome.failed for outcome in outcomes):
            passing.append((leaf, where, action))
    assert passing == []
