"""The mutants: how they are made, and that those not listed lose points.

`make mutants` grades the listed ones too, which should lose none.
"""

import ast

import pytest

from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.mutants import (
    all_mutants,
    allowed_mutants,
    complaint,
    judge,
    mutants_of,
    unknown_names,
    written,
)


@pytest.mark.slow
def test_every_name_is_used_once():
    names = [mutant.name for mutant in all_mutants()]
    assert len(names) == len(set(names)) > 600


@pytest.mark.slow
@pytest.mark.parametrize("file", QUESTION_FILES)
def test_mutants_differ_from_the_solution_in_what_students_write_only(file):
    source = (ROOT / "solution" / file).read_text()
    tree = ast.dump(ast.parse(source))
    given = [line for i, line in enumerate(source.splitlines(), 1) if i not in written(source)]
    for mutant in mutants_of(file):
        assert ast.dump(ast.parse(mutant.source)) != tree, mutant.name
        theirs = written(mutant.source)
        kept = [l for i, l in enumerate(mutant.source.splitlines(), 1) if i not in theirs]
        assert kept == given, mutant.name


@pytest.mark.parametrize(
    "name",
    [
        "minimax.py min_value: v2 < v -> v2 > v",
        "alphabeta.py max_value: v >= beta -> v > beta",
        "alphabeta.py min_value: beta = min(beta, v) -> pass",
        "cutoff.py h_alphabeta_search.max_value: depth + 1 -> depth",
        "cutoff.py connect_four_heuristic: mine -> theirs",
        "mcts.py backprop: utility = -utility -> pass",
        "mcts.py monte_carlo_tree_search: child.N -> child.U",
        "player.py choose: best = move -> pass",
    ],
)
def test_mistakes_that_students_make_are_among_them(name):
    assert name in {mutant.name for mutant in all_mutants()}


def test_every_listed_mutant_exists_and_has_a_reason():
    assert unknown_names(all_mutants()) == []
    assert all(allowed_mutants().values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutant",
    [
        pytest.param(mutant, id=mutant.name)
        for mutant in all_mutants()
        if mutant.name not in allowed_mutants()
    ],
)
def test_mutant_that_is_not_listed_loses_points(mutant):
    assert complaint(mutant, judge(mutant)) == ""
