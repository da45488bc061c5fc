"""Cases of any seed expose every known mistake and fail no right submission."""

import pytest

from autograder.author.bank import read_known_mistakes
from autograder.author.cases.registry import load_makers, make_cases
from autograder.author.programs import Program
from autograder.questions import find_question
from autograder.selftest.support.banks import read_right_entries
from autograder.selftest.support.golden import LONG_TESTS

SEEDS = range(3)
NEED_A_PROCESS = {"importing_each_other", "console_set_up"}  # they import or set up more
NUMBERS = [number for number in load_makers() if number not in LONG_TESTS]


@pytest.mark.nightly
@pytest.mark.parametrize("number", NUMBERS)
def test_cases_of_any_seed_separate_wrong_from_right(number: str) -> None:
    name = find_question(number).name
    right = [entry for entry in read_right_entries() if f"{name}.py" in entry.files]
    wrong = [entry for entry in read_known_mistakes() if number in entry.fails]
    for seed in SEEDS:
        cases = make_cases(number, seed, secret=True)
        for entry in [*right, *wrong]:
            if entry.name not in NEED_A_PROCESS:
                outcomes = Program(entry.submission, name).run_cases(cases)
                failed = any(outcome.failed for outcome in outcomes)
                assert failed == (entry in wrong), (entry.name, seed)
