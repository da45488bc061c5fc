"""Mutants of the solution lose points, except those that the list names."""

import pytest

from autograder.author.grade_batch import grade_job
from autograder.selftest.support.mutants import LIST_FILE, Mutant, make_all_mutants, read_reasons

MUTANTS, REASONS = make_all_mutants(), read_reasons(LIST_FILE)


def test_each_mutant_has_a_name_and_the_list_has_no_others() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(names) == len(set(names))
    assert set(names) >= set(REASONS)


@pytest.mark.parametrize(
    "mutant",
    [
        # One that loses no points takes a whole grading.
        pytest.param(
            mutant,
            id=mutant.name,
            marks=pytest.mark.nightly if mutant.name in REASONS else pytest.mark.slow,
        )
        for mutant in MUTANTS
    ],
)
def test_mutant_loses_points_unless_it_is_listed(mutant: Mutant) -> None:
    verdict = grade_job(mutant.job, stop_at_first=True)
    assert not verdict.fault
    said = f"it needs a case, or a line in {LIST_FILE.name} below the reason why it loses no points"
    assert bool(verdict.failed) != (mutant.name in REASONS), said
