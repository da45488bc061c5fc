"""Mutants fail the test that the list names."""

import pytest

from autograder.author.grade_batch import GradingJob, grade_job
from autograder.selftest.support.mutants import (
    FAILS,
    make_all_mutants,
    make_mutants,
    read_mutant_list,
)

CAUGHT = {
    name: margin.removeprefix(FAILS)
    for name, margin in read_mutant_list().items()
    if margin.startswith(FAILS)
}


def test_list_names_each_mutant_once():
    names = [mutant.name for mutant in make_all_mutants()]
    assert len(names) == len(set(names))
    assert set(names) == set(read_mutant_list()), "make mutants"


@pytest.mark.slow
@pytest.mark.parametrize("name", CAUGHT)
def test_mutant_fails_the_test_that_catches_it(name):
    (mutant,) = (one for one in make_mutants(name.split()[0]) if one.name == name)
    verdict = grade_job(GradingJob(mutant.submission, mutant.question, [CAUGHT[name]]))
    assert not verdict.fault
    assert verdict.failed == [CAUGHT[name]]
