"""Shortcuts avoid the algorithm, and get points only for what they do right."""

import re
from argparse import Namespace
from pathlib import Path

import pytest

from autograder.author.bank import Entry
from autograder.author.grade_batch import GradingJob, grade_job
from autograder.author.graded_tests import read_graded_tests
from autograder.questions import QUESTIONS
from autograder.selftest.__main__ import make_pytest_options
from autograder.selftest.banks import test_wrong
from autograder.selftest.conftest import SEED, build_once, write_new_cases
from autograder.selftest.feedback import test_claims
from autograder.selftest.support.banks import read_shortcut_entries
from autograder.submission import Submission

BANK = read_shortcut_entries()

BY_HEART = ("2.2", "3.11")  # tests whose public answers one entry knows
POINTS = {test.number: test.points for test in read_graded_tests()}


@pytest.fixture(scope="session")
def secret_cases(shared_folder: Path) -> Path:
    """Return a folder with cases whose answers no entry knows."""

    def build(folder: Path) -> None:
        write_new_cases(int(SEED), folder, False, BY_HEART)

    return build_once(shared_folder / "secret-cases", build)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("entry", "question"),
    [
        pytest.param(entry, row.number, id=f"{entry.name}-{row.name}")
        for entry in BANK
        for row in QUESTIONS
        if row.file in entry.files
    ],
)
def test_shortcut_gets_its_expected_score(entry: Entry, question: str, secret_cases: Path) -> None:
    # Such as 4: 27 | 4.1 4.2 | the phases are right
    (line,) = (line for line in entry.expected["scores"] if line.startswith(question))
    _, most, always, why = re.split(r": | *\| *", line, maxsplit=3)
    verdict = grade_job(GradingJob(Submission(entry.files), question), folder=secret_cases)
    assert not verdict.fault
    passes = {one for one in POINTS if one.startswith(f"{question}.")} - {*verdict.failed}
    points = sum(POINTS[number] for number in passes)
    raise_them = f"if they are right, raise scores: in shortcuts/{entry.name}.txt"
    assert most == "all" or points <= int(most), f"{sorted(passes)}; {why}; {raise_them}"
    assert passes.issuperset(always.split()), f"{verdict.words}"


def test_a_question_is_checked_with_all_its_entries() -> None:
    wrong = test_wrong.test_wrong_submission_gets_its_findings
    claims = test_claims.test_claims_hold_in_the_record
    for test in (wrong, claims, test_shortcut_gets_its_expected_score):
        (rows,) = (mark.args[1] for mark in vars(test)["pytestmark"] if mark.name == "parametrize")
        for row in rows:
            question = row.values[1] if row.values[1:] else row.values[0].question
            *_, selected = make_pytest_options(Namespace(all=True, question=question, part=""))
            assert any(part in f"[{row.id}]" for part in selected.split(" or ")), row.id


@pytest.mark.slow
def test_answers_known_by_heart_are_worth_something_at_home_only(secret_cases: Path) -> None:
    (entry,) = (entry for entry in BANK if entry.name == "public_answers_by_heart")
    for number in BY_HEART:
        job = GradingJob(Submission(entry.files), number[0], [number])
        assert grade_job(job).failed == []
        assert grade_job(job, folder=secret_cases).failed == [number]
