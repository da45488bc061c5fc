"""Lazy submissions, which do without the algorithm, get what their right parts deserve, no more."""

from pathlib import Path

import pytest

from autograder.author.graded import graded_tests
from autograder.author.parallel import Job, Verdict, verdict_on
from autograder.selftest.lazy_bank import KINDS, LazySubmission, read_entry, read_lazy

BANK = read_lazy()
BY_HEART = ("2.2", "3.11")  # tests whose public answers one entry knows
POINTS = {test.number: test.points for test in graded_tests()}


def passed(verdict: Verdict, question: str) -> set[str]:
    of_question = {number for number in POINTS if number.startswith(f"{question}.")}
    return of_question.difference(verdict.failed)


def points(numbers: set[str]) -> float:
    return sum(POINTS[number] for number in numbers)


@pytest.mark.slow
@pytest.mark.parametrize("lazy", BANK, ids=lambda lazy: lazy.name)
def test_lazy_submission_gets_what_it_deserves(lazy: LazySubmission, secret_cases: Path) -> None:
    got = set[str]()
    for question, desert in lazy.deserts.items():
        verdict = verdict_on(Job(lazy.submission, question), folder=secret_cases)
        assert not verdict.fault
        passes = passed(verdict, question)
        assert points(passes) <= desert.most, f"{sorted(passes)}; {desert.why}"
        assert set(desert.passes) <= passes, f"{verdict.words}"
        got |= passes
    # What holds for all of a kind, whatever is stated for one of them.
    if lazy.kind == "nothing searched":
        assert points(got) <= 40
    elif lazy.kind == "alpha-beta, flat playouts":
        with_select = "4.1" in lazy.deserts["4"].passes
        assert points({number for number in got if number[0] == "4"}) <= (30 if with_select else 26)
    elif lazy.kind == "one line of play":
        assert not got & {"3.1", "3.2", "3.3", "3.4"}
    elif lazy.kind == "first moves":
        assert not got


def test_each_kind_is_there_and_what_is_stated_agrees_with_its_goal() -> None:
    assert len(BANK) >= 26
    assert {lazy.kind for lazy in BANK} == set(KINDS)
    for lazy in BANK:
        assert lazy.kind != "nothing searched" or sum(d.most for d in lazy.deserts.values()) <= 40
        for question, desert in lazy.deserts.items():
            assert all(number.startswith(f"{question}.") for number in desert.passes), lazy.name
            assert points(set(desert.passes)) <= desert.most, f"{lazy.name}, question {question}"


@pytest.mark.slow
def test_answers_known_by_heart_are_worth_something_at_home_only(secret_cases: Path) -> None:
    """So the bank's entry does what it says, and it is the secret cases that stop it."""
    (lazy,) = (lazy for lazy in BANK if lazy.name == "public_answers_by_heart")
    for number in BY_HEART:
        job = Job(lazy.submission, number[0], [number])
        assert verdict_on(job).failed == []
        assert verdict_on(job, folder=secret_cases).failed == [number]


# --- the entries themselves -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("4: 3 | 4.1 | no first line\n", "without"),
        ("without: x\nkind: other\n4: 3 | 4.1 | an unknown kind\n", "kind"),
        ("without: x\n4: 3 | 4.1\n", "of the form"),
        ("without: x\n3: 3 | 3.1 | no such file\n", "each question file"),
    ],
)
def test_an_entry_that_cannot_be_read_is_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mcts.py").write_text("")
    (tmp_path / "deserves.txt").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_entry(tmp_path)
