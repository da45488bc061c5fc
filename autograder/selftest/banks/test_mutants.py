"""The mutants: how they are made, and that they fail the test that the list names."""

import ast

import pytest

from autograder.author.grade_batch import Job, verdict_on
from autograder.questions import QUESTION_FILES, ROOT
from autograder.selftest.support.mutants import FAILS, all_mutants, listed, mutants_of, written

CAUGHT = {
    name: margin.removeprefix(FAILS)
    for name, margin in listed().items()
    if margin.startswith(FAILS)
}


def test_the_list_names_each_mutant_once():
    names = [mutant.name for mutant in all_mutants()]
    assert len(names) == len(set(names))
    assert set(names) == set(listed()), "make mutants"


@pytest.mark.slow
@pytest.mark.parametrize("file", QUESTION_FILES)
def test_a_mutant_differs_from_the_solution_in_what_students_write(file):
    source = (ROOT / "solution" / file).read_text()
    tree = ast.dump(ast.parse(source))
    given = [line for i, line in enumerate(source.splitlines(), 1) if i not in written(source)]
    for mutant in mutants_of(file):
        assert ast.dump(ast.parse(mutant.source)) != tree, mutant.name
        theirs = written(mutant.source)
        unchanged = [l for i, l in enumerate(mutant.source.splitlines(), 1) if i not in theirs]
        assert unchanged == given, mutant.name


@pytest.mark.parametrize(
    "name",
    [
        "minimax.py min_value: v2 < v -> v2 <= v",
        "alphabeta.py max_value: v >= beta -> v > beta",
        "alphabeta.py min_value: beta = min(beta, v) -> pass",
        "cutoff.py h_alphabeta_search.max_value: depth + 1 -> depth - 1",
        "cutoff.py connect_four_heuristic: mine -> theirs",
        "mcts.py backprop: utility = -utility -> pass",
        "mcts.py monte_carlo_tree_search: child.N -> child.U",
        "player.py choose: best = move -> pass",
    ],
)
def test_mistakes_that_students_make_are_among_them(name):
    assert name in listed()


@pytest.mark.slow
@pytest.mark.parametrize("name", CAUGHT)
def test_mutant_fails_the_test_that_catches_it(name):
    (mutant,) = (one for one in mutants_of(name.split()[0]) if one.name == name)
    verdict = verdict_on(Job(mutant.submission, mutant.question, [CAUGHT[name]]))
    assert not verdict.fault
    assert verdict.failed == [CAUGHT[name]]
