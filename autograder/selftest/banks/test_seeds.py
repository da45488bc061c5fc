"""Cases of any seed expose every known mistake, and no right submission fails one."""

import pytest

from autograder.author.cases.margins import margins
from autograder.author.cases.registry import all_makers, made
from autograder.author.programs import Program
from autograder.questions import question_of
from autograder.selftest.support.banks import read_right
from autograder.selftest.support.golden import LONG

SEEDS = range(3)


@pytest.mark.nightly
@pytest.mark.parametrize("number", sorted(set(all_makers()) - LONG))
def test_cases_of_any_seed_separate_wrong_from_right(number: str) -> None:
    name = question_of(number).name
    for seed in SEEDS:
        cases = made(number, seed, secret=True)
        for entry in read_right():
            if f"{name}.py" in entry.files:
                outcomes = Program(entry.submission, name).outcomes(cases)
                assert not any(outcome.failed for outcome in outcomes), (entry.name, seed)
    exposed = margins(number, SEEDS)
    assert not [mistake for mistake, counts in exposed.items() if not min(counts)]
