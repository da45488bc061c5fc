"""Shortcuts avoid the algorithm, and get only the points of what is right."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.author.bank import Entry
from autograder.author.grade_batch import Job, Verdict, verdict_on
from autograder.author.graded_tests import graded_tests
from autograder.questions import question_of
from autograder.selftest.support.banks import read_shortcuts
from autograder.selftest.support.golden import read_shortcuts_points
from autograder.submission import Submission

CasesOf = Callable[[str], Path]  # from a question to the folder with its cases
BANK = read_shortcuts()

EXPECTED_SCORE = re.compile(
    r"(?P<question>\d): (?P<most>\d+) \|(?P<passes>( \d\.\d+)*) +\| (?P<why>.+)"
)
BY_HEART = ("2.2", "3.11")  # tests whose public answers one entry knows
# The points at which the bounds of the bank were set: other weights change no bound.
POINTS = read_shortcuts_points()
NUMBERS = {test.number for test in graded_tests()}


class ExpectedScore(NamedTuple):
    """The result of one question: the maximum points, and the tests that must pass."""

    most: int
    passes: set[str]
    why: str


def expected_scores(entry: Entry) -> dict[str, ExpectedScore]:
    """Return an entry's expected scores, by question."""
    found = {}
    for line in entry.expected["scores"]:
        expected = EXPECTED_SCORE.fullmatch(line)
        assert expected, f"{entry.name}: not of the form 4: most | tests | why: {line}"
        passes = set(expected["passes"].split())
        found[expected["question"]] = ExpectedScore(int(expected["most"]), passes, expected["why"])
    return found


def passed(verdict: Verdict, question: str) -> set[str]:
    of_question = {number for number in NUMBERS if number.startswith(f"{question}.")}
    return of_question.difference(verdict.failed)


def points(numbers: set[str]) -> float:
    return sum(POINTS[number] for number in numbers)


def test_bounds_are_about_all_tests() -> None:
    assert set(POINTS) >= NUMBERS, "make matrix UPDATE=1"


@pytest.mark.slow
@pytest.mark.parametrize("entry", BANK, ids=lambda entry: entry.name)
def test_shortcut_gets_its_expected_score(entry: Entry, secret_cases: CasesOf) -> None:
    got = set[str]()
    assert {question_of(file).number for file in entry.files} == set(expected_scores(entry))
    for question, expected in expected_scores(entry).items():
        job = Job(Submission(entry.files), question)
        verdict = verdict_on(job, folder=secret_cases(question))
        assert not verdict.fault
        passes = passed(verdict, question)
        assert points(passes) <= expected.most, f"{sorted(passes)}; {expected.why}"
        assert expected.passes <= passes, f"{verdict.words}"
        got |= passes
    if entry.get("kind") == "nothing searched":
        assert points(got) <= 40


@pytest.mark.slow
def test_answers_known_by_heart_are_worth_something_at_home_only(secret_cases: CasesOf) -> None:
    """So the bank's entry does what it says, and it is the secret cases that stop it."""
    (entry,) = (entry for entry in BANK if entry.name == "public_answers_by_heart")
    for number in BY_HEART:
        job = Job(Submission(entry.files), number[0], [number])
        assert verdict_on(job).failed == []
        assert verdict_on(job, folder=secret_cases(number[0])).failed == [number]
