"""Wrong submissions lose the points of what is wrong, and no others, and are told what it is."""

import ast
import sys
from pathlib import Path

import pytest

from autograder.author.parallel import Job, verdict_on
from autograder.author.wrong_bank import (
    SOLUTION,
    WrongSubmission,
    read_entry,
    read_expected,
    read_wrong,
)
from autograder.diagnosis import OR
from autograder.questions import QUESTION_FILES
from autograder.selftest import matrix
from autograder.selftest.expectations import expected_of, is_luck, masked, read_wordings

BANK = {wrong.name: wrong for wrong in read_wrong()}
# `make check` grades these: each graded test, code and test that decides alone twice at least.
CORE = set(Path(__file__).with_name("core.txt").read_text(encoding="ascii").split())
EXPECTED = read_expected()
WORDINGS = read_wordings()


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(wrong, id=name, marks=() if name in CORE else pytest.mark.slow)
        for name, wrong in BANK.items()
    ],
)
def test_wrong_submission_fails_what_it_is_for(wrong: WrongSubmission) -> None:
    verdict = verdict_on(Job(wrong.submission, wrong.question, wrong.aim))
    assert not verdict.fault
    assert set(verdict.failed) == set(wrong.aim)
    first = EXPECTED[wrong.name].fails[0]
    assert verdict.codes.get(first) in (EXPECTED[wrong.name].code, None)
    for diagnosis in verdict.diagnoses.values():
        assert wrong.says in diagnosis.split(OR), "another mistake was named"


@pytest.mark.slow
@pytest.mark.parametrize("code", WORDINGS)
def test_finding_is_put_in_the_expected_words(code: str) -> None:
    example = WORDINGS[code]
    wrong = BANK[example.entry]
    verdict = verdict_on(Job(wrong.submission, wrong.question, [example.number]))
    assert verdict.codes == {example.number: code}
    if not is_luck(wrong, example.number):
        said = verdict.words[example.number]
        assert masked(said) == masked(example.words), "look at it, then make matrix UPDATE=1"


def test_core_names_entries_of_the_bank() -> None:
    assert set(BANK) >= CORE


def test_no_wrong_submission_is_there_twice() -> None:
    assert len({(wrong.file, wrong.source) for wrong in BANK.values()}) == len(BANK)


def test_every_expected_code_has_words() -> None:
    codes = {row.code for row in EXPECTED.values() if row.code}
    assert codes <= set(WORDINGS), "make matrix UPDATE=1"


def test_every_entry_is_expected_to_fail_what_it_is_for() -> None:
    assert set(BANK) == set(EXPECTED), "make matrix UPDATE=1"
    for wrong in BANK.values():
        assert wrong.aim, wrong.name
        assert set(wrong.aim) <= set(EXPECTED[wrong.name].fails), wrong.name


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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minimax_asks_the_outcome", "player_seven_columns"])
def test_mistake_costs_points_on_its_own_question_only(name: str) -> None:
    wrong = BANK[name]
    verdict = verdict_on(Job(wrong.submission, None))
    assert expected_of(wrong, verdict) == EXPECTED[name]


def test_matrix_says_what_one_entry_fails(capsys: pytest.CaptureFixture[str]) -> None:
    name = "expectiminimax_certain_outcome_has_a_move"
    assert matrix.print_entry(name) == 0
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
