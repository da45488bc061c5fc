"""Shortcuts do without the algorithm, and get the points of what is right in them, no more."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from autograder.author.bank import Entry
from autograder.author.grade_batch import Job, Verdict, verdict_on
from autograder.author.graded_tests import graded_tests
from autograder.questions import question_of
from autograder.selftest.support.banks import BANKS, read_shortcuts
from autograder.submission import Submission

BANK = read_shortcuts()
KINDS = {"", "nothing searched", "alpha-beta, flat playouts", "one line of play", "first moves"}
EXPECTED_SCORE = re.compile(
    r"(?P<question>\d): (?P<most>\d+) \|(?P<passes>( \d\.\d+)*) +\| (?P<why>.+)"
)
BY_HEART = ("2.2", "3.11")  # tests whose public answers one entry knows
# The points at which the bounds of the bank were set: other weights change no bound.
POINTS: dict[str, float] = json.loads((BANKS / "shortcuts_points.json").read_text())
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
    return sum(POINTS.get(number, 0) for number in numbers)


@pytest.mark.slow
@pytest.mark.parametrize("entry", BANK, ids=lambda entry: entry.name)
def test_shortcut_gets_its_expected_score(entry: Entry, secret_cases: Path) -> None:
    got = set[str]()
    for question, expected in expected_scores(entry).items():
        job = Job(Submission(entry.files), question)
        verdict = verdict_on(job, folder=secret_cases)
        assert not verdict.fault
        passes = passed(verdict, question)
        assert points(passes) <= expected.most, f"{sorted(passes)}; {expected.why}"
        assert expected.passes <= passes, f"{verdict.words}"
        got |= passes
    # What holds for all of a kind, whatever is stated for one of them.
    kind = entry.get("kind")
    if kind == "nothing searched":
        assert points(got) <= 40
    elif kind == "alpha-beta, flat playouts":
        with_select = "4.1" in expected_scores(entry)["4"].passes
        assert points({number for number in got if number[0] == "4"}) <= (30 if with_select else 26)
    elif kind == "one line of play":
        assert not got & {"3.1", "3.2", "3.3", "3.4"}
    elif kind == "first moves":
        assert not got


def test_expected_scores_agree_with_the_goal_of_the_kind() -> None:
    assert {entry.get("kind") for entry in BANK} == KINDS
    for entry in BANK:
        stated = expected_scores(entry)
        if entry.get("kind") == "nothing searched":
            assert sum(expected.most for expected in stated.values()) <= 40, entry.name
        assert set(stated) == {question_of(file).number for file in entry.files}, entry.name
        for question, expected in stated.items():
            assert all(number.startswith(f"{question}.") for number in expected.passes), entry.name
            assert points(expected.passes) <= expected.most, f"{entry.name}, question {question}"


@pytest.mark.slow
def test_answers_known_by_heart_are_worth_something_at_home_only(secret_cases: Path) -> None:
    """So the bank's entry does what it says, and it is the secret cases that stop it."""
    (entry,) = (entry for entry in BANK if entry.name == "public_answers_by_heart")
    for number in BY_HEART:
        job = Job(Submission(entry.files), number[0], [number])
        assert verdict_on(job).failed == []
        assert verdict_on(job, folder=secret_cases).failed == [number]
