"""Wrong submissions lose the points of what is wrong, and no others, and are told what it is."""

import ast
import sys
from pathlib import Path

import pytest

from autograder.author.parallel import Job, Verdict
from autograder.author.wrong_bank import (
    SOLUTION,
    Expected,
    WrongSubmission,
    read_entry,
    read_expected,
    read_wrong,
)
from autograder.diagnosis import OR
from autograder.questions import QUESTION_FILES
from autograder.selftest import matrix
from autograder.selftest.expectations import LONG, expected_of, is_luck, masked, read_wordings
from autograder.selftest.sample import only_in_proof, sample
from autograder.selftest.verdicts import verdicts_on

BANK = read_wrong()
TAKEN = sample("wrong", BANK, lambda wrong: (wrong.name, wrong.question))
WHOLE = [BANK[0], BANK[-1]]  # these are graded on every question, not only their own
EXPECTED = read_expected()
NOTHING = Expected((), "")  # known of an entry that is new


def expected(wrong: WrongSubmission) -> Expected:
    return EXPECTED.get(wrong.name, NOTHING)


def grade_all(bank: list[WrongSubmission], whole: bool = False) -> dict[str, Verdict]:
    """Grade each on its own question, or the whole of it; return the verdicts by name."""
    jobs = [
        Job(
            wrong.submission,
            None if whole else wrong.question,
            without=frozenset() if whole else LONG.difference(expected(wrong).fails),
        )
        for wrong in bank
    ]
    found = verdicts_on(jobs, lambda i, verdict: expected_of(bank[i], verdict))
    return {bank[i].name: verdict for i, verdict in found}


@pytest.fixture(scope="module")
def verdicts(request: pytest.FixtureRequest) -> dict[str, Verdict]:
    """The verdicts on the entries that this run is about."""
    taken = (
        item.callspec.params.get("wrong")
        for item in request.session.items
        if hasattr(item, "callspec")
    )
    wanted = {one.name for one in taken if isinstance(one, WrongSubmission)}
    return grade_all([wrong for wrong in BANK if wrong.name in wanted])


def test_the_bank_is_large_and_no_entry_is_there_twice() -> None:
    assert len(BANK) >= 100
    names: dict[tuple[str, str], str] = {}
    for wrong in BANK:
        same = names.setdefault((wrong.file, wrong.source), wrong.name)
        assert same == wrong.name


@pytest.mark.parametrize("wrong", TAKEN, ids=lambda wrong: wrong.name)
def test_loses_what_is_wrong_and_is_told_what(
    wrong: WrongSubmission, verdicts: dict[str, Verdict]
) -> None:
    verdict = verdicts[wrong.name]
    assert not verdict.fault
    assert set(wrong.aim) <= set(verdict.failed)
    assert expected_of(wrong, verdict) == expected(wrong), "look at it, then make matrix UPDATE=1"
    for diagnosis in verdict.diagnoses.values():
        assert wrong.says in diagnosis.split(OR), "another mistake was named"


@pytest.mark.parametrize("wrong", TAKEN, ids=lambda wrong: wrong.name)
def test_its_words_are_those_of_the_snapshot(
    wrong: WrongSubmission, verdicts: dict[str, Verdict]
) -> None:
    for code, example in read_wordings().items():
        if example.entry == wrong.name and not is_luck(wrong, example.number):
            said = verdicts[wrong.name].words[example.number]
            assert masked(said) == masked(example.words), f"{code}: make matrix UPDATE=1"


def test_every_code_that_is_expected_has_words_in_the_snapshot() -> None:
    codes = {row.code for row in EXPECTED.values() if row.code}
    assert codes <= set(read_wordings()), "make matrix UPDATE=1"


def test_what_is_expected_is_known_of_every_entry_and_holds_its_aim() -> None:
    assert {wrong.name for wrong in BANK} == set(EXPECTED), "make matrix UPDATE=1"
    for wrong in BANK:
        assert wrong.aim, wrong.name
        assert set(wrong.aim) <= set(EXPECTED[wrong.name].fails), wrong.name


@only_in_proof
def test_most_mistakes_that_have_words_are_named(verdicts: dict[str, Verdict]) -> None:
    if len(TAKEN) < len(BANK):
        pytest.skip("it is about the whole bank: in a part there may be more that are not")
    told = [wrong for wrong in TAKEN if wrong.says]
    silent = [wrong.name for wrong in told if not verdicts[wrong.name].diagnoses]
    assert len(silent) <= len(told) // 10, silent


def test_no_question_file_uses_another() -> None:
    """So a mistake in one file can't cost points on another file's question."""
    for name in set(QUESTION_FILES) - {"player.py"}:  # a player may
        tree = ast.parse((SOLUTION / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0
                assert node.module
                top = node.module.split(".")[0]
                assert node.module == "starter.games" or top in sys.stdlib_module_names
            elif isinstance(node, ast.Import):
                assert {alias.name for alias in node.names} <= sys.stdlib_module_names


@only_in_proof
def test_the_other_questions_keep_all_their_points() -> None:
    verdicts = grade_all(WHOLE, whole=True)
    for wrong in WHOLE:
        assert expected_of(wrong, verdicts[wrong.name]) == expected(wrong)


def test_of_one_entry_it_is_told_what_it_fails(capsys: pytest.CaptureFixture[str]) -> None:
    name = "expectiminimax_certain_outcome_has_a_move"
    assert matrix.tell_of(name) == 0
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == f"5.4 {EXPECTED[name].code}"
    assert last == f"{name}: fails 5.4, for 5.4"


def test_no_such_entry(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["matrix", "--entry=no_such"])
    assert matrix.main() == 2
    assert capsys.readouterr().err == "there is no autograder/author/wrong/no_such.txt\n"


def test_an_entry_that_fits_no_place_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    header = "mistake: none\nfile: mcts.py\naim: 4.1\n"
    path.write_text(f"{header}<<<<<<< solution\nnowhere\n=======\n>>>>>>> wrong\n")
    with pytest.raises(ValueError, match="stands 0 times"):
        assert read_entry(path).source


@pytest.mark.parametrize("damage", ["cost: 3\n", "file: other.py\n", "<<<<<<< solution\n"])
def test_a_damaged_entry_is_refused(damage: str, tmp_path: Path) -> None:
    path = tmp_path / "entry.txt"
    path.write_text("mistake: none\nfile: mcts.py\n" + damage)
    with pytest.raises(ValueError, match=r"entry\.txt"):
        read_entry(path)
