"""Lazy submissions, which do without the algorithm, get what their right parts deserve, no more."""

import shutil
from pathlib import Path

import pytest

from autograder.author.cases import make_cases_of
from autograder.author.graded import graded_tests
from autograder.author.parallel import Job, Verdict
from autograder.cases import FOLDER
from autograder.questions import question_of
from autograder.selftest.conftest import SEED
from autograder.selftest.lazy_bank import KINDS, LazySubmission, read_entry, read_lazy
from autograder.selftest.sample import PROOF, only_in_proof, sample
from autograder.selftest.verdicts import verdicts_on

BANK = read_lazy()
ENTRIES = [(lazy, question) for lazy in BANK for question in lazy.deserts]
TAKEN = sample("lazy", ENTRIES, lambda entry: (entry[0].name, entry[1]))
GRADED = [lazy for lazy in BANK if any(lazy == one for one, _ in TAKEN)]
BY_HEART = ("2.2", "3.11")  # tests whose public answers one entry knows
POINTS = {test.number: test.points for test in graded_tests()}


def passed(verdict: Verdict, question: str) -> set[str]:
    of_question = {number for number in POINTS if number.startswith(f"{question}.")}
    return of_question.difference(verdict.failed)


def points(numbers: set[str]) -> float:
    return sum(POINTS[number] for number in numbers)


@pytest.fixture(scope="module")
def secret_cases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cases of another seed than the public ones, which the lazy may know by heart."""
    folder = tmp_path_factory.mktemp("secret")
    asked = {question for _, question in TAKEN} | (
        {number[0] for number in BY_HEART} if PROOF else set()
    )
    for question in sorted(asked):
        make_cases_of(question_of(question), int(SEED), folder, public=False)
    shutil.copy(FOLDER / "tic_tac_toe.json", folder)  # every seed's
    return folder


@pytest.fixture(scope="module")
def verdicts(secret_cases: Path) -> dict[tuple[str, str], Verdict]:
    """The verdicts on the entries that this run is about, by name and question."""
    jobs = [Job(lazy.submission, question) for lazy, question in TAKEN]

    def deserved(i: int, verdict: Verdict) -> bool:
        lazy, question = TAKEN[i]
        got, desert = passed(verdict, question), lazy.deserts[question]
        return points(got) <= desert.most and set(desert.passes) <= got

    found = verdicts_on(jobs, deserved, folder=secret_cases)
    return {(TAKEN[i][0].name, TAKEN[i][1]): verdict for i, verdict in found}


@pytest.mark.parametrize(("lazy", "question"), TAKEN, ids=lambda part: getattr(part, "name", part))
def test_gets_what_it_deserves_and_no_more(
    lazy: LazySubmission, question: str, verdicts: dict[tuple[str, str], Verdict]
) -> None:
    verdict, desert = verdicts[lazy.name, question], lazy.deserts[question]
    assert not verdict.fault
    got = passed(verdict, question)
    assert points(got) <= desert.most, f"{sorted(got)}; {desert.why}"
    assert set(desert.passes) <= got, f"{verdict.words}"


@only_in_proof
@pytest.mark.parametrize("lazy", GRADED, ids=lambda lazy: lazy.name)
def test_is_within_the_goal_of_its_kind(
    lazy: LazySubmission, verdicts: dict[tuple[str, str], Verdict]
) -> None:
    """What holds for all of a kind, whatever is stated for one of them."""
    got = set().union(*(passed(verdicts[lazy.name, q], q) for q in lazy.deserts))
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


@only_in_proof
def test_answers_known_by_heart_are_worth_something_at_home_only(secret_cases: Path) -> None:
    """So the bank's entry does what it says, and it is the secret cases that stop it."""
    (lazy,) = (lazy for lazy in BANK if lazy.name == "public_answers_by_heart")
    jobs = [Job(lazy.submission, number[0]) for number in BY_HEART]

    def by_heart(i: int, verdict: Verdict) -> bool:
        return BY_HEART[i] not in verdict.failed

    for i, at_home in verdicts_on(jobs, by_heart):
        assert by_heart(i, at_home)
    for i, in_secret in verdicts_on(jobs, by_heart, folder=secret_cases):
        assert not by_heart(i, in_secret)


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
